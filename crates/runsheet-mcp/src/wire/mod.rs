//! Bytes to messages, with an answer for whatever is none.

mod id;
mod surrogates;

use std::borrow::Cow;

use rmcp::{
    ErrorData, RoleServer,
    model::{ErrorCode, RequestId},
    service::RxJsonRpcMessage,
};

pub(crate) use id::IdScanner;

/// Bytes that are no message, with the answer they get.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The id of the request they were meant as, where one can be told.
    pub(crate) id: Option<RequestId>,
    /// What is wrong with them.
    pub(crate) error: ErrorData,
}

impl Refused {
    pub(crate) fn new(bytes: &[u8], code: ErrorCode, what: impl Into<Cow<'static, str>>) -> Self {
        Self { id: IdScanner::id_of(bytes), error: ErrorData::new(code, what, None) }
    }
}

/// Reads one message. Gives back the text it was read from, too, where that differs from what came in.
pub(crate) fn read(bytes: &[u8]) -> Result<(RxJsonRpcMessage<RoleServer>, Option<String>), Box<Refused>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii();
    let refuse = |code, what: String| Box::new(Refused::new(bytes, code, what));
    let text = std::str::from_utf8(bytes)
        .map_err(|error| refuse(ErrorCode::PARSE_ERROR, format!("the message is not UTF-8: {error}")))?;
    if text.starts_with('[') {
        let what = "batches are not supported: send one message at a time";
        return Err(Box::new(Refused { id: None, error: ErrorData::invalid_request(what, None) }));
    }
    // Programs in JavaScript cut texts between the halves of a pair; refusing the call would lose the whole list.
    let repaired = surrogates::repair(text);
    let message = serde_json::from_str(&repaired).map_err(|error| {
        if serde_json::from_str::<serde::de::IgnoredAny>(&repaired).is_err() {
            refuse(ErrorCode::PARSE_ERROR, format!("the message is not JSON: {error}"))
        } else if error.is_data() {
            refuse(ErrorCode::INVALID_REQUEST, format!("the message is not JSON-RPC 2.0: {error}"))
        } else {
            refuse(ErrorCode::PARSE_ERROR, format!("the message cannot be read: {error}"))
        }
    })?;
    let changed = match repaired {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    };
    Ok((message, changed))
}
