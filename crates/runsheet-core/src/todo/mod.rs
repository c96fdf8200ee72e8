//! The execution todo: the checklist of a turn's work, written whole by the model, edited by people.

mod event;
mod list;
mod projection;
mod told;

pub use event::{Author, EvidenceWaived, ListLifetime, Policy, TYPES, TodoWrite};
pub use list::{Counts, Status, TodoItem, TodoList};
pub use projection::{AgentList, Changes, EDIT, ItemTimes, MainList, Todos, TodosState, TodosView, WriteView};
pub use told::{notice, told};
