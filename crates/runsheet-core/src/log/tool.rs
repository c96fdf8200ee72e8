//! Calls of tools, their progress and their results.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use super::{
    message::ContentBlock,
    vocabulary::{EventData, Placement},
};

/// Whose call or list it is: the session's own agent, or one of its sub-agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The session's own agent.
    #[default]
    Main,
    /// A sub-agent, by the client's id for it.
    Agent(String),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main => f.write_str("main"),
            Self::Agent(id) => write!(f, "agent:{id}"),
        }
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("agent:") {
            Some(id) if !id.is_empty() => Ok(Self::Agent(id.into())),
            None if text == "main" => Ok(Self::Main),
            _ => Err(format!("`{text}` is no scope: expected `main` or `agent:<id>`")),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// `tool/call`: the model calls a tool. In an owned session it is durable before the tool runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    /// The client's id of the call.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them, clipped when over the bound (see [`clip`](ToolCall::clip)).
    pub arguments: String,
    /// Whose call.
    #[serde(default, skip_serializing_if = "is_main")]
    pub scope: Scope,
    /// Whether it was reported after its turn had ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

impl ToolCall {
    /// The most bytes of arguments an event keeps.
    pub const MAX_ARGUMENTS: usize = 128 * 1024;

    /// Arguments bounded to what an event keeps: the head and the tail of what was longer, with its size between.
    #[must_use]
    pub fn clip(arguments: &str) -> Cow<'_, str> {
        if arguments.len() <= Self::MAX_ARGUMENTS {
            return Cow::Borrowed(arguments);
        }
        let head = arguments.floor_char_boundary(2048);
        let tail = arguments.ceil_char_boundary(arguments.len() - 1024);
        Cow::Owned(format!("{} … {} bytes … {}", &arguments[..head], arguments.len(), &arguments[tail..]))
    }
}

/// `tool/progress`: a sign of life of a running call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolProgress {
    /// The running call.
    pub call_id: String,
    /// One line about it.
    pub text: String,
}

/// `tool/result`: what the call gave back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolResult {
    /// The call.
    pub call_id: String,
    /// What the model is told.
    pub content: Vec<ContentBlock>,
    /// Whether it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// What the runtime saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<ToolFacts>,
    /// Whose call.
    #[serde(default, skip_serializing_if = "is_main")]
    pub scope: Scope,
    /// Whether it was reported after its turn had ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// Whether its call was never reported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unpaired: bool,
}

/// What the runtime saw of a call: facts, never file contents or whole outputs. An open set of short named values
/// (`exitCode`, `command`, `file`, `code` of an error), so that a new kind of fact needs no new version.
pub type ToolFacts = Map<String, Value>;

fn is_main(scope: &Scope) -> bool {
    *scope == Scope::Main
}

impl EventData for ToolCall {
    const TYPE: &'static str = "tool/call";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        if self.call_id.is_empty() { Err("`callId` is empty".into()) } else { Ok(()) }
    }
}

impl EventData for ToolProgress {
    const TYPE: &'static str = "tool/progress";
    const IGNORABLE: bool = true;
    const PLACEMENT: Placement = Placement::InTurn;
}

impl EventData for ToolResult {
    const TYPE: &'static str = "tool/result";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        if self.call_id.is_empty() { Err("`callId` is empty".into()) } else { Ok(()) }
    }
}
