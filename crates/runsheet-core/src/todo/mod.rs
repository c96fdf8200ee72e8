//! The execution todo: the checklist of a turn's work, written whole by the model, edited by people.

mod event;
mod list;
mod projection;

pub use event::{Author, EvidenceWaived, ListLifetime, Policy, TYPES, TodoWrite};
pub use list::{Counts, Status, TodoItem, TodoList};
pub use projection::{AgentList, Changes, ItemTimes, MainList, Todos, TodosState, TodosView, WriteView};
