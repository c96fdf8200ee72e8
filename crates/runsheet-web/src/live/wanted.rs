//! What a reader asked for.

use std::collections::BTreeSet;

use uuid::Uuid;

/// What a reader asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Projections of all sessions.
    pub(crate) all: bool,
    /// Sessions named: all of their projections, and their events.
    pub(crate) sessions: BTreeSet<Uuid>,
    /// Events of all sessions.
    pub(crate) timeline: bool,
    /// Only these projections of the sessions that are not named; `None` for all.
    pub(crate) keys: Option<BTreeSet<String>>,
}

impl Wanted {
    /// Whether the events of a session are wanted.
    pub(crate) fn events(&self, session: Uuid) -> bool {
        (self.all && self.timeline) || self.sessions.contains(&session)
    }

    /// Whether anything of a session is wanted.
    pub(crate) fn session(&self, session: Uuid) -> bool {
        self.all || self.sessions.contains(&session)
    }

    /// Whether a projection of a session is wanted.
    pub(crate) fn value(&self, session: Uuid, key: &str) -> bool {
        self.sessions.contains(&session) || (self.all && self.keys.as_ref().is_none_or(|keys| keys.contains(key)))
    }
}
