//! The lifecycle invariants of owned sessions.

use super::{
    event::{Recorded, Seq},
    header::Ownership,
    message::AssistantMessage,
    tool::{ToolCall, ToolResult},
    turn::{StepEnd, StepStart, TurnBound, TurnEnd, TurnStart},
    turns::Turns,
    vocabulary::{EventData, Vocabulary, read},
};

/// An event that may not stand where it does in an owned session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{ty}` at {seq} breaks the session's lifecycle: {fault}")]
pub struct LifecycleFault {
    /// The event's type.
    pub ty: String,
    /// Its place.
    pub seq: Seq,
    /// What is wrong.
    pub fault: String,
}

/// Follows a session event by event. Streams that are not owned sessions pass unchecked.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    turns: Turns,
}

impl Lifecycle {
    /// Goes on from a known state.
    #[must_use]
    pub const fn from(turns: Turns) -> Self {
        Self { turns }
    }

    /// The state reached.
    #[must_use]
    pub const fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the session is owned and the event may not follow.
    pub fn next(&mut self, vocabulary: &Vocabulary, event: &Recorded) -> Result<(), LifecycleFault> {
        if self.turns.ownership == Some(Ownership::Owned) {
            self.check(vocabulary, event).map_err(|fault| LifecycleFault {
                ty: event.ty.to_string(),
                seq: event.seq,
                fault,
            })?;
        }
        self.turns.apply(event);
        Ok(())
    }

    fn check(&self, vocabulary: &Vocabulary, event: &Recorded) -> Result<(), String> {
        let Turns { open, .. } = &self.turns;
        let next = self.turns.next();
        if let Some(start) = read::<TurnStart>(event) {
            return match open {
                Some(open) => Err(format!("turn {} is still open", open.turn)),
                None if start.turn != next => Err(format!("the next turn is {next}, not {}", start.turn)),
                None => Ok(()),
            };
        }
        let Some(open) = open else {
            return if vocabulary.needs_turn(event) { Err("no turn is open".into()) } else { Ok(()) };
        };
        let of_turn = |turn: u64| {
            if turn == open.turn { Ok(()) } else { Err(format!("turn {} is open, not {turn}", open.turn)) }
        };
        match &*event.ty {
            TurnEnd::TYPE => {
                of_turn(read::<TurnEnd>(event).map_or(0, |end| end.turn))?;
                open.step.as_ref().map_or(Ok(()), |step| Err(format!("step {} is still open", step.step)))
            }
            TurnBound::TYPE => {
                of_turn(read::<TurnBound>(event).map_or(0, |bound| bound.turn))?;
                if open.key.is_some() { Err("the turn has its key".into()) } else { Ok(()) }
            }
            StepStart::TYPE => {
                let (turn, number) = read::<StepStart>(event).map_or((0, 0), |start| (start.turn, start.step));
                of_turn(turn)?;
                let next = open.last_step.saturating_add(1);
                match &open.step {
                    Some(step) => Err(format!("step {} is still open", step.step)),
                    None if number != next => Err(format!("the next step is {next}, not {number}")),
                    None => Ok(()),
                }
            }
            StepEnd::TYPE => {
                let (turn, number) = read::<StepEnd>(event).map_or((0, 0), |end| (end.turn, end.step));
                of_turn(turn)?;
                match &open.step {
                    Some(step) if step.step == number => Ok(()),
                    Some(step) => Err(format!("step {} is open, not {number}", step.step)),
                    None => Err("no step is open".into()),
                }
            }
            // Its calls are open calls of a step: outside one, repair would not know of them.
            AssistantMessage::TYPE if open.step.is_none() => Err("no step is open".into()),
            ToolCall::TYPE => {
                let id = read::<ToolCall>(event).map(|call| call.call_id).unwrap_or_default();
                match open.step.as_ref().map(|step| step.calls.iter().find(|call| call.call_id == id)) {
                    None => Err("no step is open".into()),
                    Some(Some(call)) if call.started => Err(format!("call `{id}` was started before")),
                    Some(_) => Ok(()),
                }
            }
            ToolResult::TYPE => {
                let id = read::<ToolResult>(event).map(|result| result.call_id).unwrap_or_default();
                let answers = |call: &super::turns::OpenCall| call.call_id == id;
                match &open.step {
                    Some(step) if step.calls.iter().any(answers) => Ok(()),
                    _ => Err(format!("it answers no open call of its step (`{id}`)")),
                }
            }
            _ => Ok(()),
        }
    }
}
