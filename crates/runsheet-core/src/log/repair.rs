//! Closing what a crash left open, without taking anything away.

use uuid::Uuid;

use super::{
    event::{Event, EventId, IdKind, Time},
    header::Ownership,
    message::ContentBlock,
    tool::{ToolFacts, ToolResult},
    turn::{EndReason, StepEnd, TurnEnd},
    turns::{OpenCall, OpenTurn, Turns},
    vocabulary::Vocabulary,
};

/// The code of a call that never began: the tool did nothing, so it may simply be called again.
pub const TOOL_NOT_STARTED: &str = "TOOL_NOT_STARTED";
/// The code of a call that began and whose end nobody saw: it may have done its work.
pub const TOOL_OUTCOME_UNKNOWN: &str = "TOOL_OUTCOME_UNKNOWN";

/// The events that close an owned session's open turn: an error result for each unanswered call, the end of the open
/// step, the end of the turn. They carry the time of the last real event and ids derived from what they close, so that
/// repairing twice appends once. A session with nothing open, and an observed one, needs none.
#[must_use]
pub fn closers(vocabulary: &Vocabulary, session: Uuid, turns: &Turns, last: Time) -> Vec<Event> {
    let Turns { ownership: Some(Ownership::Owned), open: Some(open), .. } = turns else { return Vec::new() };
    let OpenTurn { turn, step, .. } = open;
    let id = |what: &str| EventId::observed(session, IdKind::Closer, &format!("{turn}/{what}"));
    let mut events = Vec::new();
    if let Some(step) = step {
        for call in &step.calls {
            let id = id(&format!("{}/{}", step.step, call.call_id));
            events.push(vocabulary.event(id, last, &result(call)));
        }
        let end = StepEnd { turn: *turn, step: step.step };
        events.push(vocabulary.event(id(&format!("{}", step.step)), last, &end));
    }
    events.push(vocabulary.event(id("end"), last, &TurnEnd { turn: *turn, reason: EndReason::Interrupted }));
    events
}

fn result(call: &OpenCall) -> ToolResult {
    let (code, text) = if call.started {
        (
            TOOL_OUTCOME_UNKNOWN,
            "Error: the session stopped while this call ran; whether it took effect is unknown. Check before calling \
             again, unless the call only reads or can be repeated safely.",
        )
    } else {
        (TOOL_NOT_STARTED, "Error: the session stopped before this call began. Call again if it is still needed.")
    };
    ToolResult {
        call_id: call.call_id.clone(),
        content: vec![ContentBlock::text(text)],
        is_error: true,
        facts: Some(ToolFacts::from_iter([("code".to_owned(), code.into())])),
        scope: call.scope.clone(),
        late: false,
        unpaired: false,
    }
}
