//! `activity`: what runs right now, as far as the runtime told: open calls, sub-agents, the last sign of life.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::unit::Projection;
use crate::{
    log::{
        AssistantMessage, EndReason, EventData, Recorded, Scope, StepEnd, StepStart, Time, ToolCall, ToolProgress,
        ToolResult, TurnEnd, TurnStart, UserMessage, read,
    },
    progress::{SubagentEnded, SubagentStarted},
};

/// How many open calls are kept, the newest.
const MAX_CALLS: usize = 256;
/// How many sub-agents are kept, those that run before those that ended.
const MAX_CHILDREN: usize = 64;
/// The longest id that is followed, in bytes: ids are foreign text.
const MAX_ID_BYTES: usize = 256;
/// The longest text that is kept of a call, in characters.
const MAX_TEXT_CHARS: usize = 200;
/// The least time between two progress lines of one call: at most four a second.
const PROGRESS_EVERY_MS: i64 = 250;

/// The projection `activity`.
#[derive(Debug)]
pub struct Activity;

/// The state and the view of [`Activity`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActivityState {
    /// Calls without a result, oldest first.
    pub calls: Vec<ActiveCall>,
    /// Sub-agents, in the order they started.
    pub children: Vec<Child>,
    /// When the agent or one of its sub-agents was last heard of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_sign: Option<Time>,
    /// How many open calls and sub-agents were forgotten because there were too many.
    pub dropped: u64,
}

/// A call without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActiveCall {
    /// The client's id of the call.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Whose call.
    pub scope: Scope,
    /// When it was made.
    pub since: Time,
    /// The last line it said of itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub progress: Option<String>,
    /// When it said so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub progress_at: Option<Time>,
}

/// A sub-agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Child {
    /// The client's id of it.
    pub agent_id: String,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent_type: Option<String>,
    /// Its own session, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<Uuid>,
    /// The call that started it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call_id: Option<String>,
    /// When it started.
    pub since: Time,
    /// When it was last heard of.
    pub last_sign: Time,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended: Option<Time>,
    /// Whether it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl ActivityState {
    /// Notes that somebody was heard of; says whether that is news.
    fn heard(&mut self, scope: &Scope, time: Time) -> bool {
        let mut news = self.last_sign.is_none_or(|known| known < time);
        if news {
            self.last_sign = Some(time);
        }
        if let Scope::Agent(id) = scope
            && let Some(child) = self.children.iter_mut().find(|child| child.agent_id == *id)
            && child.ended.is_none()
            && child.last_sign < time
        {
            child.last_sign = time;
            news = true;
        }
        news
    }

    fn call(&mut self, call: ToolCall, time: Time) -> bool {
        if call.late {
            return false;
        }
        let heard = self.heard(&call.scope, time);
        let known = self.calls.iter().any(|open| open.call_id == call.call_id);
        if known || !followed(&call.call_id) || !scope_followed(&call.scope) {
            return heard;
        }
        if self.calls.len() >= MAX_CALLS {
            self.calls.remove(0);
            self.dropped += 1;
        }
        let ToolCall { call_id, name, scope, .. } = call;
        let name = line(&name);
        self.calls.push(ActiveCall { call_id, name, scope, since: time, progress: None, progress_at: None });
        true
    }

    fn progress(&mut self, progress: &ToolProgress, time: Time) -> bool {
        let Some(call) = self.calls.iter_mut().find(|call| call.call_id == progress.call_id) else { return false };
        let too_soon = |at: Time| time.as_ms().saturating_sub(at.as_ms()) < PROGRESS_EVERY_MS;
        if call.progress_at.is_some_and(too_soon) {
            return false;
        }
        let text = line(&progress.text);
        call.progress_at = Some(time);
        call.progress = Some(text);
        let scope = call.scope.clone();
        self.heard(&scope, time);
        true
    }

    fn result(&mut self, result: &ToolResult, time: Time) -> bool {
        if result.late {
            return false;
        }
        let open = self.calls.len();
        self.calls.retain(|call| call.call_id != result.call_id);
        let closed = self.calls.len() != open;
        self.heard(&result.scope, time) || closed
    }

    /// The main agent's calls end with their turn, whether or not their results were ever reported. Sub-agents outlive
    /// turns, unless whoever ran them is gone.
    fn turn_ended(&mut self, everybody: bool, time: Time) {
        self.calls.retain(|call| !everybody && call.scope != Scope::Main);
        if everybody {
            for child in self.children.iter_mut().filter(|child| child.ended.is_none()) {
                child.ended = Some(time);
            }
        }
    }

    fn child_started(&mut self, started: SubagentStarted, time: Time) -> bool {
        let SubagentStarted { agent_id, agent_type, session, call_id } = started;
        let running = self.children.iter().any(|child| child.agent_id == agent_id && child.ended.is_none());
        if running || !followed(&agent_id) {
            return self.heard(&Scope::Agent(agent_id), time);
        }
        self.children.retain(|child| child.agent_id != agent_id);
        if self.children.len() >= MAX_CHILDREN {
            // Those that ended go first.
            let ended = self.children.iter().position(|child| child.ended.is_some());
            self.dropped += u64::from(ended.is_none());
            self.children.remove(ended.unwrap_or(0));
        }
        self.heard(&Scope::Main, time);
        self.children.push(Child {
            agent_id,
            agent_type: agent_type.map(|kind| line(&kind)),
            session,
            call_id: call_id.filter(|id| followed(id)),
            since: time,
            last_sign: time,
            ended: None,
            is_error: false,
        });
        true
    }

    /// The first report of an end counts; repeated ones change nothing.
    fn child_ended(&mut self, ended: &SubagentEnded, time: Time) -> bool {
        let child = self.children.iter_mut().find(|child| child.agent_id == ended.agent_id);
        let Some(child) = child.filter(|child| child.ended.is_none()) else { return false };
        child.ended = Some(time);
        child.last_sign = child.last_sign.max(time);
        child.is_error = ended.is_error;
        self.calls.retain(|call| !matches!(&call.scope, Scope::Agent(id) if *id == ended.agent_id));
        self.heard(&Scope::Main, time);
        true
    }
}

fn followed(id: &str) -> bool {
    id.len() <= MAX_ID_BYTES
}

fn scope_followed(scope: &Scope) -> bool {
    match scope {
        Scope::Main => true,
        Scope::Agent(id) => followed(id),
    }
}

/// The first line with something on it, bounded.
fn line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(MAX_TEXT_CHARS).collect()
}

impl Projection for Activity {
    const KEY: &'static str = "activity";
    const VERSION: u32 = 1;
    const TYPES: &'static [&'static str] = &[
        TurnStart::TYPE,
        TurnEnd::TYPE,
        StepStart::TYPE,
        StepEnd::TYPE,
        UserMessage::TYPE,
        AssistantMessage::TYPE,
        ToolCall::TYPE,
        ToolProgress::TYPE,
        ToolResult::TYPE,
        SubagentStarted::TYPE,
        SubagentEnded::TYPE,
    ];
    type State = ActivityState;
    type View<'a> = &'a ActivityState;

    fn apply(state: &mut ActivityState, event: &Recorded) -> bool {
        let time = event.time;
        match &*event.ty {
            ToolCall::TYPE => read::<ToolCall>(event).is_some_and(|call| state.call(call, time)),
            ToolProgress::TYPE => read::<ToolProgress>(event).is_some_and(|progress| state.progress(&progress, time)),
            ToolResult::TYPE => read::<ToolResult>(event).is_some_and(|result| state.result(&result, time)),
            SubagentStarted::TYPE => {
                read::<SubagentStarted>(event).is_some_and(|started| state.child_started(started, time))
            }
            SubagentEnded::TYPE => read::<SubagentEnded>(event).is_some_and(|ended| state.child_ended(&ended, time)),
            TurnEnd::TYPE => {
                let before = state.clone();
                let reason = read::<TurnEnd>(event).map(|end| end.reason);
                let gone = matches!(reason, Some(EndReason::Disconnected | EndReason::Interrupted));
                state.turn_ended(gone, time);
                // Nobody was heard of when nobody was there to say so.
                if !gone {
                    state.heard(&Scope::Main, time);
                }
                *state != before
            }
            TurnStart::TYPE => {
                state.turn_ended(false, time);
                state.heard(&Scope::Main, time);
                true
            }
            _ => state.heard(&Scope::Main, time),
        }
    }

    fn view(state: &ActivityState) -> Option<&ActivityState> {
        Some(state)
    }
}
