//! What can go wrong in the engine.

use std::sync::Arc;

use runsheet_core::log::{ForkError, LifecycleFault, ShapeFault, StreamId};
use runsheet_store::StoreError;

/// What is tried when a store is opened.
pub(crate) const OPENING: &str = "opening the store";

/// A failed operation of the engine.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The store failed.
    #[error("{operation} failed")]
    Store {
        /// What was tried.
        operation: &'static str,
        /// Why.
        source: Arc<StoreError>,
    },
    /// No session is meant by a text.
    #[error("no session is called `{0}`")]
    NoSession(String),
    /// More than one session is meant by a text.
    #[error("`{name}` means {count} sessions")]
    Ambiguous {
        /// The text.
        name: String,
        /// How many sessions it means.
        count: usize,
    },
    /// A session written by a later version: it is left alone.
    #[error("`{stream}` cannot be followed by this version of runsheet")]
    Foreign {
        /// The stream.
        stream: StreamId,
        /// What is in it.
        source: ShapeFault,
    },
    /// An import whose events may not follow each other.
    #[error("line {line} cannot stand there: `{stream}` is not a valid session")]
    Lifecycle {
        /// The line, from 1.
        line: usize,
        /// The stream.
        stream: StreamId,
        /// What is wrong.
        source: LifecycleFault,
    },
    /// A line of an import that is no event.
    #[error("line {line} is not an event: {fault}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// A line of an import that is an event, but not one its stream can go on with.
    #[error("line {line} cannot stand there: {fault}")]
    Misplaced {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// An import that does not fit what is there.
    #[error("`{stream}` is here already and differs from event {seq} on")]
    Differs {
        /// The stream.
        stream: StreamId,
        /// The first event that differs.
        seq: u64,
    },
    /// A fork that cannot be made.
    #[error("`{stream}` cannot be forked")]
    Fork {
        /// The parent.
        stream: StreamId,
        /// Why.
        source: ForkError,
    },
}

impl EngineError {
    /// Names the operation a store failed at.
    pub(crate) fn store(operation: &'static str) -> impl FnOnce(StoreError) -> Self {
        move |source| Self::Store { operation, source: Arc::new(source) }
    }

    /// Whether it says something of one session only, and others can be read all the same.
    pub(crate) fn is_of_one_session(&self) -> bool {
        match self {
            Self::Foreign { .. } => true,
            Self::Store { source, .. } => matches!(**source, StoreError::Damaged { .. }),
            _ => false,
        }
    }

    /// The store's own words for what is damaged, or all of the error.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Store { source, .. } => match &**source {
                StoreError::Damaged { what } => what.clone(),
                source => source.to_string(),
            },
            error => error.to_string(),
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            // Nothing of it can be read, so there is nothing to look at or to save.
            Self::Store { operation: OPENING, source } if matches!(**source, StoreError::Damaged { .. }) => {
                "the file cannot be read as a whole: put a copy in its place, or give another store with --store".into()
            }
            Self::Store { source, .. } => return source.hint(),
            Self::NoSession(_) => "`runsheet ls` lists the sessions".into(),
            Self::Ambiguous { .. } => "give more of the id; `runsheet ls` lists the sessions".into(),
            Self::Foreign { .. } => "upgrade runsheet to read it; other sessions are not affected".into(),
            Self::Lifecycle { .. } | Self::Line { .. } | Self::Misplaced { .. } => "nothing was imported".into(),
            Self::Differs { .. } => "import into another store with --store".into(),
            Self::Fork { .. } => "fork at an event between two turns".into(),
        })
    }
}
