//! The words people are shown, the same on every surface.

use std::path::Path;

use runsheet_core::{
    projection::SessionState,
    todo::{Counts, Status, TodoItem, TodoList},
};

/// A state in words.
#[must_use]
pub fn state(state: SessionState, counts: &Counts) -> String {
    match state {
        SessionState::Waiting => "waiting for you".into(),
        SessionState::Stalled => "no sign of life 60 s".into(),
        SessionState::Paused => format!("ended, {} open", counts.open()),
        other => other.word().into(),
    }
}

/// How much is done: `2/7`; nothing for an empty list. What was cancelled counts as dealt with.
#[must_use]
pub fn progress(counts: &Counts) -> String {
    if counts.total() == 0 {
        String::new()
    } else {
        format!("{}/{}", counts.completed + counts.cancelled, counts.total())
    }
}

/// How much is done, what runs, and how many more run: `2/7 Run the tests`, `+1`. The count of the others is apart, so
/// that whoever cuts the text does not cut it.
#[must_use]
pub fn glance(todos: &TodoList) -> (String, String) {
    let counts = todos.counts();
    let running = todos.running().map(|item| format!(" {}", item.label().trim())).unwrap_or_default();
    let others = counts.in_progress.saturating_sub(1);
    (format!("{}{running}", progress(&counts)), if others > 0 { format!(" +{others}") } else { String::new() })
}

/// What an item says now.
#[must_use]
pub fn label(item: &TodoItem) -> &str {
    let label = item.label();
    if label.trim().is_empty() { "(no text)" } else { label }
}

/// An item's glyph.
#[must_use]
pub const fn glyph(status: Status) -> char {
    match status {
        Status::Pending => '○',
        Status::InProgress => '●',
        Status::Completed => '✓',
        Status::Cancelled => '⊘',
    }
}

/// An agent and its version.
#[must_use]
pub fn agent(name: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{name} {version}"),
        None => name.into(),
    }
}

/// A folder, from home on.
#[must_use]
pub fn folder(cwd: &str, home: Option<&Path>) -> String {
    match home.and_then(|home| Path::new(cwd).strip_prefix(home).ok()) {
        Some(below) if below.as_os_str().is_empty() => "~".into(),
        Some(below) => format!("~/{}", below.display()),
        None => cwd.into(),
    }
}
