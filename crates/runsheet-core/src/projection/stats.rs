//! `stats`: how much happened in a session.

use serde::{Deserialize, Serialize};

use super::unit::Projection;
use crate::{
    log::{AssistantMessage, EventData, Recorded, Time, ToolCall, ToolResult, TurnStart, UserMessage, read},
    todo::TodoWrite,
};

/// The projection `stats`.
#[derive(Debug)]
pub struct Stats;

/// The state and the view of [`Stats`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatsState {
    /// All events.
    pub events: u64,
    /// Turns started.
    pub turns: u64,
    /// Prompts.
    pub prompts: u64,
    /// Answers of the model.
    pub answers: u64,
    /// Calls of tools.
    pub calls: u64,
    /// Calls that failed.
    pub failed_calls: u64,
    /// Lists written.
    pub todo_writes: u64,
    /// Tokens in.
    pub input_tokens: u64,
    /// Of these, from the provider's cache.
    pub cached_tokens: u64,
    /// Tokens out.
    pub output_tokens: u64,
    /// When the first event was written.
    pub first: Option<Time>,
    /// When the last event was written.
    pub last: Option<Time>,
}

impl Projection for Stats {
    const KEY: &'static str = "stats";
    const VERSION: u32 = 1;
    const TYPES: &'static [&'static str] = &[];
    type State = StatsState;
    type View<'a> = &'a StatsState;

    fn apply(state: &mut StatsState, event: &Recorded) -> bool {
        state.events += 1;
        state.first.get_or_insert(event.time);
        state.last = Some(event.time);
        match &*event.ty {
            TurnStart::TYPE => state.turns += 1,
            UserMessage::TYPE => state.prompts += 1,
            ToolCall::TYPE => state.calls += 1,
            TodoWrite::TYPE => state.todo_writes += 1,
            ToolResult::TYPE => {
                state.failed_calls += u64::from(read::<ToolResult>(event).is_some_and(|result| result.is_error));
            }
            AssistantMessage::TYPE => {
                state.answers += 1;
                if let Some(usage) = read::<AssistantMessage>(event).and_then(|message| message.usage) {
                    state.input_tokens = state.input_tokens.saturating_add(usage.input_tokens);
                    state.cached_tokens = state.cached_tokens.saturating_add(usage.cached_tokens);
                    state.output_tokens = state.output_tokens.saturating_add(usage.output_tokens);
                }
            }
            _ => {}
        }
        true
    }

    fn view(state: &StatsState) -> Option<&StatsState> {
        Some(state)
    }
}
