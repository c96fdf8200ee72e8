//! What the model is told of a person's edit.
//!
//! The web client shows the same lines before an edit is saved. A table of cases, `tests/it/told.json`, holds both to it.

use std::collections::HashMap;

use super::list::{Status, TodoList};

/// How many characters of an item a line shows: the whole list follows the lines.
const SHOWN: usize = 120;

/// What changed from the list the model knows to the one a person left, a line each.
///
/// Items are followed by their keys. An item whose key is gone and a new one at its place (behind the same known item)
/// are one that was changed: without ids nothing tells a rewording from a replacement.
#[must_use]
pub fn told(known: &TodoList, now: &TodoList) -> Vec<String> {
    let was = origins(known, now);
    let mut lines = Vec::new();
    for (item, at) in now.iter().zip(&was) {
        let content = quoted(&item.content);
        let Some(before) = at.map(|at| &known.0[at]) else {
            let status = match item.status {
                Status::Pending => String::new(),
                status => format!(" ({})", words(status)),
            };
            lines.push(format!("added: {content}{status}"));
            continue;
        };
        if before.content != item.content {
            lines.push(format!("changed: {} → {content}", quoted(&before.content)));
        }
        if before.status != item.status {
            lines.push(format!("set to {}: {content}", words(item.status)));
        }
    }
    let gone = known.iter().enumerate().filter(|(at, _)| !was.contains(&Some(*at)));
    lines.extend(gone.map(|(_, item)| format!("removed: {}", quoted(&item.content))));
    if !was.iter().flatten().is_sorted() {
        lines.push("the order changed".into());
    }
    lines
}

/// The whole of what the model is told in place of its write, ready to be sent on with the changes in it.
#[must_use]
pub fn notice(known: &TodoList, now: &TodoList) -> String {
    let lines: String = told(known, now).iter().map(|line| format!("- {line}\n")).collect();
    // Lists are plain data: they always have a JSON text.
    let list = serde_json::to_string(now).unwrap_or_default();
    format!(
        "What the person changed:\n{lines}The list now:\n{list}\nSend your list again with these changes in it. That \
         call will be accepted."
    )
}

/// For each item of `now`, its place in `known`.
fn origins(known: &TodoList, now: &TodoList) -> Vec<Option<usize>> {
    let (known_keys, now_keys) = (known.keys(), now.keys());
    let places: HashMap<&str, usize> = known_keys.iter().enumerate().map(|(at, key)| (key.as_str(), at)).collect();
    let mut was: Vec<Option<usize>> = now_keys.iter().map(|key| places.get(key.as_str()).copied()).collect();
    let kept: Vec<bool> = (0..known.len()).map(|at| was.contains(&Some(at))).collect();
    // What is gone, by the kept item it stood behind; the last is the first to be taken.
    let mut gone: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut behind = None;
    for (at, kept) in kept.into_iter().enumerate() {
        if kept {
            behind = Some(at);
        } else {
            gone.entry(behind).or_default().insert(0, at);
        }
    }
    behind = None;
    for place in &mut was {
        match *place {
            Some(at) => behind = Some(at),
            None => *place = gone.get_mut(&behind).and_then(Vec::pop),
        }
    }
    was
}

const fn words(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::InProgress => "in progress",
        Status::Completed => "completed",
        Status::Cancelled => "cancelled",
    }
}

fn quoted(content: &str) -> String {
    let mut shown: String = content.chars().take(SHOWN).collect();
    if shown.len() < content.len() {
        shown.push('…');
    }
    serde_json::to_string(&shown).unwrap_or(shown)
}
