//! `todos`: the list as it stands, how it got there, and the lists of sub-agents.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{
    event::{Author, ListLifetime, TodoWrite},
    list::{Counts, Status, TodoList},
};
use crate::{
    log::{EventData, NoteModel, Recorded, Scope, Seq, SessionCreated, Time, TurnStart, read},
    projection::Projection,
};

/// How many lists of sub-agents are kept, newest first.
const MAX_AGENTS: usize = 64;

/// The discipline that tells the model of a person's edit, in `note/model`.
pub const EDIT: &str = "edit";

/// The projection `todos`.
#[derive(Debug)]
pub struct Todos;

/// The state of [`Todos`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodosState {
    /// Whether the agent has a todo tool, as its header says or a write shows.
    pub capable: bool,
    /// The number of the latest turn.
    pub turn: u64,
    /// How many lists the main scope wrote.
    pub revision: u64,
    /// The main scope's last list.
    pub main: Option<MainList>,
    /// After a person's edit: the list the model knows, until it is told of the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untold: Option<TodoList>,
    /// The last list of each sub-agent, newest first.
    pub agents: Vec<AgentList>,
}

/// The main scope's last list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MainList {
    /// The event that wrote it.
    pub seq: Seq,
    /// When.
    pub time: Time,
    /// Who.
    pub author: Author,
    /// The turn it counts in.
    pub turn: u64,
    /// How long it stands.
    pub lifetime: ListLifetime,
    /// Whether it still stands.
    pub standing: bool,
    /// The list.
    pub todos: TodoList,
    /// When each item ran, in the list's order.
    pub times: Vec<ItemTimes>,
    /// What the write changed, against the list before.
    pub changes: Changes,
}

/// When an item ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemTimes {
    /// When it last began to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Time>,
    /// When it was closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Time>,
}

/// What a write changed, as the contents of items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// New items.
    pub added: Vec<String>,
    /// Items that are gone.
    pub removed: Vec<String>,
    /// Of these, how many were open.
    pub removed_open: usize,
    /// Items done now and not before.
    pub completed: Vec<String>,
    /// Items that were closed and are open again.
    pub reopened: Vec<String>,
    /// Items whose id stayed and whose content did not, as they read now.
    pub reworded: Vec<String>,
}

/// A sub-agent's last list, as counts: it stands under its agent and never touches the main list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentList {
    /// Whose.
    pub scope: Scope,
    /// The event that wrote it: the list itself is read from there.
    pub seq: Seq,
    /// When.
    pub time: Time,
    /// How many items stand where.
    pub counts: Counts,
    /// What runs.
    pub running: Option<String>,
}

/// What clients see of [`Todos`].
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TodosView<'a> {
    /// The standing list; `null` when none stands, which is not an empty one.
    pub standing: Option<&'a TodoList>,
    /// The last list, where a later turn began and it no longer stands.
    pub carried: Option<&'a TodoList>,
    /// Of the list above.
    pub counts: Counts,
    /// How many lists were written.
    pub revision: u64,
    /// After a person's edit the model has not been told of: the list as the model knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untold: Option<&'a TodoList>,
    /// The list's write: where, when, by whom, in which turn, what it changed, and when each item ran.
    #[serde(flatten)]
    pub write: Option<WriteView<'a>>,
    /// The lists of sub-agents.
    pub agents: &'a [AgentList],
}

/// What clients see of the last write.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteView<'a> {
    /// The event.
    pub seq: Seq,
    /// When.
    pub time: Time,
    /// Who.
    pub author: Author,
    /// The turn it counts in.
    pub turn: u64,
    /// When each item ran.
    pub times: &'a [ItemTimes],
    /// What it changed.
    pub changes: &'a Changes,
}

impl TodosState {
    /// The list that stands.
    #[must_use]
    pub fn standing(&self) -> Option<&TodoList> {
        self.main.as_ref().filter(|main| main.standing).map(|main| &main.todos)
    }

    /// The last list, where it no longer stands.
    #[must_use]
    pub fn carried(&self) -> Option<&TodoList> {
        self.main.as_ref().filter(|main| !main.standing).map(|main| &main.todos)
    }

    fn start(&mut self, turn: u64) -> bool {
        self.turn = turn;
        let Some(main) = self.main.as_mut().filter(|main| main.standing) else { return false };
        let open = main.todos.counts().open() > 0;
        main.standing = main.lifetime == ListLifetime::Session && open;
        if !main.standing && !open {
            // What a person changed about work that is over is no news any more.
            self.untold = None;
        }
        !main.standing
    }

    /// The model was told of a person's edit.
    fn told(&mut self, note: &NoteModel) -> bool {
        let tells = note.discipline == EDIT && note.told_revision.is_some_and(|told| told >= self.revision);
        tells && self.untold.take().is_some()
    }

    fn write(&mut self, event: &Recorded, write: TodoWrite) {
        self.capable = true;
        let (seq, time) = (event.seq, event.time);
        if let scope @ Scope::Agent(_) = write.scope {
            let running = write.todos.running().map(|item| item.label().to_owned());
            self.agents.retain(|list| list.scope != scope);
            self.agents.insert(0, AgentList { scope, seq, time, counts: write.todos.counts(), running });
            self.agents.truncate(MAX_AGENTS);
            return;
        }
        self.revision += 1;
        let before = self.main.take();
        self.untold = match write.author {
            Author::Human => {
                let seen = before.as_ref().filter(|main| main.standing).map(|main| main.todos.clone());
                let known = self.untold.take().or(seen).unwrap_or_default();
                Some(known).filter(|known| *known != write.todos)
            }
            _ => None,
        };
        let times = times(before.as_ref(), &write.todos, time);
        let changes = changes(before.as_ref().map(|main| &main.todos), &write.todos);
        let TodoWrite { author, todos, lifetime, .. } = write;
        self.main =
            Some(MainList { seq, time, author, turn: self.turn, lifetime, standing: true, todos, times, changes });
    }
}

/// When each item of a list ran, from the list before: an item keeps its times while its status does not change.
fn times(before: Option<&MainList>, now: &TodoList, time: Time) -> Vec<ItemTimes> {
    let known: HashMap<String, (Status, ItemTimes)> = before
        .map(|main| {
            let items = main.todos.iter().map(|item| item.status).zip(main.times.iter().copied());
            main.todos.keys().into_iter().zip(items).collect()
        })
        .unwrap_or_default();
    let items = now.keys().into_iter().zip(now);
    items
        .map(|(key, item)| {
            let (was, times) = known.get(&key).copied().unwrap_or((Status::Pending, ItemTimes::default()));
            match item.status {
                status if status == was => times,
                Status::InProgress => ItemTimes { started: Some(time), ended: None },
                Status::Completed | Status::Cancelled => ItemTimes { ended: Some(time), ..times },
                Status::Pending => ItemTimes { ended: None, ..times },
            }
        })
        .collect()
}

fn changes(before: Option<&TodoList>, now: &TodoList) -> Changes {
    let mut changes = Changes::default();
    let mut known: HashMap<String, (usize, &super::TodoItem)> =
        before.map(|list| list.keys().into_iter().zip(list.iter().enumerate()).collect()).unwrap_or_default();
    for (key, item) in now.keys().into_iter().zip(now) {
        let content = || item.content.clone();
        let Some((_, was)) = known.remove(&key) else {
            changes.added.push(content());
            if item.status == Status::Completed {
                changes.completed.push(content());
            }
            continue;
        };
        if was.content != item.content {
            changes.reworded.push(content());
        }
        if item.status == Status::Completed && was.status != Status::Completed {
            changes.completed.push(content());
        }
        if item.status.is_open() && !was.status.is_open() {
            changes.reopened.push(content());
        }
    }
    let mut gone: Vec<_> = known.into_values().collect();
    gone.sort_unstable_by_key(|(at, _)| *at);
    changes.removed_open = gone.iter().filter(|(_, item)| item.status.is_open()).count();
    changes.removed = gone.into_iter().map(|(_, item)| item.content.clone()).collect();
    changes
}

impl Projection for Todos {
    const KEY: &'static str = "todos";
    const VERSION: u32 = 2;
    const TYPES: &'static [&'static str] = &[SessionCreated::TYPE, TurnStart::TYPE, TodoWrite::TYPE, NoteModel::TYPE];
    type State = TodosState;
    type View<'a> = TodosView<'a>;

    fn apply(state: &mut TodosState, event: &Recorded) -> bool {
        match &*event.ty {
            SessionCreated::TYPE => {
                state.capable = read::<SessionCreated>(event).is_some_and(|header| header.agent.dialect.is_some());
                state.capable
            }
            TurnStart::TYPE => read::<TurnStart>(event).is_some_and(|start| state.start(start.turn)),
            NoteModel::TYPE => read::<NoteModel>(event).is_some_and(|note| state.told(&note)),
            TodoWrite::TYPE => read::<TodoWrite>(event).map(|write| state.write(event, write)).is_some(),
            _ => false,
        }
    }

    fn view(state: &TodosState) -> Option<TodosView<'_>> {
        let TodosState { capable: true, revision, main, untold, agents, .. } = state else { return None };
        Some(TodosView {
            standing: state.standing(),
            carried: state.carried(),
            counts: main.as_ref().map(|main| main.todos.counts()).unwrap_or_default(),
            revision: *revision,
            untold: untold.as_ref(),
            write: main.as_ref().map(|main| WriteView {
                seq: main.seq,
                time: main.time,
                author: main.author,
                turn: main.turn,
                times: &main.times,
                changes: &main.changes,
            }),
            agents,
        })
    }
}
