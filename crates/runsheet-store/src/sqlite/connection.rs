//! Connections to the file.

use std::{path::Path, sync::Arc, time::Duration};

use runsheet_core::log::Vocabulary;
use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::{fault::Trouble, options::Durability, row::Rows, streams::Streams};

/// How long SQLite itself waits for another connection: for a recovery, a checkpoint's end or a foreign program. Our
/// own writers never meet there, they queue in the turnstile.
const SQLITE_PATIENCE: Duration = Duration::from_secs(5);

/// A connection, and what it knows of the file.
#[derive(Debug)]
pub(super) struct Db {
    pub(super) conn: Connection,
    pub(super) rows: Rows,
    pub(super) streams: Streams,
    pub(super) vocabulary: Arc<Vocabulary>,
}

impl Db {
    pub(super) fn new(conn: Connection, vocabulary: &Arc<Vocabulary>) -> Self {
        Self { conn, rows: Rows::default(), streams: Streams::default(), vocabulary: Arc::clone(vocabulary) }
    }

    /// Runs a read on one state of the file.
    pub(super) fn snapshot<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Trouble>) -> Result<T, Trouble> {
        self.conn.prepare_cached("BEGIN")?.execute([])?;
        let outcome = read(self);
        // Nothing was written, so there is nothing to lose either way.
        let ended = self.conn.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        let value = outcome?;
        ended?;
        Ok(value)
    }

    /// Forgets what a transaction that was rolled back may have said.
    pub(super) fn forget(&mut self) {
        self.rows.forget();
        self.streams.forget();
    }
}

/// Opens a file that exists. Nothing is read yet, and it has no role.
pub(super) fn open(path: &Path, writable: bool) -> rusqlite::Result<Connection> {
    let mode = if writable { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    runsheet_vfs::register().map_err(|code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None))?;
    let conn = Connection::open_with_flags_and_vfs(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX, runsheet_vfs::NAME)?;
    conn.busy_timeout(SQLITE_PATIENCE)?;
    Ok(conn)
}

/// Opens a file that nobody can write and whose folder takes no `-shm` file: as it lies there, without a lock.
pub(super) fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => uri.push(char::from(*byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    Connection::open_with_flags(
        uri,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
}

pub(super) fn synchronous(durability: Durability) -> &'static str {
    match durability {
        Durability::Full => "PRAGMA synchronous=FULL",
        Durability::Normal => "PRAGMA synchronous=NORMAL",
    }
}

/// Makes a connection the writer's. Only it checkpoints: a checkpoint elsewhere would find readers in its way, and the
/// WAL would never start over.
pub(super) fn into_writer(conn: &Connection, durability: Durability, max_pages: Option<u32>) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(64);
    conn.execute_batch(synchronous(durability))?;
    conn.execute_batch(
        "PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=1000; \
         PRAGMA journal_size_limit=16777216",
    )?;
    if let Some(pages) = max_pages {
        conn.execute_batch(&format!("PRAGMA max_page_count={pages}"))?;
    }
    Ok(())
}

/// Makes a connection a reader's: it cannot write, and never checkpoints, not even as the last to close.
pub(super) fn into_reader(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(32);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    conn.execute_batch(
        "PRAGMA query_only=1; PRAGMA cache_size=-1024; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=0",
    )
}
