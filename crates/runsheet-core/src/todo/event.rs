//! The events of the todo domain.

use serde::{Deserialize, Serialize};

use super::list::TodoList;
use crate::log::{EventData, Placement, Scope, TypeSpec};

/// The event types of this domain.
pub const TYPES: &[TypeSpec] = &[TypeSpec::of::<TodoWrite>(), TypeSpec::of::<EvidenceWaived>()];

/// `todo/write`: the whole list of a scope, from now on. It adds no message and costs the model nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TodoWrite {
    /// Whose list.
    pub scope: Scope,
    /// The whole list.
    pub todos: TodoList,
    /// Who wrote it.
    pub author: Author,
    /// The call that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The dialect it was written in.
    pub dialect: String,
    /// How long it stands.
    pub lifetime: ListLifetime,
    /// The policy it was accepted under.
    pub policy: Policy,
    /// What the model said about the change, where its dialect lets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Whether it was reported after its turn had ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

/// Who wrote a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// The model, through its tool.
    Model,
    /// A person.
    Human,
    /// Carry-over after a compaction.
    Carry,
    /// Restored from history.
    Restore,
    /// Imported from elsewhere.
    Import,
}

/// How long a list stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListLifetime {
    /// Until the next turn starts.
    Turn,
    /// Past it, while an item is open.
    Session,
}

/// The policy a list was accepted under. The log never enforces it, so old lists replay under a stricter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Policy {
    /// Whether several items may be in progress at once.
    pub allow_parallel_in_progress: bool,
}

/// `evidence/waived`: a person accepts an item as done without evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EvidenceWaived {
    /// Whose list.
    pub scope: Scope,
    /// The item's key.
    pub item: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl EventData for TodoWrite {
    const TYPE: &'static str = "todo/write";
    const PLACEMENT: Placement = Placement::InTurn;

    /// Only the model writes inside turns; a person or a restore may write between them.
    fn stands_alone(&self) -> bool {
        self.author != Author::Model
    }
}

impl EventData for EvidenceWaived {
    const TYPE: &'static str = "evidence/waived";
}
