//! Locks of sessions: files beside the database, `<db>.live/<session>` shared by all who serve it, and
//! `<db>.live/<session>.own` for its one writer.
//!
//! A file is removed by whoever holds its exclusive lock. So whoever gets a lock makes sure that the file is still the
//! one at its path, and begins again when it is not.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    sync::Once,
    thread,
    time::{Duration, Instant},
};

use uuid::Uuid;

use super::turnstile::{open_lock, sidecar, sign, signed};
use crate::{
    error::StoreError,
    locks::{Attachment, LastOut, OwnerLock},
};

/// How long a lock held for a moment only is waited for: somebody is removing the file.
const MOMENT: Duration = Duration::from_millis(50);

/// How many left-over files are looked at.
const MAX_SWEPT: usize = 1_000;

/// The folder of a store's session locks.
#[derive(Debug)]
pub(super) struct Live {
    folder: PathBuf,
    swept: Once,
}

#[derive(Clone, Copy)]
enum Outcome {
    Got,
    Taken,
    /// The file at the path is another one now.
    Gone,
}

impl Live {
    pub(super) fn new(database: &Path) -> Self {
        Self { folder: sidecar(database, ".live"), swept: Once::new() }
    }

    /// Joins; the second value says whether nobody served the session before. Waits for a last one that is settling.
    pub(super) fn attach(&self, session: Uuid, patience: Duration) -> Result<(Box<dyn Attachment>, bool), StoreError> {
        let path = self.path(&session.to_string())?;
        let until = Instant::now() + patience;
        loop {
            let file = open_lock(&path).map_err(|error| failed(&error))?;
            match exclusive(&file, &path).map_err(|error| failed(&error))? {
                // Another may come between the two locks; then it was first, and we come again.
                Outcome::Got if shared(&file, &path).map_err(|error| failed(&error))?.is_got() => {
                    return Ok((Box::new(Attached { file, path }), true));
                }
                Outcome::Taken if shared(&file, &path).map_err(|error| failed(&error))?.is_got() => {
                    return Ok((Box::new(Attached { file, path }), false));
                }
                _ => {}
            }
            if Instant::now() >= until {
                return Err(StoreError::SessionBusy { session, pid: signed(&file).unwrap_or(0) });
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether nobody serves the session. A file that cannot be looked at says nothing.
    pub(super) fn deserted(&self, session: Uuid) -> bool {
        let path = self.folder.join(session.to_string());
        match File::open(&path) {
            Ok(file) => exclusive(&file, &path).is_ok_and(Outcome::is_got),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    /// Becomes the session's writer.
    pub(super) fn own(&self, session: Uuid) -> Result<Box<dyn OwnerLock>, StoreError> {
        let path = self.path(&format!("{session}.own"))?;
        let until = Instant::now() + MOMENT;
        loop {
            let file = open_lock(&path).map_err(|error| failed(&error))?;
            if exclusive(&file, &path).map_err(|error| failed(&error))?.is_got() {
                sign(&file).map_err(|error| failed(&error))?;
                return Ok(Box::new(Held { file, path }));
            }
            if Instant::now() >= until {
                return Err(StoreError::SessionBusy { session, pid: signed(&file).unwrap_or(0) });
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn path(&self, name: &str) -> Result<PathBuf, StoreError> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).map_err(|error| failed(&error))?;
        self.swept.call_once(|| sweep(&self.folder));
        Ok(self.folder.join(name))
    }
}

impl Outcome {
    const fn is_got(self) -> bool {
        matches!(self, Self::Got)
    }
}

fn exclusive(file: &File, path: &Path) -> io::Result<Outcome> {
    outcome(file.try_lock(), file, path)
}

fn shared(file: &File, path: &Path) -> io::Result<Outcome> {
    outcome(file.try_lock_shared(), file, path)
}

fn outcome(locked: Result<(), TryLockError>, file: &File, path: &Path) -> io::Result<Outcome> {
    match locked {
        Ok(()) if stands(file, path)? => Ok(Outcome::Got),
        Ok(()) => Ok(Outcome::Gone),
        Err(TryLockError::WouldBlock) => Ok(Outcome::Taken),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an open file is the one at its path.
fn stands(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes files that crashed processes left behind. A failure leaves a small file, nothing else.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.take(MAX_SWEPT).flatten() {
        let path = entry.path();
        if let Ok(file) = File::open(&path)
            && exclusive(&file, &path).is_ok_and(Outcome::is_got)
        {
            let _ = fs::remove_file(&path);
        }
    }
}

fn failed(error: &io::Error) -> StoreError {
    StoreError::io("lock a session", error)
}

#[derive(Debug)]
struct Attached {
    file: File,
    path: PathBuf,
}

impl Attachment for Attached {
    fn leave(self: Box<Self>) -> Option<Box<dyn LastOut>> {
        // Asking for the exclusive lock gives the shared one back, whether it is granted or not.
        let last = exclusive(&self.file, &self.path).is_ok_and(Outcome::is_got);
        last.then(|| {
            let Self { file, path } = *self;
            let _ = sign(&file);
            Box::new(Held { file, path }) as Box<dyn LastOut>
        })
    }
}

/// An exclusive lock; its file goes with it.
#[derive(Debug)]
struct Held {
    file: File,
    path: PathBuf,
}

impl LastOut for Held {}
impl OwnerLock for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        if stands(&self.file, &self.path).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
