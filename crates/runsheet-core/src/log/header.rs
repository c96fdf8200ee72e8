//! Event 0 of a session, its title, and the end of a copied beginning.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    event::{MAX_NUMBER, Seq},
    vocabulary::{EventData, Placement},
};

/// `session/created`: the header of a session's stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionCreated {
    /// The version of the stream format, [`FORMAT`](super::FORMAT).
    pub format: u32,
    /// The working folder of the agent; absent when nobody could know it (stateless HTTP).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The agent whose session this is.
    pub agent: Agent,
    /// The session this one was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
    /// How the session came to Runsheet.
    pub source: Source,
    /// Who keeps the order of its events.
    pub lifecycle: Ownership,
}

/// An agent, as it names itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Agent {
    /// The client's name.
    pub name: String,
    /// The client's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The todo dialect it was offered; absent when it has no todo tool of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
}

/// Where a fork left its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parent {
    /// The parent's session.
    pub session: Uuid,
    /// The last event of the parent that the child has too.
    pub seq: Seq,
}

/// How a session came to Runsheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The host that saw it first: `mcp`, `hook`, `run`, `fork`, `import`.
    pub kind: String,
    /// The client's own id of the session, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
}

/// Who keeps the order of a session's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ownership {
    /// Our own loop: turns have one writer and the lifecycle invariants hold.
    Owned,
    /// Another program's loop, reported by calls and hooks: normalised, never rejected.
    Observed,
}

impl EventData for SessionCreated {
    const TYPE: &'static str = "session/created";
    const PLACEMENT: Placement = Placement::Header;

    fn check(&self) -> Result<(), String> {
        if self.format == 0 || self.format > super::FORMAT {
            return Err(format!("format {} is not one of 1 to {}", self.format, super::FORMAT));
        }
        if self.parent.is_some_and(|parent| parent.seq > MAX_NUMBER) {
            return Err(format!("`parent.seq` is more than {MAX_NUMBER}"));
        }
        Ok(())
    }
}

/// `session/title`: what the session is called from here on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionTitle {
    /// One line.
    pub title: String,
}

impl EventData for SessionTitle {
    const TYPE: &'static str = "session/title";
}

/// `session/end-seed`: the events before this one are the parent's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndSeed {}

impl EventData for EndSeed {
    const TYPE: &'static str = "session/end-seed";
}
