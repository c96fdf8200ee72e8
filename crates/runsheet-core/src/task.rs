//! Durable tasks: work that outlives a session, with an owner and blockers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::log::{EventData, FORMAT, Placement, Time, TypeSpec};

/// The event types of this domain.
pub const TYPES: &[TypeSpec] = &[TypeSpec::of::<TasksCreated>(), TypeSpec::of::<TaskWrite>()];

/// `tasks/created`: the header of a task list's stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TasksCreated {
    /// The version of the stream format.
    pub format: u32,
    /// The list's name.
    pub name: String,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Nobody works on it.
    Pending,
    /// Its owner works on it.
    InProgress,
    /// Done.
    Completed,
    /// Its owner gave up.
    Failed,
    /// Taken off the list; its id is never used again.
    Deleted,
}

/// One task, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Task {
    /// Unique in its list, never reused.
    pub id: u64,
    /// One line.
    pub subject: String,
    /// What is to be done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What to show while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_form: Option<String>,
    /// How far it is.
    pub status: TaskStatus,
    /// Who works on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The tasks that wait for this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<u64>,
    /// The tasks this one waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<u64>,
    /// The writer's own data.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// How long its owner has it for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was claimed.
    #[serde(default)]
    pub attempts: u64,
}

/// A claim that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lease {
    /// When it ends unless it is renewed.
    pub until: Time,
}

/// What happened to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each says what it is")]
pub enum TaskChange {
    Created,
    Updated,
    Claimed,
    Released,
    Completed,
    Failed,
    Retried,
    Reopened,
    Deleted,
    Expired,
}

/// `task/write`: a task as it is from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TaskWrite {
    /// The whole task.
    pub task: Task,
    /// What happened to it.
    pub change: TaskChange,
    /// Who did it.
    pub by: String,
    /// Whether another program keeps the task and this is what was seen of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub observed: bool,
}

impl EventData for TasksCreated {
    const TYPE: &'static str = "tasks/created";
    const PLACEMENT: Placement = Placement::Header;

    fn check(&self) -> Result<(), String> {
        if self.format == 0 || self.format > FORMAT {
            return Err(format!("format {} is not one of 1 to {FORMAT}", self.format));
        }
        Ok(())
    }
}

impl EventData for TaskWrite {
    const TYPE: &'static str = "task/write";

    fn check(&self) -> Result<(), String> {
        if self.task.subject.trim().is_empty() { Err("`task.subject` is blank".into()) } else { Ok(()) }
    }
}
