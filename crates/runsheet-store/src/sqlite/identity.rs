//! Whether the file at the store's path still is the one that was opened.
//!
//! A file that was deleted, moved or replaced can still be written: what is acknowledged then is in a file that nobody
//! finds any more, or in one that others do not look at.

use std::{fs, io};

use rusqlite::{Error, ffi};

use super::Shared;

/// Looks, which costs one `stat`. SQLite has a name for it, and looks by itself only without a WAL.
pub(super) fn check(shared: &Shared) -> rusqlite::Result<()> {
    let there = match fs::metadata(&shared.path) {
        Ok(metadata) => shared.registration.is(&metadata),
        // What cannot be told is SQLite's to say.
        Err(error) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    };
    if there { Ok(()) } else { Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_READONLY_DBMOVED), None)) }
}

/// Whether an error says that it is not.
pub(super) fn is_moved(error: &Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_DBMOVED)
}
