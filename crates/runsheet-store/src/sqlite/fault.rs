//! What SQLite's errors mean for a caller.

use std::path::Path;

use rusqlite::ErrorCode;

use super::identity;
use crate::error::StoreError;

/// Why an operation inside a transaction stopped.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The request is at fault, or what it reads: others in its group go on.
    Request(StoreError),
    /// The medium is at fault: the whole transaction is void.
    Medium(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Medium(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Request(error)
    }
}

impl Trouble {
    pub(super) fn into_error(self, path: &Path, operation: &'static str) -> StoreError {
        match self {
            Self::Request(error) => error,
            Self::Medium(error) => fault(path, operation, &error),
        }
    }
}

/// The error of an operation on the store at `path`.
pub(super) fn fault(path: &Path, operation: &'static str, error: &rusqlite::Error) -> StoreError {
    if identity::is_moved(error) {
        return StoreError::Moved { path: path.into() };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) if exhausted() => StoreError::Descriptors { operation },
        Some(ErrorCode::DiskFull) => StoreError::Full { path: path.into() },
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path: path.into() },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { pid: 0 },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(operation, error),
        Some(_) => StoreError::Medium { operation, reason: error.to_string() },
        // A column of another type than the table says, or a row that should be there and is not.
        None => damaged(operation, error),
    }
}

/// Whether no file can be opened now: SQLite does not say why it could not.
pub(super) fn exhausted() -> bool {
    let error = std::fs::File::open("/dev/null").err();
    error.is_some_and(|error| matches!(StoreError::io("open a file", &error), StoreError::Descriptors { .. }))
}

fn damaged(operation: &str, error: &rusqlite::Error) -> StoreError {
    StoreError::Damaged { what: format!("cannot {operation}: {error}") }
}
