//! Names of streams.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use uuid::Uuid;

use super::event::derived;

/// The longest name of a task list, in bytes.
const MAX_LIST_NAME: usize = 64;

/// One ordered sequence of events: `session/<uuid>` or `tasks/<list>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamId {
    /// The log of one session.
    Session(Uuid),
    /// The log of one named task list.
    Tasks(String),
}

/// A text that names no stream.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` names no stream: expected session/<uuid> or tasks/<list> (letters, digits, `-`, `_` and `.`, at most 64)"
)]
pub struct StreamIdError(String);

impl StreamId {
    /// The session a client means, from who runs it, which client it is and the client's own id for it. Native ids are
    /// foreign text: they become part of a hash, never of a path, a URL or a subject.
    #[must_use]
    pub fn observed(principal: &str, client: &str, native: &str) -> Self {
        Self::Session(derived(&[b"session", principal.as_bytes(), client.as_bytes(), native.as_bytes()]))
    }

    /// The uuid of a session.
    #[must_use]
    pub const fn session(&self) -> Option<Uuid> {
        match self {
            Self::Session(id) => Some(*id),
            Self::Tasks(_) => None,
        }
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(id) => write!(f, "session/{id}"),
            Self::Tasks(list) => write!(f, "tasks/{list}"),
        }
    }
}

impl FromStr for StreamId {
    type Err = StreamIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || StreamIdError(text.chars().take(100).collect());
        match text.split_once('/') {
            Some(("session", id)) => id.parse().map(Self::Session).map_err(|_| fault()),
            Some(("tasks", list)) if is_list_name(list) => Ok(Self::Tasks(list.into())),
            _ => Err(fault()),
        }
    }
}

fn is_list_name(name: &str) -> bool {
    (1..=MAX_LIST_NAME).contains(&name.len())
        && !name.starts_with('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

impl Serialize for StreamId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for StreamId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
