//! The part of a session's history that is held: a window of entries, from which the log is read on in both directions.

use std::collections::VecDeque;

use runsheet_core::{
    log::{EventData, Recorded, Scope, Seq, read},
    projection::Projection,
    todo::{TodoWrite, Todos, TodosState},
};

use super::entry::{Changed, Entry, Kind};

/// The most entries held. What is further away is dropped and read again when somebody scrolls there.
pub const MAX_ENTRIES: usize = 800;
/// How close to an end of the window the selection comes before more is read.
const NEAR: usize = 12;

/// A part of the history, as it was read.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The events, oldest first, without a gap.
    pub events: Vec<Recorded>,
    /// The last list of the main scope before them, where there is one.
    pub before: Option<Recorded>,
    /// Whether the history begins with them.
    pub from_start: bool,
    /// Whether it ended with them when they were read.
    pub to_end: bool,
}

/// Which part of the history is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Its end.
    End,
    /// Its beginning.
    Start,
    /// What comes before an event.
    Before(Seq),
    /// What comes after an event.
    After(Seq),
}

/// The window.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    entries: VecDeque<Entry>,
    /// The first and the last event the window covers.
    span: Option<(Seq, Seq)>,
    at_start: bool,
    at_end: bool,
    /// The selected entry; `None` follows the end.
    selected: Option<usize>,
    /// The lists at the window's end, to tell what the next write changes.
    lists: Lists,
    wanted: Option<Want>,
}

/// The lists so far: core's own fold, which says what each write changed.
#[derive(Clone, Debug, Default)]
struct Lists {
    state: TodosState,
    /// Whether the list before the next write is known.
    known: bool,
}

impl Lists {
    fn after(before: Option<&Recorded>, from_start: bool) -> Self {
        let mut lists = Self { state: TodosState::default(), known: from_start || before.is_some() };
        if let Some(before) = before {
            Todos::apply(&mut lists.state, before);
        }
        lists
    }

    fn entry(&mut self, event: &Recorded) -> Option<Entry> {
        let revision = self.state.revision;
        if Todos::TYPES.contains(&&*event.ty) {
            Todos::apply(&mut self.state, event);
        }
        let wrote = self.state.revision > revision;
        let changed = self.state.main.as_ref().filter(|_| wrote && self.known);
        let changed = changed.map(|main| Changed::from(&main.changes));
        self.known |= wrote;
        Entry::of(event, changed)
    }
}

impl Timeline {
    /// The entries, oldest first.
    #[must_use]
    pub const fn entries(&self) -> &VecDeque<Entry> {
        &self.entries
    }

    /// The entry the view is about: the selected one, else the last.
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        let last = self.entries.len().checked_sub(1)?;
        Some(self.selected.map_or(last, |selected| selected.min(last)))
    }

    /// Whether the end is followed as it grows.
    #[must_use]
    pub const fn follows(&self) -> bool {
        self.selected.is_none()
    }

    /// Whether the history begins here, and whether it ends here.
    #[must_use]
    pub const fn ends(&self) -> (bool, bool) {
        (self.at_start, self.at_end)
    }

    /// The last event the window covers.
    #[must_use]
    pub fn last(&self) -> Option<Seq> {
        self.span.map(|(_, last)| last)
    }

    /// Takes a part that was asked for. One that does not fit the window any more is dropped.
    pub fn take(&mut self, want: Want, part: &Part) {
        if self.wanted == Some(want) {
            self.wanted = None;
        }
        match (want, self.span) {
            (Want::Before(seq), Some((first, _))) if seq == first => self.prepend(part),
            (Want::After(seq), Some((_, last))) if seq == last => {
                if !self.lists.known {
                    self.lists = Lists::after(part.before.as_ref(), false);
                }
                let to_end = part.to_end;
                for event in &part.events {
                    self.push(event);
                }
                self.at_end = to_end;
            }
            (Want::End | Want::Start, _) => {
                let selected = if want == Want::Start { Some(0) } else { None };
                *self = Self { selected, ..Self::default() };
                self.lists = Lists::after(part.before.as_ref(), part.from_start);
                (self.at_start, self.at_end) = (part.from_start, part.to_end);
                for event in &part.events {
                    self.push(event);
                }
            }
            _ => {}
        }
    }

    /// Takes an event as it happens; says whether one before it was missed.
    pub fn happened(&mut self, event: &Recorded) -> bool {
        if !self.at_end {
            return false;
        }
        let next = self.last().map_or(0, |last| last + 1);
        if event.seq == next {
            self.push(event);
        }
        event.seq > next
    }

    fn push(&mut self, event: &Recorded) {
        let first = self.span.map_or(event.seq, |(first, _)| first);
        self.span = Some((first, event.seq));
        let Some(entry) = self.lists.entry(event) else { return };
        // Calls may overlap, so the call is not always the last entry; far away it is not looked for.
        if entry.call.is_some() {
            for known in self.entries.iter_mut().rev().take(64) {
                // Read a second time after the window had been cut here.
                if known.more.contains(&entry.seq) {
                    return;
                }
                if known.join(&entry) {
                    return;
                }
            }
        }
        self.entries.push_back(entry);
        if self.entries.len() > MAX_ENTRIES {
            self.entries.pop_front();
            self.at_start = false;
            self.selected = self.selected.map(|selected| selected.saturating_sub(1));
            let first = self.entries.front().map_or(event.seq, |entry| entry.seq);
            self.span = Some((first, event.seq));
        }
    }

    fn prepend(&mut self, part: &Part) {
        let Some(first) = part.events.first().map(|event| event.seq) else {
            self.at_start |= part.from_start;
            return;
        };
        let mut before = Self { at_end: true, ..Self::default() };
        before.lists = Lists::after(part.before.as_ref(), part.from_start);
        for event in &part.events {
            before.push(event);
        }
        // Results at the window's beginning find the calls that were cut off.
        let held = self.entries.len();
        let orphan = |entry: &Entry| matches!(entry.kind, Kind::Result(_) | Kind::Wrote(_));
        let mut joined = 0;
        for at in 0..held.min(64) {
            let entry = &self.entries[at - joined];
            if !orphan(entry) {
                continue;
            }
            if before.entries.iter_mut().rev().take(64).any(|call| call.join(entry)) {
                self.entries.remove(at - joined);
                joined += 1;
            }
        }
        let added = before.entries.len();
        self.selected = self.selected.map(|selected| selected.saturating_sub(joined) + added);
        for entry in before.entries.into_iter().rev() {
            self.entries.push_front(entry);
        }
        self.at_start = part.from_start;
        let last = self.last().unwrap_or(first);
        self.span = Some((first, last));
        if self.entries.len() > MAX_ENTRIES {
            let cut = self.entries[MAX_ENTRIES].seq;
            self.entries.truncate(MAX_ENTRIES);
            self.at_end = false;
            let last = cut.saturating_sub(1);
            self.span = Some((first, last));
            self.lists = Lists::default();
            self.selected = Some(self.at().unwrap_or(0));
        }
    }

    /// Moves the selection; the end is followed again once it is reached.
    pub fn step(&mut self, by: isize) -> Option<Want> {
        let at = self.at()?;
        let last = self.entries.len() - 1;
        let to = at.saturating_add_signed(by).min(last);
        self.selected = (to < last || !self.at_end).then_some(to);
        self.want()
    }

    /// Goes to the beginning or the end of the history.
    pub fn go(&mut self, end: bool) -> Option<Want> {
        let here = if end { self.at_end } else { self.at_start };
        if !here {
            let want = if end { Want::End } else { Want::Start };
            self.wanted = Some(want);
            return Some(want);
        }
        self.selected = if end { None } else { Some(0) };
        None
    }

    /// What is to be read next: more of the history where the selection came near an end of the window, and at first
    /// as much as fills a screen.
    pub fn want(&mut self) -> Option<Want> {
        if self.wanted.is_some() {
            return None;
        }
        let (first, last) = self.span?;
        let at = self.at().unwrap_or(0);
        if !self.at_start && (at < NEAR || self.entries.len() < 4 * NEAR) {
            self.wanted = Some(Want::Before(first));
        } else if !self.at_end && at + NEAR >= self.entries.len() {
            self.wanted = Some(Want::After(last));
        }
        self.wanted
    }

    /// Asks for what was missed.
    pub fn catch_up(&mut self) -> Option<Want> {
        if self.wanted.is_some() {
            return None;
        }
        self.wanted = Some(self.last().map_or(Want::Start, Want::After));
        self.wanted
    }
}

/// Whether an event is a list of the session's own agent.
#[must_use]
pub fn is_main_list(event: &Recorded) -> bool {
    &*event.ty == TodoWrite::TYPE && read::<TodoWrite>(event).is_some_and(|write| write.scope == Scope::Main)
}
