//! The sessions: grouped by project, those that something happened in last first.

use std::{collections::HashMap, path::Path};

use runsheet_core::{
    log::Time,
    projection::{CatalogueEntry, SessionState},
    todo::Counts,
};
use runsheet_engine::{ListEntry, words};
use uuid::Uuid;

/// The most sessions held.
pub const MAX_SESSIONS: usize = 2_000;

/// A session in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The session.
    pub session: Uuid,
    /// Its agent.
    pub agent: String,
    /// The agent's version.
    pub version: Option<String>,
    /// The agent's working folder.
    pub cwd: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// What it is doing.
    pub state: SessionState,
    /// Of its last list.
    pub counts: Counts,
    /// What runs now.
    pub running: Option<String>,
    /// When it was last written to.
    pub updated: Time,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A project's sessions follow.
    Project(&'a str),
    /// A session.
    Session(&'a Row),
}

/// The list.
#[derive(Clone, Debug, Default)]
pub struct Sessions {
    rows: Vec<Row>,
    /// When each session last began to be active: two that work at once do not change places with every event.
    woke: HashMap<Uuid, Time>,
    selected: Option<Uuid>,
    /// What is looked for.
    filter: String,
    /// Whether there are older ones that are not held.
    pub more: bool,
    /// Whether the list was read.
    pub read: bool,
}

impl From<ListEntry> for Row {
    fn from(entry: ListEntry) -> Self {
        Self {
            session: entry.session,
            agent: entry.agent.name,
            version: entry.agent.version,
            cwd: entry.cwd,
            title: entry.title,
            state: entry.state,
            counts: entry.counts,
            running: entry.running,
            updated: entry.updated,
        }
    }
}

impl Row {
    /// A session as its catalogue entry tells it.
    #[must_use]
    pub fn new(session: Uuid, entry: &CatalogueEntry, deserted: bool) -> Self {
        Self {
            session,
            agent: entry.agent.name.clone(),
            version: entry.agent.version.clone(),
            cwd: entry.cwd.clone(),
            title: entry.title.title().map(Into::into),
            state: entry.state(deserted),
            counts: entry.counts.unwrap_or_default(),
            running: entry.running.clone(),
            updated: entry.updated,
        }
    }

    /// What it is called: its title, else its agent and as much of its id as tells it apart.
    #[must_use]
    pub fn name(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let id = self.session.to_string();
        // Ids made from the time begin alike; those made from a client's own id do not.
        let letters = if self.session.get_version_num() == 7 { 13 } else { 8 };
        let agent = if self.agent.is_empty() { "session" } else { &self.agent };
        format!("{agent} {}", &id[..letters])
    }

    /// What runs, where something does.
    #[must_use]
    pub fn runs(&self) -> Option<&str> {
        let active = matches!(self.state, SessionState::Working | SessionState::Waiting | SessionState::Stalled);
        self.running.as_deref().filter(|_| active && self.counts.in_progress > 0)
    }

    /// The count of further items that run, as ` +1`.
    #[must_use]
    pub fn others(&self) -> String {
        let others = self.counts.in_progress.saturating_sub(1);
        if others > 0 && self.runs().is_some() { format!(" +{others}") } else { String::new() }
    }

    /// Whether somebody should look.
    #[must_use]
    pub const fn needs_somebody(&self) -> bool {
        matches!(self.state, SessionState::Waiting | SessionState::Stalled)
    }

    const fn is_active(&self) -> bool {
        matches!(self.state, SessionState::Working | SessionState::Waiting | SessionState::Stalled)
    }

    fn project(&self) -> &str {
        self.cwd.as_deref().unwrap_or_default()
    }

    fn matches(&self, filter: &str) -> bool {
        let name = self.name();
        let id = self.session.to_string();
        let state = words::state(self.state, &self.counts);
        let texts = [&name, self.project(), &self.agent, &state, self.running.as_deref().unwrap_or_default(), &id];
        texts.iter().any(|text| text.to_lowercase().contains(filter))
    }
}

/// A project's name: the last part of its folder.
#[must_use]
pub fn project_name(cwd: &str) -> &str {
    if cwd.is_empty() {
        return "(no folder)";
    }
    Path::new(cwd).file_name().and_then(|name| name.to_str()).unwrap_or(cwd)
}

impl Sessions {
    /// Takes the list as it was read.
    pub fn list(&mut self, rows: Vec<Row>, more: bool) {
        self.rows.clear();
        self.woke.clear();
        (self.more, self.read) = (more, true);
        for row in rows {
            self.put(row);
        }
    }

    /// Takes a session as it is now.
    pub fn put(&mut self, row: Row) {
        let known = self.rows.iter().position(|known| known.session == row.session);
        let was_active = known.is_some_and(|at| self.rows[at].is_active());
        if !was_active || !row.is_active() {
            self.woke.insert(row.session, row.updated);
        }
        match known {
            Some(at) => self.rows[at] = row,
            None => self.rows.push(row),
        }
        if self.rows.len() > MAX_SESSIONS {
            self.more = true;
            let selected = self.selected;
            let droppable = |row: &&Row| !row.is_active() && Some(row.session) != selected;
            let oldest = self.rows.iter().filter(droppable).min_by_key(|row| row.updated).map(|row| row.session);
            if let Some(oldest) = oldest {
                self.rows.retain(|row| row.session != oldest);
                self.woke.remove(&oldest);
            }
        }
    }

    /// A session.
    #[must_use]
    pub fn row(&self, session: Uuid) -> Option<&Row> {
        self.rows.iter().find(|row| row.session == session)
    }

    /// All sessions, in no order.
    #[must_use]
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    fn woke(&self, row: &Row) -> Time {
        self.woke.get(&row.session).copied().unwrap_or(row.updated)
    }

    /// The sessions that match the filter, in the order they are shown.
    #[must_use]
    pub fn shown(&self) -> Vec<&Row> {
        let filter = self.filter.trim().to_lowercase();
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| filter.is_empty() || row.matches(&filter)).collect();
        let mut projects: HashMap<&str, Time> = HashMap::new();
        for row in &rows {
            let newest = projects.entry(row.project()).or_insert(Time::MIN);
            *newest = (*newest).max(self.woke(row));
        }
        rows.sort_by(|a, b| {
            let newest = |row: &Row| projects.get(row.project()).copied().unwrap_or(Time::MIN);
            let order = |row: &Row| (newest(row), self.woke(row), row.session);
            newest(b).cmp(&newest(a)).then_with(|| a.project().cmp(b.project())).then_with(|| order(b).cmp(&order(a)))
        });
        rows
    }

    /// The lines of the list.
    #[must_use]
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = Vec::new();
        let mut project = None;
        for row in self.shown() {
            if project != Some(row.project()) {
                project = Some(row.project());
                lines.push(Line::Project(row.project()));
            }
            lines.push(Line::Session(row));
        }
        lines
    }

    /// The selected session; the first one while nobody has chosen.
    #[must_use]
    pub fn selected(&self) -> Option<Uuid> {
        let shown = self.shown();
        let chosen = self.selected.filter(|chosen| shown.iter().any(|row| row.session == *chosen));
        chosen.or_else(|| shown.first().map(|row| row.session))
    }

    /// Selects a session.
    pub const fn select(&mut self, session: Uuid) {
        self.selected = Some(session);
    }

    /// Moves the selection.
    pub fn step(&mut self, by: isize) {
        let shown: Vec<Uuid> = self.shown().iter().map(|row| row.session).collect();
        let Some(last) = shown.len().checked_sub(1) else { return };
        let at = self.selected().and_then(|chosen| shown.iter().position(|session| *session == chosen)).unwrap_or(0);
        self.selected = Some(shown[at.saturating_add_signed(by).min(last)]);
    }

    /// What is looked for.
    #[must_use]
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Looks for something.
    pub fn look_for(&mut self, filter: String) {
        self.filter = filter;
    }
}
