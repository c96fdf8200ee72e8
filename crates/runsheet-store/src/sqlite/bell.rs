//! The doorbell: who waits for new events learns of them at once, from whichever process they come.

use std::{
    fs::File,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::watch;

use super::{Shared, connection, identity, read, turnstile};

/// How often the file itself is asked, in case an event of the lock file was lost.
const FALLBACK: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Bell {
    sender: Arc<watch::Sender<u64>>,
    watching: Mutex<Option<Watching>>,
}

/// Keeps the watchers alive; dropped, both end.
#[derive(Debug)]
struct Watching {
    _lock_file: Option<RecommendedWatcher>,
    _fallback: mpsc::Sender<()>,
}

impl Bell {
    pub(super) fn new() -> Self {
        Self { sender: Arc::new(watch::Sender::new(0)), watching: Mutex::new(None) }
    }

    pub(super) fn ring(&self, position: u64) {
        ring(&self.sender, position);
    }

    /// Listens; the watchers start with the first who does, since a process that only writes should not pay for them.
    pub(super) fn listen(&self, shared: &Arc<Shared>) -> watch::Receiver<u64> {
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        if watching.is_none() {
            *watching = Some(self.start(shared));
        }
        self.sender.subscribe()
    }

    pub(super) fn stop(&self) {
        self.watching.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn start(&self, shared: &Arc<Shared>) -> Watching {
        let lock_file = watch_lock_file(shared, &self.sender)
            .inspect_err(|error| tracing::warn!(%error, "cannot watch the lock file; new events show within a second"))
            .ok();
        let (fallback, stop) = mpsc::channel();
        let (weak, sender) = (Arc::downgrade(shared), Arc::clone(&self.sender));
        let ask = move || {
            let mut known = None;
            let mut conn = None;
            while stop.recv_timeout(FALLBACK) == Err(mpsc::RecvTimeoutError::Timeout) {
                let Some(shared) = weak.upgrade() else { return };
                if let Err(error) = poll(&shared, &mut conn, &mut known, &sender) {
                    conn = None;
                    // Nothing is appended any more, and whoever waits for that must look to learn it.
                    if identity::is_moved(&error) {
                        sender.send_modify(|_| {});
                    }
                }
            }
        };
        if let Err(error) = thread::Builder::new().name("runsheet-bell".into()).spawn(ask) {
            tracing::warn!(%error, "cannot start the doorbell's fallback");
        }
        Watching { _lock_file: lock_file, _fallback: fallback }
    }
}

/// Positions only grow; a late report of an earlier one says nothing new.
fn ring(sender: &watch::Sender<u64>, position: u64) {
    sender.send_if_modified(|known| {
        let later = position > *known;
        if later {
            *known = position;
        }
        later
    });
}

fn watch_lock_file(shared: &Shared, sender: &Arc<watch::Sender<u64>>) -> notify::Result<RecommendedWatcher> {
    let path = turnstile::main_path(&shared.path);
    let file = if shared.writable { turnstile::open_lock(&path)? } else { File::open(&path)? };
    if let Some(position) = turnstile::position(&file) {
        ring(sender, position);
    }
    let sender = Arc::clone(sender);
    let mut watcher = notify::recommended_watcher(move |_| {
        if let Some(position) = turnstile::position(&file) {
            ring(&sender, position);
        }
    })?;
    watcher.watch(&path, RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

fn poll(
    shared: &Shared,
    conn: &mut Option<rusqlite::Connection>,
    known: &mut Option<i64>,
    sender: &watch::Sender<u64>,
) -> rusqlite::Result<()> {
    identity::check(shared)?;
    let conn = match conn {
        Some(conn) => conn,
        None => {
            let (opened, _) = shared.reading_connection(&shared.path)?;
            connection::into_reader(&opened)?;
            conn.insert(opened)
        }
    };
    let version: i64 = conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
    if *known != Some(version) {
        ring(sender, read::position(conn)?);
        *known = Some(version);
    }
    Ok(())
}
