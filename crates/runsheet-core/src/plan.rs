//! The approval plan: the model proposes, a person decides. It never becomes a todo list by itself.

use serde::{Deserialize, Serialize};

use crate::log::{EventData, Placement, TypeSpec};

/// The event types of this domain.
pub const TYPES: &[TypeSpec] = &[
    TypeSpec::of::<ModeSet>(),
    TypeSpec::of::<PlanProposed>(),
    TypeSpec::of::<PlanDecided>(),
    TypeSpec::of::<PermissionAsked>(),
    TypeSpec::of::<PermissionDecided>(),
];

/// What the agent may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Read and propose.
    Plan,
    /// Change things.
    Act,
}

/// `mode/set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModeSet {
    /// The mode from now on.
    pub mode: Mode,
}

/// `plan/proposed`: the whole text of a proposal, authoritative even where it differs from what was streamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanProposed {
    /// Markdown.
    pub text: String,
}

/// What a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanDecision {
    /// Carry it out.
    Approved,
    /// Not like this.
    Rejected,
    /// Go on planning.
    KeepPlanning,
}

/// `plan/decided`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanDecided {
    /// The decision.
    pub decision: PlanDecision,
    /// Who decided.
    pub by: String,
    /// What they said to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// `permission/asked`: the agent waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionAsked {
    /// The question's id.
    pub request_id: String,
    /// The call it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// What is asked, in one line.
    pub question: String,
}

/// `permission/decided`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionDecided {
    /// The question's id.
    pub request_id: String,
    /// Whether it was allowed.
    pub allowed: bool,
    /// Who decided.
    pub by: String,
}

impl EventData for ModeSet {
    const TYPE: &'static str = "mode/set";
}

impl EventData for PlanProposed {
    const TYPE: &'static str = "plan/proposed";
    const PLACEMENT: Placement = Placement::InTurn;
}

impl EventData for PlanDecided {
    const TYPE: &'static str = "plan/decided";
}

impl EventData for PermissionAsked {
    const TYPE: &'static str = "permission/asked";
}

impl EventData for PermissionDecided {
    const TYPE: &'static str = "permission/decided";
}
