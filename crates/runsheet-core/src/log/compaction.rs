//! Changes of what the model still sees of the past.

use serde::{Deserialize, Serialize};

use super::{event::Seq, vocabulary::EventData};

/// An inclusive range of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeqRange {
    /// The first event.
    pub first: Seq,
    /// The last event.
    pub last: Seq,
}

/// `compaction/start`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompactionStart {
    /// What brought it about, such as `pressure` or `request`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
}

/// `compaction/end`: the summary stands in for the messages it replaces. A failed one has an error and replaces nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompactionEnd {
    /// What the model is told instead; absent when the client keeps it to itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The messages replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<SeqRange>,
    /// The open todo items given back to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// `history/rolledBack`: messages after an event are no longer the model's past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RolledBack {
    /// The last event that stays.
    pub to_seq: Seq,
}

impl EventData for CompactionStart {
    const TYPE: &'static str = "compaction/start";
}

impl EventData for CompactionEnd {
    const TYPE: &'static str = "compaction/end";

    fn check(&self) -> Result<(), String> {
        match self.replaced {
            Some(range) if range.first > range.last => Err("`replaced` ends before it begins".into()),
            Some(_) if self.error.is_some() => Err("a failed compaction replaces nothing".into()),
            Some(_) if self.summary.is_none() => Err("`replaced` without a `summary`".into()),
            _ => Ok(()),
        }
    }
}

impl EventData for RolledBack {
    const TYPE: &'static str = "history/rolledBack";
}
