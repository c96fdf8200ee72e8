//! Observed sessions: what other programs' calls and hooks report, as events.
//!
//! Another program's reports arrive late, twice or not at all, so nothing here rejects: each fact finds its turn with
//! [`Turns::ensure`] and becomes a batch to append in one step. All functions are pure; the caller runs them under the
//! store's lock, with `has` answering whether the stream holds an id.

use uuid::Uuid;

use crate::{
    log::{
        ContentBlock, EndReason, Ensured, Event, EventId, IdKind, Scope, StreamId, Time, ToolCall, ToolFacts,
        ToolResult, TurnChange, TurnEnd, Turns, UserMessage, Vocabulary,
    },
    todo::TodoWrite,
};

/// Time and fresh ids for one batch, made before the decision so that it may run again.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    /// When the fact was seen.
    pub time: Time,
    /// As many ids as a batch can need.
    pub ids: [EventId; 6],
}

/// Where a fact belongs.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The session's stream.
    pub stream: &'a StreamId,
    /// The session.
    pub session: Uuid,
    /// Whose fact it is.
    pub scope: &'a Scope,
    /// The client's key of the turn, as far as the fact brought one.
    pub key: Option<&'a str>,
}

/// A tool call that was served, with what came of it.
#[derive(Clone, Debug)]
pub struct ServedCall<'a> {
    /// The client's id of the call.
    pub call_id: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// The arguments as the model wrote them.
    pub arguments: &'a str,
    /// What the model is answered.
    pub answer: &'a [ContentBlock],
    /// A short code, where the call was refused.
    pub refused: Option<&'a str>,
}

/// The id of the `tool/call` of a client's call: whether the stream has it says whether the call was served before.
#[must_use]
pub fn call_event_id(session: Uuid, call_id: &str) -> EventId {
    EventId::observed(session, IdKind::Call, call_id)
}

/// The id of the `tool/result` of a client's call.
#[must_use]
pub fn result_event_id(session: Uuid, call_id: &str) -> EventId {
    EventId::observed(session, IdKind::Result, call_id)
}

/// A served call: `[turn/…] tool/call [todo/write] tool/result`. A refused one writes no list and opens no turn.
#[must_use]
pub fn served_call(
    vocabulary: &Vocabulary,
    turns: &Turns,
    place: &Place<'_>,
    call: &ServedCall<'_>,
    write: Option<TodoWrite>,
    stamp: &Stamp,
    has: impl Fn(EventId) -> bool,
) -> Vec<Event> {
    let Stamp { time, ids } = *stamp;
    let ensured = match &write {
        Some(_) if *place.scope == Scope::Main => turns.ensure(place.stream, place.key, true, &has),
        _ => Ensured::default(),
    };
    let late = ensured.late;
    let mut batch = turn_events(vocabulary, place.session, &ensured.changes, &[ids[0], ids[1]], time);
    let id = |kind| EventId::observed(place.session, kind, call.call_id);
    batch.push(vocabulary.event(
        id(IdKind::Call),
        time,
        &ToolCall {
            call_id: call.call_id.into(),
            name: call.tool.into(),
            arguments: ToolCall::clip(call.arguments).into_owned(),
            scope: place.scope.clone(),
            late,
        },
    ));
    if let Some(write) = write {
        batch.push(vocabulary.event(id(IdKind::Write), time, &TodoWrite { late, ..write }));
    }
    batch.push(vocabulary.event(
        id(IdKind::Result),
        time,
        &ToolResult {
            call_id: call.call_id.into(),
            content: call.answer.to_vec(),
            is_error: call.refused.is_some(),
            facts: call.refused.map(|code| ToolFacts::from_iter([("code".to_owned(), code.into())])),
            scope: place.scope.clone(),
            late,
            unpaired: false,
        },
    ));
    batch
}

/// A prompt: it finds or starts its turn and stands in it. A sub-agent's prompt is no prompt of the session.
#[must_use]
pub fn prompt(
    vocabulary: &Vocabulary,
    turns: &Turns,
    place: &Place<'_>,
    text: &str,
    stamp: &Stamp,
    has: impl Fn(EventId) -> bool,
) -> Vec<Event> {
    let Stamp { time, ids } = *stamp;
    // A second prompt of one turn (the person steers) is another prompt; the same text again is a doubled report.
    let native = |key| EventId::observed(place.session, IdKind::Prompt, &format!("{key}\0{text}"));
    let message = place.key.map_or(ids[2], native);
    if *place.scope != Scope::Main || has(message) {
        return Vec::new();
    }
    let ensured = turns.ensure(place.stream, place.key, false, &has);
    let mut batch = turn_events(vocabulary, place.session, &ensured.changes, &[ids[0], ids[1]], time);
    batch.push(vocabulary.event(message, time, &UserMessage { content: vec![ContentBlock::text(text)] }));
    batch
}

/// The agent stopped: its own turn ends, no other. Like any fact of the main scope it finds its turn first: where the
/// prompt's report was lost, the stop is what tells of the turn. A key the stream knows from before is a report that came
/// late, and a sub-agent's stop ends nothing.
#[must_use]
pub fn stopped(
    vocabulary: &Vocabulary,
    turns: &Turns,
    place: &Place<'_>,
    stamp: &Stamp,
    has: impl Fn(EventId) -> bool,
) -> Vec<Event> {
    if *place.scope != Scope::Main || (turns.open.is_none() && place.key.is_none()) {
        return Vec::new();
    }
    let Ensured { mut changes, late } = turns.ensure(place.stream, place.key, false, &has);
    if late {
        return Vec::new();
    }
    let started = changes.iter().find_map(|change| match change {
        TurnChange::Start(start) => Some(start.turn),
        TurnChange::End(_) | TurnChange::Bound(_) => None,
    });
    let Some(turn) = started.or(turns.open.as_ref().map(|open| open.turn)) else { return Vec::new() };
    changes.push(TurnChange::End(TurnEnd { turn, reason: EndReason::Completed }));
    turn_events(vocabulary, place.session, &changes, &stamp.ids[..3], stamp.time)
}

/// Ends the open turn, whosever it is; with `implicit_only`, one that a prompt opened stays.
#[must_use]
pub fn ended(
    vocabulary: &Vocabulary,
    turns: &Turns,
    session: Uuid,
    (reason, implicit_only): (EndReason, bool),
    stamp: &Stamp,
) -> Vec<Event> {
    let open = turns.open.as_ref().filter(|open| open.implicit || !implicit_only);
    let changes: Vec<_> = open.map(|open| TurnChange::End(TurnEnd { turn: open.turn, reason })).into_iter().collect();
    turn_events(vocabulary, session, &changes, &stamp.ids[5..], stamp.time)
}

fn turn_events(
    vocabulary: &Vocabulary,
    session: Uuid,
    changes: &[TurnChange],
    fresh: &[EventId],
    time: Time,
) -> Vec<Event> {
    changes.iter().zip(fresh).map(|(change, id)| change.event(vocabulary, session, *id, time)).collect()
}
