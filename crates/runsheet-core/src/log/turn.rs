//! Turns and steps.

use serde::{Deserialize, Serialize};

use super::{
    event::MAX_NUMBER,
    vocabulary::{EventData, Placement},
};

/// `turn/start`: the agent begins to work on a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnStart {
    /// The turn's number in its session, from 1.
    pub turn: u64,
    /// The client's own key of the turn (Claude's `prompt_id`, Codex' `turn_id`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether a call opened it rather than a prompt: nobody will report its end, so whoever served the call does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub implicit: bool,
}

/// `turn/bound`: the key of a turn that was opened without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnBound {
    /// The open turn's number.
    pub turn: u64,
    /// Its key.
    pub key: String,
}

/// `turn/end`: the agent stopped working on the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnEnd {
    /// The open turn's number.
    pub turn: u64,
    /// Why it ended.
    pub reason: EndReason,
}

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The agent said it is done.
    Completed,
    /// A person or the host cancelled it.
    Aborted,
    /// A hook or policy refused the prompt.
    Blocked,
    /// It failed.
    Error,
    /// The model's output limit.
    MaxTokens,
    /// The next turn began before this one was reported ended.
    Superseded,
    /// The last process that served the session left.
    Disconnected,
    /// Repair closed what a crash had left open.
    Interrupted,
}

/// `step/start`: one model request and the calls it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepStart {
    /// The open turn's number.
    pub turn: u64,
    /// The step's number in its turn, from 1.
    pub step: u64,
}

/// `step/end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepEnd {
    /// The open turn's number.
    pub turn: u64,
    /// The open step's number.
    pub step: u64,
}

impl EventData for TurnStart {
    const TYPE: &'static str = "turn/start";

    fn check(&self) -> Result<(), String> {
        numbered("turn", self.turn)
    }
}

impl EventData for TurnBound {
    const TYPE: &'static str = "turn/bound";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        numbered("turn", self.turn)
    }
}

impl EventData for TurnEnd {
    const TYPE: &'static str = "turn/end";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        numbered("turn", self.turn)
    }
}

impl EventData for StepStart {
    const TYPE: &'static str = "step/start";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        numbered("turn", self.turn)?;
        numbered("step", self.step)
    }
}

impl EventData for StepEnd {
    const TYPE: &'static str = "step/end";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        numbered("turn", self.turn)?;
        numbered("step", self.step)
    }
}

fn numbered(what: &str, number: u64) -> Result<(), String> {
    match number {
        0 => Err(format!("`{what}` counts from 1")),
        1..=MAX_NUMBER => Ok(()),
        _ => Err(format!("`{what}` is more than {MAX_NUMBER}")),
    }
}
