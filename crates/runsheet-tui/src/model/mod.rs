//! What is shown, without a terminal, a clock or a store: everything comes in as an [`Event`], and what is wanted of the
//! world goes out as an [`Effect`].

mod entry;
mod event;
mod keys;
mod mouse;
mod open;
mod reader;
mod sessions;
mod timeline;
mod title;

pub use entry::{Changed, Entry, Kind, Outcome, Wrote};
pub use event::{Effect, Event};
pub use open::{Earlier, Open, Plan};
pub use reader::Reader;
use runsheet_core::{log::Time, projection::SessionState};
pub use sessions::{Line, MAX_SESSIONS, Row, Sessions, project_name};
pub use timeline::{MAX_ENTRIES, Part, Timeline, Want, is_main_list};
use uuid::Uuid;

use crate::look::Look;

/// The least columns that show sessions and a session beside each other.
pub(crate) const SIDE_BY_SIDE: u16 = 80;
/// How often it is seen whether working sessions are still served, in milliseconds.
const LOOK_EVERY_MS: i64 = 5_000;
/// How many of them are looked at each time.
const LOOK_AT: usize = 32;

/// How a [`Model`] begins.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The only session to show; all of them without one.
    pub only: Option<Uuid>,
    /// How agents are connected, line by line: shown where there is no session yet.
    pub connect: Vec<String>,
    /// How text looks.
    pub look: Look,
    /// The person's home folder.
    pub home: Option<std::path::PathBuf>,
}

/// The state of the terminal UI.
#[derive(Debug)]
pub struct Model {
    /// How it began.
    pub setup: Setup,
    /// The time, as last heard.
    pub now: Time,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The sessions.
    pub sessions: Sessions,
    /// The session that is looked at.
    pub open: Option<Open>,
    /// What keys act on.
    pub focus: Focus,
    /// What lies above everything else.
    pub overlay: Option<Overlay>,
    /// Whether keys go into the filter.
    pub filtering: bool,
    /// Whether the plan has the session's whole side.
    pub tall_plan: bool,
    /// Why nothing can be read at the moment.
    pub trouble: Option<String>,
    /// Whether there is a store.
    pub store: bool,
    looked: Time,
}

/// What keys act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list of sessions.
    #[default]
    Sessions,
    /// The session's history.
    Timeline,
    /// The session's list.
    Plan,
}

/// What lies above everything else.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// What the keys do.
    Help,
    /// A text in full.
    Reader(Reader),
}

impl Model {
    /// The state before anything was read, and what is to be read first.
    #[must_use]
    pub fn new(setup: Setup, now: Time, size: (u16, u16)) -> (Self, Vec<Effect>) {
        let only = setup.only;
        let mut model = Self {
            setup,
            now,
            size,
            sessions: Sessions::default(),
            open: None,
            focus: if only.is_some() { Focus::Timeline } else { Focus::Sessions },
            overlay: None,
            filtering: false,
            tall_plan: false,
            trouble: None,
            store: true,
            looked: now,
        };
        let mut effects = vec![Effect::List];
        if let Some(only) = only {
            model.open = Some(Open::new(only));
            effects.push(Effect::Open(only));
        }
        (model, effects)
    }

    /// Takes what happened, and gives what is to be done about it.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = match event {
            Event::Tick(now) => self.tick(now),
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(columns, rows) => {
                self.size = (columns, rows);
                Vec::new()
            }
            Event::NoStore => {
                self.store = false;
                self.sessions.read = true;
                Vec::new()
            }
            Event::Listed(rows, more) => {
                self.store = true;
                self.sessions.list(rows, more);
                Vec::new()
            }
            Event::Happened { rows, events } => {
                for row in rows {
                    self.sessions.put(row);
                }
                if let Some(open) = &mut self.open {
                    let session = open.session;
                    for (_, event) in events.iter().filter(|(of, _)| *of == session) {
                        open.happened(event);
                    }
                }
                Vec::new()
            }
            Event::Folded(session, fold) => {
                self.with(session, |open| open.folded(*fold));
                Vec::new()
            }
            Event::History(session, want, part) => {
                self.with(session, |open| open.take(want, &part));
                Vec::new()
            }
            Event::Write(session, event) => {
                self.with(session, |open| open.earlier = event.and_then(Earlier::of).or_else(|| open.earlier.take()));
                Vec::new()
            }
            Event::Details(events) => {
                self.overlay = Some(Overlay::Reader(Reader::of(&events)));
                Vec::new()
            }
            Event::Unreadable(session, why) => {
                self.with(session, |open| open.trouble = Some(why));
                Vec::new()
            }
            Event::Trouble(trouble) => {
                self.trouble = trouble;
                Vec::new()
            }
            Event::Reset => {
                let mut effects = vec![Effect::List];
                if let Some(open) = &mut self.open {
                    *open = Open::new(open.session);
                    effects.push(Effect::Open(open.session));
                }
                effects
            }
        };
        effects.extend(self.follow_selection());
        effects.extend(self.keep_up());
        effects
    }

    fn with(&mut self, session: Uuid, act: impl FnOnce(&mut Open)) {
        if let Some(open) = self.open.as_mut().filter(|open| open.session == session) {
            act(open);
        }
    }

    /// Whether sessions and a session stand beside each other.
    #[must_use]
    pub const fn side_by_side(&self) -> bool {
        self.size.0 >= SIDE_BY_SIDE && self.setup.only.is_none()
    }

    /// Whether the session is on the screen, beside the list or instead of it.
    #[must_use]
    pub fn shows_session(&self) -> bool {
        self.side_by_side() || self.focus != Focus::Sessions
    }

    /// Beside the list, the selected session is always the open one.
    fn follow_selection(&mut self) -> Option<Effect> {
        if self.setup.only.is_some() || !self.shows_session() {
            return None;
        }
        let Some(selected) = self.sessions.selected() else {
            // Nothing matches, or nothing is there: what is open stays for now.
            if self.sessions.all().is_empty() {
                self.open = None;
                self.focus = Focus::Sessions;
            }
            return None;
        };
        if self.open.as_ref().is_some_and(|open| open.session == selected) {
            return None;
        }
        self.open = Some(Open::new(selected));
        self.tall_plan = false;
        Some(Effect::Open(selected))
    }

    /// Asks for what the open session misses.
    fn keep_up(&mut self) -> Vec<Effect> {
        let Some(open) = &mut self.open else { return Vec::new() };
        let session = open.session;
        let mut effects = Vec::new();
        if open.timeline_is_behind() {
            effects.extend(open.timeline.catch_up().map(|want| Effect::History(session, want)));
        }
        if open.wants_fold() {
            effects.push(Effect::Fold(session));
        }
        effects.extend(open.timeline.want().map(|want| Effect::History(session, want)));
        effects
    }

    fn tick(&mut self, now: Time) -> Vec<Effect> {
        self.now = now;
        if now.as_ms().abs_diff(self.looked.as_ms()) < LOOK_EVERY_MS.unsigned_abs() {
            return Vec::new();
        }
        self.looked = now;
        // Who was killed says nothing: that nobody serves a session any more must be looked for.
        let mut working: Vec<&Row> =
            self.sessions.all().iter().filter(|row| row.state == SessionState::Working).collect();
        working.sort_by_key(|row| std::cmp::Reverse(row.updated));
        let working: Vec<Uuid> = working.into_iter().take(LOOK_AT).map(|row| row.session).collect();
        if working.is_empty() { Vec::new() } else { vec![Effect::Look(working)] }
    }

    /// In how many milliseconds something on the screen changes because time goes on.
    #[must_use]
    pub fn next_tick_ms(&self) -> u64 {
        let young = |time: Time| self.now.as_ms().saturating_sub(time.as_ms()) < 60_000;
        let ages = self.sessions.all().iter().any(|row| young(row.updated));
        let runs = self.open.as_ref().is_some_and(|open| {
            let times = open.plan();
            times.times().iter().any(|times| times.ended.is_none() && times.started.is_some_and(young))
        });
        if ages || runs { 1_000 } else { LOOK_EVERY_MS.unsigned_abs() }
    }
}
