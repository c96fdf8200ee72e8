//! Finding, making and checking the file.

use std::{
    collections::HashMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params};
use uuid::Uuid;

use super::{
    connection,
    fault::{exhausted, fault},
    options::{Access, Durability, SqliteOptions},
    place,
    schema::{APPLICATION_ID, CREATE, FORMAT, PAGE_BYTES},
    turnstile::{Turnstile, sidecar},
};
use crate::error::StoreError;

/// A store's file, found and checked.
pub(super) struct Opened {
    /// The file's own path, whatever links lead to it: the lock files lie beside it.
    pub(super) path: PathBuf,
    /// A connection without a role, for whoever needs one first.
    pub(super) conn: Option<Connection>,
    pub(super) writable: bool,
    pub(super) registration: Registration,
}

pub(super) fn open(path: &Path, options: &SqliteOptions) -> Result<Opened, StoreError> {
    let cannot = |reason: String| StoreError::Open { path: path.into(), reason };
    let io = |error: io::Error| match StoreError::io("open the store", &error) {
        exhausted @ StoreError::Descriptors { .. } => exhausted,
        _ => cannot(error.to_string()),
    };
    let found = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(cannot("it is a folder".into())),
        Ok(metadata) if !metadata.is_file() => return Err(cannot("it is not a regular file".into())),
        Ok(metadata) => Some(metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(io(error)),
    };
    // Where nothing is, `a/` would be made as a file `a`.
    if found.is_none() && matches!(path.as_os_str().as_bytes(), [.., b'/'] | [.., b'/', b'.']) {
        return Err(cannot("it names a folder that does not exist, and a store is a file".into()));
    }
    if found.is_none() && options.access != Access::Create {
        return Err(cannot("it does not exist".into()));
    }
    let path = locate(path, found.is_some()).map_err(io)?;
    if let Some(reason) = path.parent().and_then(place::unsuited) {
        return Err(cannot(reason));
    }
    if found.is_none_or(|len| len == 0) && options.access == Access::Create {
        create(&path, options)?;
    }
    let registration = register(&path)?;
    let writable = options.access != Access::ReadOnly;
    let (conn, immutable) = connect(&path, writable).map_err(|error| opening(&path, &error))?;
    check(&path, &conn)?;
    let writable = writable && !immutable && !conn.is_readonly("main").unwrap_or(false);
    if writable {
        renew_epoch(&path, &conn, options)?;
    }
    // An immutable connection would not notice a writer, so it does not outlive the checks.
    Ok(Opened { path, conn: (!immutable).then_some(conn), writable, registration })
}

/// The file's own path; its folder is made when it is missing, for us alone.
fn locate(path: &Path, exists: bool) -> io::Result<PathBuf> {
    if exists {
        return fs::canonicalize(path);
    }
    if path.is_symlink() {
        // The file is made where the link says. Its folder is not: it may be a disk that is not there now.
        let target = fs::read_link(path)?;
        let target = path.parent().unwrap_or(Path::new(".")).join(target);
        let lost = |what: &str| io::Error::other(format!("it is a link to {}, {what}", target.display()));
        if target.is_symlink() {
            return Err(lost("which is a link to nothing"));
        }
        let name = target.file_name().ok_or_else(|| lost("which names no file"))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return Ok(fs::canonicalize(folder).map_err(|_| lost("whose folder does not exist"))?.join(name));
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    Ok(fs::canonicalize(folder)?.join(name))
}

/// A connection that was seen to read, and whether it had to be an immutable one: in a folder where we may not make a
/// `-shm` file, a database that was closed cleanly can only be read as it lies there.
pub(super) fn connect(path: &Path, writable: bool) -> rusqlite::Result<(Connection, bool)> {
    let attempt = |conn: rusqlite::Result<Connection>| conn.and_then(|conn| probe(&conn).map(|()| conn));
    let barred = |error: &rusqlite::Error| {
        matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
    };
    let found = match attempt(connection::open(path, writable)) {
        Err(error) if writable && barred(&error) => attempt(connection::open(path, false)),
        found => found,
    };
    match found {
        Err(error) if barred(&error) && !has_wal(path) => {
            attempt(connection::open_immutable(path)).map(|conn| (conn, true))
        }
        found => found.map(|conn| (conn, false)),
    }
}

fn probe(conn: &Connection) -> rusqlite::Result<()> {
    conn.query_row("PRAGMA user_version", [], |_| Ok(()))
}

fn has_wal(path: &Path) -> bool {
    fs::metadata(sidecar(path, "-wal")).is_ok_and(|wal| wal.len() > 0)
}

fn opening(path: &Path, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore { path: path.into() },
        Some(ErrorCode::DatabaseCorrupt) => fault(path, "open the store", error),
        Some(ErrorCode::CannotOpen) if exhausted() => StoreError::Descriptors { operation: "open the store" },
        _ => StoreError::Open { path: path.into(), reason: error.to_string() },
    }
}

fn check(path: &Path, conn: &Connection) -> Result<(), StoreError> {
    let pragma = |name: &str| -> Result<i64, StoreError> {
        conn.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).map_err(|error| opening(path, &error))
    };
    if pragma("application_id")? != i64::from(APPLICATION_ID) {
        return Err(StoreError::NotAStore { path: path.into() });
    }
    match u32::try_from(pragma("user_version")?) {
        Ok(FORMAT) => Ok(()),
        Ok(found) if found > FORMAT => Err(StoreError::NewerFormat { path: path.into(), found, known: FORMAT }),
        _ => Err(StoreError::NotAStore { path: path.into() }),
    }
}

/// Makes the file under another name, whole and synced, and then gives it its own: nobody ever sees half of it.
fn create(path: &Path, options: &SqliteOptions) -> Result<(), StoreError> {
    let cannot = |what: &str, error: &dyn std::fmt::Display| StoreError::Open {
        path: path.into(),
        reason: format!("{what}: {error}"),
    };
    let io = |error: io::Error| match error.kind() {
        io::ErrorKind::StorageFull => StoreError::Full { path: path.into() },
        _ => cannot("it cannot be made", &error),
    };
    let turnstile = Turnstile::open(path).map_err(io)?;
    let Some(_turn) = turnstile.wait_within(options.patience).map_err(io)? else {
        return Err(StoreError::Busy { pid: super::turnstile::holder(path) });
    };
    if fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        // Somebody else made it while we waited.
        return Ok(());
    }
    let draft = Draft(sidecar(path, &format!(".new-{}", Uuid::now_v7().simple())));
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft.0).map_err(io)?;
    fill(&draft.0, options.durability).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full { path: path.into() },
        _ => cannot("it cannot be filled", &error),
    })?;
    // No connection of this process holds a lock on the draft, so it may be opened and closed like any file.
    File::open(&draft.0).and_then(|file| file.sync_all()).map_err(io)?;
    fs::rename(&draft.0, path).map_err(io)?;
    if let Some(folder) = path.parent() {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)?;
    }
    Ok(())
}

/// A file that goes away unless it was renamed.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let _ = fs::remove_file(sidecar(&self.0, suffix));
        }
    }
}

fn fill(draft: &Path, durability: Durability) -> rusqlite::Result<()> {
    let conn = connection::open(draft, true)?;
    conn.execute_batch(&format!("PRAGMA page_size={PAGE_BYTES}"))?;
    conn.execute_batch("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; BEGIN")?;
    conn.execute_batch(CREATE)?;
    conn.execute_batch(&format!("PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={FORMAT}"))?;
    set(&conn, "epoch", Uuid::now_v7().as_bytes())?;
    if durability == Durability::Normal
        && let Some(boot) = boot()
    {
        set(&conn, "boot", boot.as_bytes())?;
    }
    conn.execute_batch("COMMIT; PRAGMA journal_mode=WAL")?;
    conn.close().map_err(|(_, error)| error)
}

fn set(conn: &Connection, key: &str, value: &[u8]) -> rusqlite::Result<()> {
    conn.execute("INSERT OR REPLACE INTO meta(key, value) VALUES (?1, ?2)", params![key, value]).map(drop)
}

/// Which boot of the machine this is. Only there where the system tells.
fn boot() -> Option<String> {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|boot| boot.trim().to_owned())
}

/// A store written with durability `normal` may have lost its last events when the machine went down: since another
/// boot wrote it, its feed gets a new epoch. One that was only ever written with `full` keeps its own.
fn renew_epoch(path: &Path, conn: &Connection, options: &SqliteOptions) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| fault(path, "open the store", &error);
    let written = |conn: &Connection| {
        conn.query_row("SELECT value FROM meta WHERE key = 'boot'", [], |row| row.get::<_, Vec<u8>>(0)).optional()
    };
    let before = written(conn).map_err(failed)?;
    if before.is_none() && options.durability == Durability::Full {
        return Ok(());
    }
    let Some(now) = boot() else { return Ok(()) };
    if before.as_deref() == Some(now.as_bytes()) {
        return Ok(());
    }
    let io = |error: io::Error| StoreError::Open { path: path.into(), reason: error.to_string() };
    let turnstile = Turnstile::open(path).map_err(io)?;
    let Some(_turn) = turnstile.wait_within(options.patience).map_err(io)? else {
        return Err(StoreError::Busy { pid: super::turnstile::holder(path) });
    };
    let transaction = rusqlite::Transaction::new_unchecked(conn, TransactionBehavior::Immediate).map_err(failed)?;
    let before = written(&transaction).map_err(failed)?;
    if before.as_deref() != Some(now.as_bytes()) {
        if before.is_some() {
            set(&transaction, "epoch", Uuid::now_v7().as_bytes()).map_err(failed)?;
        }
        set(&transaction, "boot", now.as_bytes()).map_err(failed)?;
    }
    transaction.commit().map_err(failed)
}

/// The stores this process has open, by device and inode.
///
/// To look at a file's first bytes it must be opened and closed, and closing any handle of a file drops every POSIX lock
/// the process holds on it, SQLite's among them. So the look happens only while no store of the process has it open.
static OPEN: Mutex<Option<HashMap<(u64, u64), usize>>> = Mutex::new(None);

/// Counts a store as open, for as long as a connection may be.
#[derive(Debug)]
pub(super) struct Registration((u64, u64));

fn register(path: &Path) -> Result<Registration, StoreError> {
    let cannot = |error: io::Error| StoreError::Open { path: path.into(), reason: error.to_string() };
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.get_or_insert_default();
    let metadata = fs::metadata(path).map_err(cannot)?;
    let key = (metadata.dev(), metadata.ino());
    let count = open.entry(key).or_default();
    if *count == 0 && !looks_like_ours(path).map_err(cannot)? {
        open.remove(&key);
        return Err(StoreError::NotAStore { path: path.into() });
    }
    *count += 1;
    Ok(Registration(key))
}

impl Registration {
    /// Whether this is the file.
    pub(super) fn is(&self, metadata: &fs::Metadata) -> bool {
        self.0 == (metadata.dev(), metadata.ino())
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.as_mut()
            && let Some(count) = open.get_mut(&self.0)
        {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.0);
            }
        }
    }
}

/// Whether the file begins like a store, told without SQLite: it would write beside a foreign database, or into it.
fn looks_like_ours(path: &Path) -> io::Result<bool> {
    let mut header = [0; 100];
    match File::open(path)?.read_exact(&mut header) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        outcome => outcome?,
    }
    Ok(header.starts_with(b"SQLite format 3\0") && header[68..72] == APPLICATION_ID.to_be_bytes())
}
