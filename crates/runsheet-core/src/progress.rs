//! Runtime progress: facts the runtime saw, never the model's word.

use serde::{Deserialize, Serialize};

use crate::log::{EventData, TypeSpec};

/// The event types of this domain.
pub const TYPES: &[TypeSpec] = &[
    TypeSpec::of::<SubagentStarted>(),
    TypeSpec::of::<SubagentEnded>(),
    TypeSpec::of::<AlertRaised>(),
    TypeSpec::of::<AlertCleared>(),
];

/// `subagent/started`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubagentStarted {
    /// The client's id of the sub-agent; its scope is `agent:<id>`.
    pub agent_id: String,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// Its own stream, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<uuid::Uuid>,
    /// The call that started it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

/// `subagent/ended`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubagentEnded {
    /// The client's id of the sub-agent.
    pub agent_id: String,
    /// Whether it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// `alert/raised`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AlertRaised {
    /// Names the alert until it is cleared.
    pub alert: String,
    /// What kind: `loop`, `stall`, `stale`.
    pub kind: String,
    /// What was seen, in a sentence.
    pub text: String,
}

/// `alert/cleared`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AlertCleared {
    /// The alert.
    pub alert: String,
}

impl EventData for SubagentStarted {
    const TYPE: &'static str = "subagent/started";
}

impl EventData for SubagentEnded {
    const TYPE: &'static str = "subagent/ended";
}

impl EventData for AlertRaised {
    const TYPE: &'static str = "alert/raised";
}

impl EventData for AlertCleared {
    const TYPE: &'static str = "alert/cleared";
}
