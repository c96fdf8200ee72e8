//! Dialects: the todo tools one agent family was trained on.
//!
//! A dialect is data: the names and schemas of its tools, how their arguments become a [`TodoList`], what the model is
//! answered, and how long a list stands. A call goes through it in two steps, so that nothing but what needs the current
//! list runs under the writer's lock: [`Dialect::parse`] looks at the arguments alone, [`Dialect::resolve`] at the
//! current list too.

use serde_json::value::RawValue;

use crate::todo::{ListLifetime, TodoList};

mod clip;
mod dsh;
mod json;
mod shape;
mod trim;
mod walk;

pub use dsh::Dsh;

/// The dialect of an agent that asks for none.
pub const DEFAULT: &str = "dsh";

/// Every dialect, the default first.
#[must_use]
pub fn dialects() -> &'static [&'static dyn Dialect] {
    &[&Dsh]
}

/// The dialect of a name.
#[must_use]
pub fn dialect(name: &str) -> Option<&'static dyn Dialect> {
    dialects().iter().copied().find(|dialect| dialect.name() == name)
}

/// One agent family's todo tools.
pub trait Dialect: Send + Sync {
    /// The dialect's name, as the config and the log spell it.
    fn name(&self) -> &'static str;

    /// How long a list written in it stands.
    fn lifetime(&self) -> ListLifetime;

    /// Whether several items may be in progress under a setting of `todo.allow_parallel_in_progress`; `None` is unset.
    fn parallel(&self, setting: Option<bool>) -> Parallel;

    /// The tools as offered to the model under a policy. Byte-stable: the same rules give the same bytes.
    fn tools(&self, rules: &Rules) -> Vec<ToolSpec>;

    /// Reads the arguments of a call, as the model wrote them: JSON text, or whatever came in its place.
    ///
    /// # Errors
    /// The answer the model gets instead.
    fn parse(&self, tool: &str, arguments: &str, rules: &Rules) -> Result<Parsed, Refusal>;

    /// Makes the whole list out of a call and the list as it stands.
    ///
    /// # Errors
    /// The answer the model gets instead.
    fn resolve(&self, parsed: &Parsed, current: Option<&TodoList>, rules: &Rules) -> Result<Resolved, Refusal>;

    /// The refusal of a call that no session owns.
    fn no_owner(&self, tool: &str) -> Refusal;
}

/// What a dialect says and does about items in progress at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// What the description tells the model.
    pub allowed: bool,
    /// Whether a list that breaks it is refused.
    pub enforced: bool,
}

/// What lists are held to at the moment of writing. The log's own invariants never depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// About items in progress at once.
    pub parallel: Parallel,
    /// How big a list may be.
    pub bounds: ListBounds,
}

/// How big a list may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListBounds {
    /// Items in a list (`todo.max_items`).
    pub max_items: usize,
    /// Bytes of text in an item (`todo.max_item_bytes`).
    pub max_item_bytes: usize,
    /// Bytes of text in a list (`todo.max_list_bytes`).
    pub max_list_bytes: usize,
    /// Levels of nesting in the arguments; a plain list has three (`todo.max_depth`).
    pub max_depth: usize,
}

impl Default for ListBounds {
    fn default() -> Self {
        Self { max_items: 1_000, max_item_bytes: 16 * 1024, max_list_bytes: 64 * 1024, max_depth: 16 }
    }
}

/// A tool as the model is offered it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// A few words for people.
    pub title: &'static str,
    /// What the model is told about it.
    pub description: String,
    /// The JSON schema of its arguments, byte-stable.
    pub schema: Box<RawValue>,
    /// Whether a call only reads.
    pub read_only: bool,
}

/// A call whose arguments are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed {
    /// Replaces the list.
    Replace {
        /// The list.
        todos: TodoList,
        /// What the model said about the change.
        explanation: Option<String>,
    },
}

/// A call resolved to a whole list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The list to write.
    pub todos: TodoList,
    /// What the model said about the change.
    pub explanation: Option<String>,
    /// What the model is answered.
    pub text: String,
}

/// A call that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the model is answered, exactly as its dialect says it.
    pub text: String,
    /// A short code for programs, such as `INVALID_ARGS`.
    pub code: &'static str,
}

impl Refusal {
    /// The arguments do not have the shape of the tool's schema.
    pub const INVALID_ARGS: &'static str = "INVALID_ARGS";
    /// The arguments have the right shape, the list in them breaks a rule of the dialect.
    pub const INVALID_TODOS: &'static str = "INVALID_TODOS";
    /// The arguments or the list are over a bound of the config.
    pub const TOO_BIG: &'static str = "TOO_BIG";
    /// No session owns the call.
    pub const NO_OWNER: &'static str = "NO_OWNER";
    /// The dialect has no such tool.
    pub const UNKNOWN_TOOL: &'static str = "UNKNOWN_TOOL";
}
