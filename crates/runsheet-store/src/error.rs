//! What can go wrong with a store.

use std::path::PathBuf;

use runsheet_core::log::{EventId, Seq, ShapeFault, StreamId};
use uuid::Uuid;

/// A failed operation of a store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process holds the writer's lock and did not let go in time. Nothing was appended, nor will be.
    #[error("the store is busy: process {pid} holds it for writing")]
    Busy {
        /// The holder, 0 when it could not be told.
        pid: u32,
    },
    /// Another process is the session's writer.
    #[error("session {session} is busy: process {pid} is running it")]
    SessionBusy {
        /// The session.
        session: Uuid,
        /// The holder, 0 when it could not be told.
        pid: u32,
    },
    /// There is no room on the disk. Nothing was appended.
    #[error("the disk that holds `{path}` is full")]
    Full {
        /// The store.
        path: PathBuf,
    },
    /// A batch over the bounds.
    #[error("a batch of {events} events is over the limit of {limit}")]
    TooBig {
        /// Its events.
        events: usize,
        /// How many may be.
        limit: usize,
    },
    /// An event no stream may hold.
    #[error("`{stream}` cannot take event {seq}")]
    Shape {
        /// The stream.
        stream: StreamId,
        /// Its place.
        seq: Seq,
        /// What is wrong with it.
        source: ShapeFault,
    },
    /// An id stands in the stream with other data.
    #[error("`{stream}` holds id {id} with other data")]
    IdReused {
        /// The stream.
        stream: StreamId,
        /// The id.
        id: EventId,
    },
    /// A fork of a session that is not there, or is not that long.
    #[error("`{stream}` cannot begin as a fork: {parent} has no event {seq}")]
    NoParent {
        /// The fork.
        stream: StreamId,
        /// The parent it names.
        parent: StreamId,
        /// The event it names.
        seq: Seq,
    },
    /// A commit failed in a way that leaves its outcome open, and settling it failed too.
    #[error("it is not known whether the append to `{stream}` took effect: {reason}")]
    Unknown {
        /// The stream.
        stream: StreamId,
        /// Why.
        reason: String,
    },
    /// A row, or the medium below it, is not what was written.
    #[error("the store is damaged: {what}")]
    Damaged {
        /// What, and where.
        what: String,
    },
    /// A cursor of another store, or of a past this one lost.
    #[error("the cursor is of another store")]
    ForeignEpoch,
    /// The store was written by a later version.
    #[error("`{path}` has store format {found}; this version of runsheet reads up to {known}")]
    NewerFormat {
        /// The store.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The latest format known here.
        known: u32,
    },
    /// The file is another program's.
    #[error("`{path}` is not a store of runsheet")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The store cannot be opened.
    #[error("cannot open the store `{path}`: {reason}")]
    Open {
        /// The store.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The store can be read, not written.
    #[error("the store `{path}` is read-only")]
    ReadOnly {
        /// The store.
        path: PathBuf,
    },
    /// The file was deleted, moved or replaced while it was open. Nothing was appended.
    #[error("`{path}` is not the file any more that was opened: it was deleted, moved or replaced")]
    Moved {
        /// Where it was.
        path: PathBuf,
    },
    /// This process, or the machine, has too many files open.
    #[error("cannot {operation}: too many open files")]
    Descriptors {
        /// What was tried.
        operation: &'static str,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// Anything else the medium reports.
    #[error("cannot {operation}: {reason}")]
    Medium {
        /// What was tried.
        operation: &'static str,
        /// What the medium said.
        reason: String,
    },
}

impl StoreError {
    /// The error of an operation on a file.
    pub(crate) fn io(operation: &'static str, error: &std::io::Error) -> Self {
        use rustix::io::Errno;
        match Errno::from_io_error(error) {
            Some(Errno::MFILE | Errno::NFILE) => Self::Descriptors { operation },
            _ => Self::Medium { operation, reason: error.to_string() },
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Busy { pid } if *pid != 0 => {
                format!("if process {pid} hangs, end it (kill {pid}) and try again; nothing was lost")
            }
            Self::Busy { .. } => "try again; nothing was lost".into(),
            Self::SessionBusy { .. } => "wait for it to end, or fork the session".into(),
            Self::Full { .. } => "free some space and try again; what was acknowledged is safe".into(),
            Self::NewerFormat { .. } => "upgrade runsheet, or give another store with --store".into(),
            Self::NotAStore { .. } => "give another path with --store; the file was not touched".into(),
            Self::ReadOnly { .. } => "change the file's permissions, or give another store with --store".into(),
            Self::Open { .. } => "check the path, or give another with --store".into(),
            Self::Moved { .. } => {
                "put it back where it was, or start this program again; what was acknowledged is in the file that was \
                 opened"
                    .into()
            }
            Self::Descriptors { .. } => {
                "try again, and raise the limit of this process (`ulimit -n`) if it happens again; nothing was lost"
                    .into()
            }
            Self::Damaged { .. } => {
                "run `runsheet store verify` to see what is affected, and `runsheet export` to save the rest".into()
            }
            Self::Unknown { .. } => "run `runsheet log` on the session to see whether it is there".into(),
            _ => return None,
        })
    }
}
