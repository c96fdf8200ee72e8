//! A person's edit of a session's list.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError, atomic::Ordering::Relaxed},
};

use runsheet_core::{
    dialect::ListBounds,
    log::{Recorded, Scope, ShapeFault, StreamId},
    projection::{Catalogue, Fold, Projection},
    todo::{Author, Policy, TodoItem, TodoList, TodoWrite, Todos},
};
use runsheet_store::{Decision, Tail};
use serde_json::value::RawValue;

use crate::{call::due, engine::Engine, error::EngineError};

/// The hosts that write a session themselves, as headers name them. A session of any other kind is read from elsewhere,
/// and what is written to it here would reach nobody.
const NATIVE: &[&str] = &["mcp", "http", "hook", "run", "fork"];

/// What became of an edit.
#[derive(Clone, Debug)]
pub enum Edited {
    /// It is durable, or there was nothing to change: the view of `todos` now.
    Written(Box<RawValue>),
    /// The list has moved on since the person saw it: the view of `todos` now.
    Conflict(Box<RawValue>),
}

/// An edit that cannot be made.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// An item is not what an item may be.
    #[error("todos[{index}].{field}: {fault}")]
    Item {
        /// Which item, from 0.
        index: usize,
        /// Which of its fields.
        field: &'static str,
        /// What is wrong with it.
        fault: String,
    },
    /// The list as a whole is not what a list may be.
    #[error("todos: {0}")]
    List(String),
    /// The session's agent has no todo tool: nobody would read the list.
    #[error("the agent of `{0}` has no todo tool")]
    NoTool(StreamId),
    /// The session is read from elsewhere, or written by a later version.
    #[error("`{stream}` is only read here: {why}")]
    ReadOnly {
        /// The session.
        stream: StreamId,
        /// Why.
        why: String,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Engine {
    /// Writes a person's list over the one at `revision`, as its author. It is decided under the store's lock: when
    /// anybody wrote meanwhile, nothing is written. It may stand between turns and opens none.
    ///
    /// # Errors
    /// When the list is over a bound, the session takes no edits, or the store fails.
    pub async fn edit_todos(&self, stream: &StreamId, revision: u64, todos: TodoList) -> Result<Edited, EditError> {
        let missing = || EditError::Engine(EngineError::NoSession(stream.to_string()));
        let (base, _) = match self.folded(stream).await {
            Ok(found) => found.ok_or_else(missing)?,
            Err(EngineError::Foreign { stream, source }) => return Err(later(stream, &source)),
            Err(error) => return Err(error.into()),
        };
        let entry = base.state::<Catalogue>();
        let kind = entry.source.as_ref().map(|source| source.kind.as_str()).unwrap_or_default();
        if !NATIVE.contains(&kind) {
            let why = format!("it came from elsewhere (`{}`)", kind.chars().take(40).collect::<String>());
            return Err(EditError::ReadOnly { stream: stream.clone(), why });
        }
        if !base.state::<Todos>().capable {
            return Err(EditError::NoTool(stream.clone()));
        }
        let tools = self.toolset(entry.cwd.as_deref());
        let todos = checked(todos, &tools.rules.bounds)?;
        let lifetime = base.state::<Todos>().main.as_ref().map_or(tools.dialect.lifetime(), |main| main.lifetime);
        let write = TodoWrite {
            scope: Scope::Main,
            todos,
            author: Author::Human,
            call_id: None,
            dialect: entry.agent.dialect.clone().unwrap_or_else(|| tools.dialect.name().to_owned()),
            lifetime,
            policy: Policy { allow_parallel_in_progress: tools.rules.parallel.allowed },
            explanation: None,
            late: false,
        };
        let (id, time) = (self.clock().id(), self.clock().now());
        let store = self.store().await.map_err(EditError::Engine)?;
        let live = self.live(stream).await?;
        let outcome = Arc::new(Mutex::new(Outcome::Conflict));
        let (decided, engine, after) = (Arc::clone(&outcome), self.clone(), base.seq());
        let decide = Box::new(move |tail: &dyn Tail| {
            let (outcome, decision) = decide(&engine, &base, tail.new_events(), revision, &write, (id, time));
            *decided.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
            decision
        });
        let done = store
            .transact(stream.clone(), after, decide)
            .await
            .map_err(EngineError::store("writing the person's list"))?;
        live.advance(done.before.iter().chain(&done.appended));
        let view = live.fold().view(Todos::KEY).ok_or_else(|| EditError::NoTool(stream.clone()))?;
        let outcome = std::mem::replace(&mut *outcome.lock().unwrap_or_else(PoisonError::into_inner), Outcome::Written);
        match outcome {
            Outcome::Written => {
                self.metrics().edits.fetch_add(1, Relaxed);
                Ok(Edited::Written(view))
            }
            Outcome::Conflict => {
                self.metrics().edit_conflicts.fetch_add(1, Relaxed);
                Ok(Edited::Conflict(view))
            }
            Outcome::Later(source) => Err(later(stream.clone(), &source)),
        }
    }
}

/// What came of a decision.
enum Outcome {
    Written,
    Conflict,
    Later(ShapeFault),
}

fn decide(
    engine: &Engine,
    base: &Fold,
    new: &[Recorded],
    revision: u64,
    write: &TodoWrite,
    (id, time): (runsheet_core::log::EventId, runsheet_core::log::Time),
) -> (Outcome, Decision) {
    let vocabulary = engine.vocabulary();
    let mut fold = Fold::clone(base);
    for event in new {
        if let Err(fault) = vocabulary.follows(&event.ty, event.v, event.ignorable, &event.by) {
            return (Outcome::Later(fault), Decision::default());
        }
        fold.apply(event);
    }
    let state = fold.state::<Todos>();
    if state.revision != revision {
        return (Outcome::Conflict, Decision::default());
    }
    let mut write = write.clone();
    let current = state.main.as_ref().map(|main| &main.todos);
    keep_spellings(&mut write.todos, current.unwrap_or(&TodoList::default()));
    // What stands there already is not written again: a doubled request changes nothing.
    if state.standing() == Some(&write.todos) {
        return (Outcome::Written, Decision::default());
    }
    let batch = vec![vocabulary.event(id, time, &write)];
    let cache = due(&fold, &batch);
    (Outcome::Written, Decision { batch, cache })
}

fn later(stream: StreamId, source: &ShapeFault) -> EditError {
    EditError::ReadOnly { stream, why: source.to_string() }
}

/// A person's list under our bounds: no blank items, none twice, none too long. Space around a text goes.
fn checked(mut todos: TodoList, bounds: &ListBounds) -> Result<TodoList, EditError> {
    let (count, max) = (todos.len(), bounds.max_items);
    if count > max {
        return Err(EditError::List(format!("{count} items, at most {max} (todo.max_items)")));
    }
    let mut bytes = 0_usize;
    for (index, item) in todos.0.iter_mut().enumerate() {
        let fault = |field, fault: String| EditError::Item { index, field, fault };
        tidy(item);
        if item.content.is_empty() {
            return Err(fault("content", "must not be blank".into()));
        }
        let (len, max) = (item.text_bytes(), bounds.max_item_bytes);
        if len > max {
            return Err(fault("content", format!("the item is {len} bytes, at most {max} (todo.max_item_bytes)")));
        }
        bytes += len;
    }
    let max = bounds.max_list_bytes;
    if bytes > max {
        return Err(EditError::List(format!("{bytes} bytes of text, at most {max} (todo.max_list_bytes)")));
    }
    let mut seen = HashSet::with_capacity(count);
    for (index, item) in todos.iter().enumerate() {
        let (field, key) = item.id.as_deref().map_or(("content", item.content.as_str()), |id| ("id", id));
        if !seen.insert((field, key)) {
            return Err(EditError::Item { index, field, fault: "is there twice".into() });
        }
    }
    Ok(todos)
}

fn tidy(item: &mut TodoItem) {
    item.content = trimmed(&item.content);
    for text in [&mut item.id, &mut item.active_form, &mut item.priority] {
        *text = text.as_deref().map(trimmed).filter(|text| !text.is_empty());
    }
}

/// An item whose status a person left alone keeps the writer's spelling of it; a status that a person set is one of ours.
/// An item that was reworded has another key where it has no id, so what the edit says counts where the list had it too.
fn keep_spellings(todos: &mut TodoList, current: &TodoList) {
    let spelt: HashMap<_, _> = current.keys().into_iter().zip(current.iter()).collect();
    let keys = todos.keys();
    for (item, key) in todos.0.iter_mut().zip(keys) {
        let same = spelt.get(&key).filter(|was| was.status == item.status);
        let said =
            |raw: &String| current.iter().any(|was| was.status == item.status && was.raw_status.as_ref() == Some(raw));
        item.raw_status = match same {
            Some(was) => was.raw_status.clone(),
            None => item.raw_status.take().filter(said),
        };
    }
}

/// U+FEFF is no white space to Rust, and nothing to see to a person.
fn trimmed(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()
}
