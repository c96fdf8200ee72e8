//! `catalogue`: one line about a session, for lists of sessions.

use serde::{Deserialize, Serialize};

use super::{title::TitleState, unit::Projection};
use crate::{
    log::{
        Agent, EndReason, EventData, Parent, Recorded, Scope, SessionCreated, Source, Time, TurnEnd, TurnStart, read,
    },
    todo::{Counts, ListLifetime, TodoWrite},
};

/// The projection `catalogue`.
#[derive(Debug)]
pub struct Catalogue;

/// The state of [`Catalogue`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    /// The agent.
    pub agent: Agent,
    /// Its working folder.
    pub cwd: Option<String>,
    /// The session it was forked from.
    pub parent: Option<Parent>,
    /// How it came to Runsheet.
    pub source: Option<Source>,
    /// What it is called.
    pub title: TitleState,
    /// When it was created.
    pub created: Time,
    /// When it was last written to.
    pub updated: Time,
    /// The number of the open turn.
    pub open_turn: Option<u64>,
    /// Whether a call opened it rather than a prompt.
    pub implicit: bool,
    /// Why the last turn ended.
    pub ended: Option<EndReason>,
    /// The last list of the main scope, if one was ever written: its counts.
    pub counts: Option<Counts>,
    /// What runs now, of that list; a list of an earlier turn runs nothing.
    pub running: Option<String>,
    /// How long that list stands.
    pub lifetime: Option<ListLifetime>,
}

/// What clients see of [`Catalogue`]: with the state in words, so that nobody else derives it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueView<'a> {
    /// The agent's name and version.
    pub agent: AgentView<'a>,
    /// Its working folder.
    pub cwd: Option<&'a str>,
    /// What the session is called.
    pub title: Option<&'a str>,
    /// What it is doing.
    pub state: SessionState,
    /// The counts of its last list.
    pub counts: Counts,
    /// What runs now, of that list.
    pub running: Option<&'a str>,
    /// When it was last written to.
    pub updated: Time,
    /// When it was created.
    pub created: Time,
    /// The number of the open turn.
    pub open_turn: Option<u64>,
    /// Why the last turn ended.
    pub ended: Option<EndReason>,
    /// How it came to Runsheet.
    pub source: Option<&'a Source>,
    /// The session it was forked from.
    pub parent: Option<Parent>,
}

/// An agent, as clients see it.
#[derive(Debug, Serialize)]
pub struct AgentView<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version.
    pub version: Option<&'a str>,
}

/// What a session is doing: one enum in every surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionState {
    /// A turn is open.
    Working,
    /// It asks a person for something.
    Waiting,
    /// A turn is open and nothing was heard for too long.
    Stalled,
    /// No turn is open, and items are.
    Paused,
    /// All items are closed.
    Done,
    /// Nothing is open and no list was written.
    Idle,
    /// Not enough facts.
    Unknown,
}

impl SessionState {
    /// The glyph that stands for it beside its word.
    #[must_use]
    pub const fn glyph(self) -> char {
        match self {
            Self::Working => '●',
            Self::Waiting => '◆',
            Self::Stalled => '▲',
            Self::Paused => '‖',
            Self::Done => '✓',
            Self::Idle => '·',
            Self::Unknown => '?',
        }
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Waiting => "waiting",
            Self::Stalled => "stalled",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Idle => "idle",
            Self::Unknown => "unknown",
        }
    }
}

impl CatalogueEntry {
    /// What the session is doing. `deserted` says that nobody serves it any more: a turn that a call opened has ended
    /// then, though nobody was left to write so.
    #[must_use]
    pub fn state(&self, deserted: bool) -> SessionState {
        let counts = self.counts.unwrap_or_default();
        match self.open_turn.filter(|_| !(deserted && self.implicit)) {
            Some(_) => SessionState::Working,
            None if counts.open() > 0 => SessionState::Paused,
            None if counts.total() > 0 => SessionState::Done,
            None => SessionState::Idle,
        }
    }
}

impl Projection for Catalogue {
    const KEY: &'static str = "catalogue";
    const VERSION: u32 = 1;
    const TYPES: &'static [&'static str] = &[];
    type State = CatalogueEntry;
    type View<'a> = CatalogueView<'a>;

    fn apply(state: &mut CatalogueEntry, event: &Recorded) -> bool {
        state.updated = event.time;
        state.title.apply(event);
        match &*event.ty {
            SessionCreated::TYPE => {
                if let Some(header) = read::<SessionCreated>(event) {
                    state.created = event.time;
                    state.agent = header.agent;
                    state.cwd = header.cwd;
                    state.parent = header.parent;
                    state.source = Some(header.source);
                }
            }
            TurnStart::TYPE => {
                if let Some(start) = read::<TurnStart>(event) {
                    state.open_turn = Some(start.turn);
                    state.implicit = start.implicit;
                    state.ended = None;
                    if state.lifetime == Some(ListLifetime::Turn) {
                        state.running = None;
                    }
                }
            }
            TurnEnd::TYPE => {
                state.open_turn = None;
                state.ended = read::<TurnEnd>(event).map(|end| end.reason);
            }
            TodoWrite::TYPE => {
                if let Some(write) = read::<TodoWrite>(event).filter(|write| write.scope == Scope::Main) {
                    state.counts = Some(write.todos.counts());
                    state.lifetime = Some(write.lifetime);
                    state.running = write.todos.running().map(|item| item.label().to_owned());
                }
            }
            _ => {}
        }
        true
    }

    fn view(state: &CatalogueEntry) -> Option<CatalogueView<'_>> {
        Some(CatalogueView {
            agent: AgentView { name: &state.agent.name, version: state.agent.version.as_deref() },
            cwd: state.cwd.as_deref(),
            title: state.title.title(),
            state: state.state(false),
            counts: state.counts.unwrap_or_default(),
            running: state.running.as_deref(),
            updated: state.updated,
            created: state.created,
            open_turn: state.open_turn,
            ended: state.ended,
            source: state.source.as_ref(),
            parent: state.parent,
        })
    }
}
