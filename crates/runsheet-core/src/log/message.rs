//! What the model is told and what it says.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    event::Seq,
    vocabulary::{EventData, Placement},
};

/// One block of content in a message or result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ContentBlock {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
}

impl ContentBlock {
    /// A block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// `user/message`: a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserMessage {
    /// What was said.
    pub content: Vec<ContentBlock>,
}

/// One block of an assistant message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Block {
    /// Text for people.
    Text {
        /// The text.
        text: String,
    },
    /// The model's reasoning, with what its provider needs to accept it again.
    Reasoning {
        /// The text, as far as the provider shows it.
        text: String,
        /// The provider's signature or sealed form.
        #[serde(skip_serializing_if = "Option::is_none")]
        sealed: Option<String>,
    },
    /// A call of a tool.
    ToolCall {
        /// The provider's id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// The arguments, as the model wrote them.
        arguments: String,
    },
}

/// `assistant/message`: one answer of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssistantMessage {
    /// The blocks, in the model's order.
    pub content: Vec<Block>,
    /// The model that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Whether the stream broke off and this is what had come.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// Tokens of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Usage {
    /// Tokens in.
    pub input_tokens: u64,
    /// Of these, read from the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// Tokens out.
    pub output_tokens: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// `note/model`: a discipline speaks to the model. No surface for people shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteModel {
    /// Which discipline.
    pub discipline: String,
    /// What it says.
    pub text: String,
    /// For `edit`: the revision of the list the model was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_revision: Option<Seq>,
}

/// `request/header`: what stands before the messages of a request, so that each request can be rebuilt from the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestHeader {
    /// The model asked.
    pub model: String,
    /// The system prompt.
    pub system: String,
    /// The tools offered, as their schemas went out.
    pub tools: Vec<Value>,
}

impl EventData for UserMessage {
    const TYPE: &'static str = "user/message";
}

impl EventData for AssistantMessage {
    const TYPE: &'static str = "assistant/message";
    const PLACEMENT: Placement = Placement::InTurn;
}

impl EventData for NoteModel {
    const TYPE: &'static str = "note/model";
}

impl EventData for RequestHeader {
    const TYPE: &'static str = "request/header";
    const PLACEMENT: Placement = Placement::InTurn;
}
