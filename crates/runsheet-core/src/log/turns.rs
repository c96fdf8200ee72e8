//! The state of a session's turns, and how observed facts find theirs.

use serde::{Deserialize, Serialize};

use super::{
    event::{Event, EventId, IdKind, MAX_NUMBER, Recorded, Time},
    header::{Ownership, SessionCreated},
    message::{AssistantMessage, Block},
    stream::StreamId,
    tool::{Scope, ToolCall, ToolResult},
    turn::{EndReason, StepEnd, StepStart, TurnBound, TurnEnd, TurnStart},
    vocabulary::{EventData, Vocabulary, read},
};

/// Where a session stands: which turn, step and calls are open. The fold of `turn/*`, `step/*` and, inside a step, calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turns {
    /// Whose session it is; absent before the header.
    pub ownership: Option<Ownership>,
    /// The number of the latest turn; 0 before the first.
    pub last: u64,
    /// The open turn.
    pub open: Option<OpenTurn>,
}

/// An open turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenTurn {
    /// Its number.
    pub turn: u64,
    /// The client's key, once known.
    pub key: Option<String>,
    /// Whether a call opened it rather than a prompt.
    pub implicit: bool,
    /// The number of its latest step.
    pub last_step: u64,
    /// The open step; observed sessions have none.
    pub step: Option<OpenStep>,
}

/// An open step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenStep {
    /// Its number.
    pub step: u64,
    /// Its unanswered calls, in the model's order.
    pub calls: Vec<OpenCall>,
}

/// A call without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenCall {
    /// The provider's id.
    pub call_id: String,
    /// Whose call.
    pub scope: Scope,
    /// Whether its `tool/call` is on the log: the tool may have run.
    pub started: bool,
}

/// One change of the turns that a fact brings about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnChange {
    /// Ends the open turn.
    End(TurnEnd),
    /// Starts a turn.
    Start(TurnStart),
    /// Gives the open turn its key.
    Bound(TurnBound),
}

impl TurnChange {
    /// The event. With a key its id is derived from it, so that [`EventId`] says whether a key was seen; else it is `fresh`.
    #[must_use]
    pub fn event(&self, vocabulary: &Vocabulary, session: uuid::Uuid, fresh: EventId, time: Time) -> Event {
        let id = |key: Option<&String>| key.map_or(fresh, |key| turn_id(session, key));
        match self {
            Self::End(data) => vocabulary.event(fresh, time, data),
            Self::Start(data) => vocabulary.event(id(data.key.as_ref()), time, data),
            Self::Bound(data) => vocabulary.event(id(Some(&data.key)), time, data),
        }
    }
}

/// The id of the event that made a turn's key known.
fn turn_id(session: uuid::Uuid, key: &str) -> EventId {
    EventId::observed(session, IdKind::Turn, key)
}

/// The turn an observed fact belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ensured {
    /// What to append before the fact.
    pub changes: Vec<TurnChange>,
    /// Whether the fact belongs to an earlier turn: it is kept, and changes no turn.
    pub late: bool,
}

impl Turns {
    /// The types the fold reads.
    pub const TYPES: &'static [&'static str] = &[
        SessionCreated::TYPE,
        TurnStart::TYPE,
        TurnBound::TYPE,
        TurnEnd::TYPE,
        StepStart::TYPE,
        StepEnd::TYPE,
        AssistantMessage::TYPE,
        ToolCall::TYPE,
        ToolResult::TYPE,
    ];

    /// The number of the next turn.
    #[must_use]
    pub const fn next(&self) -> u64 {
        // No stream gets there by counting; a foreign one may say that it did, and is then not refused.
        if self.last < MAX_NUMBER { self.last + 1 } else { MAX_NUMBER }
    }

    /// Finds or makes the turn of an observed fact. `key` is the client's key of the turn, and only facts of the main
    /// scope bring one; `seen` says whether the stream holds an id; `implicit` whether the fact is a call rather than
    /// a prompt.
    ///
    /// No key joins the open turn or opens an implicit one. The open turn's key joins. A key never seen binds an open
    /// turn that has none (its plan stays), else supersedes it. A key of an earlier turn is late. These rules were
    /// simulated over 20,000 histories of lost, doubled and late hooks before they were written down (DESIGN §3).
    #[must_use]
    pub fn ensure(
        &self,
        stream: &StreamId,
        key: Option<&str>,
        implicit: bool,
        seen: impl FnOnce(EventId) -> bool,
    ) -> Ensured {
        let start =
            |key: Option<&str>| TurnChange::Start(TurnStart { turn: self.next(), key: key.map(Into::into), implicit });
        let join = Ensured::default();
        match (&self.open, key) {
            (Some(_), None) => join,
            (None, None) => Ensured { changes: vec![start(None)], late: false },
            (Some(open), Some(key)) if open.key.as_deref() == Some(key) => join,
            (_, Some(key)) if stream.session().is_some_and(|session| seen(turn_id(session, key))) => {
                Ensured { changes: Vec::new(), late: true }
            }
            (Some(open), Some(key)) if open.implicit && open.key.is_none() => {
                let bound = TurnBound { turn: open.turn, key: key.into() };
                Ensured { changes: vec![TurnChange::Bound(bound)], late: false }
            }
            (Some(open), Some(_)) => {
                let end = TurnEnd { turn: open.turn, reason: EndReason::Superseded };
                Ensured { changes: vec![TurnChange::End(end), start(key)], late: false }
            }
            (None, Some(_)) => Ensured { changes: vec![start(key)], late: false },
        }
    }

    /// Folds one event; says whether the state changed.
    pub fn apply(&mut self, event: &Recorded) -> bool {
        let before = self.clone();
        self.fold(event);
        *self != before
    }

    fn fold(&mut self, event: &Recorded) {
        match &*event.ty {
            SessionCreated::TYPE => self.ownership = read::<SessionCreated>(event).map(|header| header.lifecycle),
            TurnStart::TYPE => {
                if let Some(TurnStart { turn, key, implicit }) = read(event) {
                    // An imported log of another program may count as it likes; ours goes on from its highest number.
                    self.last = self.last.max(turn);
                    self.open = Some(OpenTurn { turn, key, implicit, ..OpenTurn::default() });
                }
            }
            TurnBound::TYPE => {
                if let (Some(open), Some(TurnBound { key, .. })) = (&mut self.open, read(event)) {
                    open.key = Some(key);
                }
            }
            TurnEnd::TYPE => self.open = None,
            StepStart::TYPE => {
                if let (Some(open), Some(StepStart { step, .. })) = (&mut self.open, read(event)) {
                    open.last_step = step;
                    open.step = Some(OpenStep { step, calls: Vec::new() });
                }
            }
            StepEnd::TYPE => {
                if let Some(open) = &mut self.open {
                    open.step = None;
                }
            }
            AssistantMessage::TYPE | ToolCall::TYPE | ToolResult::TYPE => self.fold_call(event),
            _ => {}
        }
    }

    fn fold_call(&mut self, event: &Recorded) {
        let Some(step) = self.open.as_mut().and_then(|open| open.step.as_mut()) else { return };
        if let Some(message) = read::<AssistantMessage>(event) {
            for block in message.content {
                let Block::ToolCall { call_id, .. } = block else { continue };
                // Some models give two calls one id; it can be answered, and closed, only once.
                if step.calls.iter().all(|open| open.call_id != call_id) {
                    step.calls.push(OpenCall { call_id, scope: Scope::Main, started: false });
                }
            }
        } else if let Some(call) = read::<ToolCall>(event) {
            match step.calls.iter_mut().find(|open| open.call_id == call.call_id) {
                Some(open) => open.started = true,
                None => step.calls.push(OpenCall { call_id: call.call_id, scope: call.scope, started: true }),
            }
        } else if let Some(result) = read::<ToolResult>(event) {
            step.calls.retain(|open| open.call_id != result.call_id);
        }
    }
}
