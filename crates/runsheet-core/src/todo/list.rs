//! A todo list and its items, whichever agent wrote it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// A whole list, in the writer's order. It is kept as written: what a list may hold is its dialect's rule, and a foreign
/// list may hold duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TodoList(pub Vec<TodoItem>);

/// One item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TodoItem {
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: Status,
    /// The writer's id, where its dialect has ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What to show while it runs ("Running the tests").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_form: Option<String>,
    /// The writer's priority, where its dialect has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// The status as the writer spelt it, where it is none of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_status: Option<String>,
}

/// How far an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Completed,
    /// Given up.
    Cancelled,
}

impl Status {
    /// The name on the log and in most dialects.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether there is work left in it.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }
}

/// How many items stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Not begun.
    pub pending: usize,
    /// Being worked on.
    pub in_progress: usize,
    /// Done.
    pub completed: usize,
    /// Given up.
    pub cancelled: usize,
}

impl Counts {
    /// All items.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.pending + self.in_progress + self.completed + self.cancelled
    }

    /// Items with work left in them.
    #[must_use]
    pub const fn open(&self) -> usize {
        self.pending + self.in_progress
    }
}

impl TodoItem {
    /// An item of the two fields every dialect has.
    #[must_use]
    pub fn new(content: impl Into<String>, status: Status) -> Self {
        Self { content: content.into(), status, id: None, active_form: None, priority: None, raw_status: None }
    }

    /// What to show for it now: its active form while it runs, else its content.
    #[must_use]
    pub fn label(&self) -> &str {
        match (&self.active_form, self.status) {
            (Some(form), Status::InProgress) if !form.trim().is_empty() => form,
            _ => &self.content,
        }
    }

    /// The bytes of text in it.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.content.len()
            + optional(&self.id)
            + optional(&self.active_form)
            + optional(&self.priority)
            + optional(&self.raw_status)
    }
}

impl TodoList {
    /// The items.
    pub fn iter(&self) -> std::slice::Iter<'_, TodoItem> {
        self.0.iter()
    }

    /// How many items there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many items stand where.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for item in &self.0 {
            *match item.status {
                Status::Pending => &mut counts.pending,
                Status::InProgress => &mut counts.in_progress,
                Status::Completed => &mut counts.completed,
                Status::Cancelled => &mut counts.cancelled,
            } += 1;
        }
        counts
    }

    /// The first running item, in the writer's order.
    #[must_use]
    pub fn running(&self) -> Option<&TodoItem> {
        self.0.iter().find(|item| item.status == Status::InProgress)
    }

    /// The key of each item, to follow it from one write to the next: its id, else its content; from the second item of
    /// one key on, the key and which one it is. No two items have one key.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(self.0.len());
        self.0
            .iter()
            .map(|item| {
                let key = item.id.as_deref().unwrap_or(&item.content);
                let nth = seen.entry(key).and_modify(|nth| *nth += 1).or_insert(1);
                // U+0000 is not typed into a list by accident, so the n-th "a" is not taken for an item "a 2"; a key that
                // has one is never left bare, so that it is not taken for an n-th one either.
                if *nth == 1 && !key.contains('\0') { key.to_owned() } else { format!("{key}\0{nth}") }
            })
            .collect()
    }
}

impl<'a> IntoIterator for &'a TodoList {
    type Item = &'a TodoItem;
    type IntoIter = std::slice::Iter<'a, TodoItem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
