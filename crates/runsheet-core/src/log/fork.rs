//! A new session that begins as a copy of another's past.

use super::{
    event::{Event, EventId, Seq, Time},
    header::{EndSeed, Parent, SessionCreated, Source},
    turns::Turns,
    vocabulary::Vocabulary,
};
use uuid::Uuid;

/// A session that cannot be forked where it was asked to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// The place lies inside a turn.
    #[error("event {seq} lies inside turn {turn}: a fork begins outside a turn")]
    OpenTurn {
        /// The place.
        seq: Seq,
        /// The turn open there.
        turn: u64,
    },
    /// The place is not in the parent.
    #[error("event {seq} does not exist: the session's last is {head}")]
    Beyond {
        /// The place.
        seq: Seq,
        /// The parent's last event.
        head: Seq,
    },
}

/// The first batch of a fork: its own header and the mark after the inherited events. `turns` is the parent's state
/// after event `at`. The store gives the header seq 0 and the mark seq `at + 1`; between them it reads the parent's
/// rows, with the same seqs and ids.
///
/// # Errors
/// When `at` lies inside a turn or beyond the parent's `head`.
pub fn fork(
    vocabulary: &Vocabulary,
    (session, header): (Uuid, &SessionCreated),
    (at, head): (Seq, Seq),
    turns: &Turns,
    ids: [EventId; 2],
    time: Time,
) -> Result<Vec<Event>, ForkError> {
    if at > head {
        return Err(ForkError::Beyond { seq: at, head });
    }
    if let Some(open) = &turns.open {
        return Err(ForkError::OpenTurn { seq: at, turn: open.turn });
    }
    let child = SessionCreated {
        format: super::FORMAT,
        parent: Some(Parent { session, seq: at }),
        source: Source { kind: "fork".into(), native: None },
        ..header.clone()
    };
    Ok(vec![vocabulary.event(ids[0], time, &child), vocabulary.event(ids[1], time, &EndSeed {})])
}
