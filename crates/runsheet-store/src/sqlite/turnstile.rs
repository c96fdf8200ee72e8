//! Whose turn it is to write, among all threads of all processes.
//!
//! Two file locks beside the database. A writer takes `next`, then `main`, then lets go of `next`: whoever waits for
//! `main` is alone there, and all others queue for `next`, so that a process which writes again at once stands in line
//! like everybody else. Nothing else is ever locked by a thread that holds these except SQLite's own locks, in the order
//! `next`, `main`, SQLite.
//!
//! The main lock's file says who holds it, and is the doorbell: its first eight bytes are the position of the feed's
//! end, written after the commit is visible.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

const PID_AT: u64 = 8;

pub(super) fn sidecar(database: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(suffix);
    name.into()
}

/// The file that is lock and doorbell.
pub(super) fn main_path(database: &Path) -> PathBuf {
    sidecar(database, ".lock")
}

fn next_path(database: &Path) -> PathBuf {
    sidecar(database, ".next")
}

pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// One writer's own handles on the two locks.
#[derive(Debug)]
pub(super) struct Turnstile {
    main: File,
    next: File,
}

/// The right to write; ends when dropped.
pub(super) struct Turn<'a>(&'a Turnstile);

impl Turnstile {
    pub(super) fn open(database: &Path) -> io::Result<Self> {
        Ok(Self { main: open_lock(&main_path(database))?, next: open_lock(&next_path(database))? })
    }

    /// Waits for the turn without limit: callers give up by themselves.
    pub(super) fn wait(&self) -> io::Result<Turn<'_>> {
        uninterrupted(|| self.next.lock())?;
        sign_if_possible(&self.next);
        let main = uninterrupted(|| self.main.lock());
        self.next.unlock()?;
        main?;
        let turn = Turn(self);
        sign_if_possible(&self.main);
        Ok(turn)
    }

    /// The turn, if nobody has it and nobody waits for it.
    pub(super) fn try_now(&self) -> io::Result<Option<Turn<'_>>> {
        self.wait_within(Duration::ZERO)
    }

    /// Waits for the turn at most so long; `None` when it did not come.
    pub(super) fn wait_within(&self, patience: Duration) -> io::Result<Option<Turn<'_>>> {
        let until = Instant::now() + patience;
        if !try_until(&self.next, until)? {
            return Ok(None);
        }
        sign_if_possible(&self.next);
        let main = try_until(&self.main, until);
        self.next.unlock()?;
        if !main? {
            return Ok(None);
        }
        let turn = Turn(self);
        sign_if_possible(&self.main);
        Ok(Some(turn))
    }
}

impl Turn<'_> {
    /// Rings for everyone who watches: the feed ends at `position` now.
    pub(super) fn ring(&self, position: u64) -> io::Result<()> {
        self.0.main.write_all_at(&position.to_le_bytes(), 0)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // Unlocking an open file that is locked does not fail; closing it would release it anyway.
        let _ = self.0.main.unlock();
    }
}

/// The position last rung in a lock file.
pub(super) fn position(main: &File) -> Option<u64> {
    let mut bytes = [0; 8];
    main.read_exact_at(&mut bytes, 0).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Who keeps others waiting: the holder of the main lock, or of `next` when the main one is free (a process stopped
/// between the two). 0 when it cannot be told.
pub(super) fn holder(database: &Path) -> u32 {
    let blamed = |path: PathBuf| {
        let file = File::open(path).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => signed(&file),
            _ => None,
        }
    };
    blamed(main_path(database)).or_else(|| blamed(next_path(database))).unwrap_or(0)
}

/// Writes our pid, unless it stands there: each write wakes every watcher.
pub(super) fn sign(file: &File) -> io::Result<()> {
    let pid = std::process::id();
    if signed(file) == Some(pid) { Ok(()) } else { file.write_all_at(&pid.to_le_bytes(), PID_AT) }
}

/// On a full disk a lock still works, only nobody can tell whose it is.
fn sign_if_possible(file: &File) {
    if let Err(error) = sign(file) {
        tracing::debug!(%error, "cannot write our pid into a lock file");
    }
}

/// The pid that stands in a lock file.
pub(super) fn signed(file: &File) -> Option<u32> {
    let mut bytes = [0; 4];
    file.read_exact_at(&mut bytes, PID_AT).ok()?;
    Some(u32::from_le_bytes(bytes)).filter(|pid| *pid != 0)
}

fn try_until(file: &File, until: Instant) -> io::Result<bool> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            Err(_) if Instant::now() >= until => return Ok(false),
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

pub(super) fn uninterrupted(mut lock: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
