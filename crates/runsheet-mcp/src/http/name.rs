//! The name of a session, in a URL or a header.

use std::{borrow::Cow, collections::HashMap};

use http::HeaderMap;

/// The header for clients that cannot choose their URL.
const HEADER: &str = "runsheet-session";
/// The longest name, in bytes.
const MAX_BYTES: usize = 128;

/// The session a request names. It travels with the request to its handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionName(pub(crate) String);

impl SessionName {
    /// The name in the path of a request, else in its headers; a sentence where it is not fit for one.
    pub(super) fn of(path: &HashMap<String, String>, headers: &HeaderMap) -> Result<Option<Self>, String> {
        let name = match (path.get("name"), headers.get(HEADER)) {
            (Some(name), _) => Cow::Borrowed(name.as_str()),
            (None, Some(name)) => String::from_utf8_lossy(name.as_bytes()),
            (None, None) => return Ok(None),
        };
        let name = name.trim();
        if name.is_empty() || name.len() > MAX_BYTES || name.chars().any(char::is_control) {
            return Err(format!("a session's name has 1 to {MAX_BYTES} bytes and no control characters"));
        }
        Ok(Some(Self(name.to_owned())))
    }
}
