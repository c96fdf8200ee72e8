//! The session that is looked at.

use runsheet_core::{
    log::{Recorded, Seq},
    projection::{Catalogue, CatalogueEntry, Fold},
    todo::{AgentList, ItemTimes, MainList, TodoList, TodoWrite, Todos, TodosState},
};
use uuid::Uuid;

use super::timeline::{Part, Timeline, Want};

/// A session, opened.
#[derive(Debug)]
pub struct Open {
    /// The session.
    pub session: Uuid,
    /// Core's projections of it, folded on from its events.
    fold: Option<Fold>,
    /// The last event heard of.
    heard: Option<Seq>,
    /// The part of its history that is held.
    pub timeline: Timeline,
    /// The selected item of the plan.
    pub item: usize,
    /// An earlier write that is looked at instead of the list as it is.
    pub earlier: Option<Earlier>,
    /// Whether the projections were asked for again.
    asked: bool,
    /// Why it cannot be shown.
    pub trouble: Option<String>,
}

/// A list as an earlier write left it.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// The event that wrote it.
    pub event: Recorded,
    /// The list.
    pub todos: TodoList,
}

impl Earlier {
    /// The list an event wrote.
    #[must_use]
    pub fn of(event: Recorded) -> Option<Self> {
        let todos = runsheet_core::log::read::<TodoWrite>(&event)?.todos;
        Some(Self { event, todos })
    }
}

/// What there is to say about a session's list: different answers to different facts.
#[derive(Clone, Copy, Debug)]
pub enum Plan<'a> {
    /// Nothing was read yet.
    Loading,
    /// The agent has no todo tool.
    NoTool,
    /// No list was ever written.
    Never,
    /// The last list was of an earlier turn.
    Gone(&'a MainList),
    /// The list that stands.
    Standing(&'a MainList),
    /// The list as an earlier write left it.
    Earlier(&'a Earlier),
}

impl Plan<'_> {
    /// The list, where one is shown.
    #[must_use]
    pub const fn todos(&self) -> Option<&TodoList> {
        match self {
            Self::Standing(main) | Self::Gone(main) => Some(&main.todos),
            Self::Earlier(earlier) => Some(&earlier.todos),
            Self::Loading | Self::NoTool | Self::Never => None,
        }
    }

    /// When each item ran, where that is known.
    #[must_use]
    pub fn times(&self) -> &[ItemTimes] {
        match self {
            Self::Standing(main) | Self::Gone(main) => &main.times,
            _ => &[],
        }
    }
}

impl Open {
    /// A session that is being read.
    #[must_use]
    pub fn new(session: Uuid) -> Self {
        let timeline = Timeline::default();
        Self { session, fold: None, heard: None, timeline, item: 0, earlier: None, asked: false, trouble: None }
    }

    /// Takes the projections, unless those here are further along.
    pub fn folded(&mut self, fold: Fold) {
        self.trouble = None;
        self.asked = false;
        if self.fold.as_ref().is_none_or(|known| known.seq() <= fold.seq()) {
            self.fold = Some(fold);
        }
    }

    /// Takes an event as it happens.
    pub fn happened(&mut self, event: &Recorded) {
        self.heard = self.heard.max(Some(event.seq));
        if let Some(fold) = &mut self.fold {
            fold.apply(event);
        }
        self.timeline.happened(event);
    }

    /// Takes a part of the history.
    pub fn take(&mut self, want: Want, part: &Part) {
        if let Some(fold) = &mut self.fold {
            for event in &part.events {
                fold.apply(event);
            }
        }
        self.timeline.take(want, part);
    }

    /// Whether the projections are to be asked for, because events were heard of that they do not hold. It says so once.
    pub fn wants_fold(&mut self) -> bool {
        let behind = self.fold.as_ref().is_some_and(|fold| fold.seq() < self.heard);
        behind && !std::mem::replace(&mut self.asked, true)
    }

    /// Whether events were heard of that the history does not hold though it follows its end.
    #[must_use]
    pub fn timeline_is_behind(&self) -> bool {
        self.timeline.ends().1 && self.timeline.last() < self.heard
    }

    /// The state of core's `todos`.
    #[must_use]
    pub fn todos(&self) -> Option<&TodosState> {
        self.fold.as_ref().map(Fold::state::<Todos>)
    }

    /// One line about it.
    #[must_use]
    pub fn catalogue(&self) -> Option<&CatalogueEntry> {
        self.fold.as_ref().map(Fold::state::<Catalogue>)
    }

    /// What there is to say about its list.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        if let Some(earlier) = &self.earlier {
            return Plan::Earlier(earlier);
        }
        match self.todos() {
            None => Plan::Loading,
            Some(TodosState { capable: false, .. }) => Plan::NoTool,
            Some(TodosState { main: None, .. }) => Plan::Never,
            Some(TodosState { main: Some(main), .. }) if main.standing => Plan::Standing(main),
            Some(TodosState { main: Some(main), .. }) => Plan::Gone(main),
        }
    }

    /// The lists of sub-agents that belong to what is shown: not to the past, and not to a turn that is over.
    pub fn agents(&self) -> impl Iterator<Item = &AgentList> {
        let (plan, main) = (self.plan(), self.todos().and_then(|todos| todos.main.as_ref()));
        let none = matches!(plan, Plan::Earlier(_) | Plan::Gone(_));
        let agents = self.todos().filter(|_| !none).map(|todos| &*todos.agents).unwrap_or_default();
        agents.iter().filter(move |list| list.counts.open() > 0 || main.is_none_or(|main| list.seq > main.seq))
    }
}
