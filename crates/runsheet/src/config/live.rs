//! Settings that follow their files while the program runs.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use runsheet_engine::{Settings, SettingsSource};
use tokio::sync::watch;

use super::{
    error::ConfigError,
    load::{Loader, Resolved},
};

/// How often files are looked at. A look is a handful of `stat`s.
const EVERY: Duration = Duration::from_secs(1);
/// How many folders are kept; folders are named by clients.
const MAX_FOLDERS: usize = 256;

/// The settings of every folder a session is in.
pub(crate) struct LiveSettings {
    loader: Loader,
    folders: Mutex<HashMap<Option<PathBuf>, Folder>>,
    changed: watch::Sender<u64>,
}

struct Folder {
    settings: Arc<Settings>,
    files: Vec<Stamp>,
}

/// A file as it was when it was read: it is another one when any of this differs.
#[derive(PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    seen: Option<(u64, u64, i64, i64, i64, i64)>,
}

impl Stamp {
    fn of(path: PathBuf) -> Self {
        let seen = fs::metadata(&path)
            .ok()
            .map(|meta| (meta.ino(), meta.size(), meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()));
        Self { path, seen }
    }
}

impl LiveSettings {
    /// Settings that begin as they were resolved for a folder.
    pub(crate) fn new(loader: Loader, folder: Option<&Path>, resolved: &Resolved) -> Arc<Self> {
        let files = loader.files(folder).into_iter().map(Stamp::of).collect();
        let first = Folder { settings: Arc::new(resolved.config.settings.clone()), files };
        let folders = Mutex::new(HashMap::from([(folder.map(Path::to_path_buf), first)]));
        Arc::new(Self { loader, folders, changed: watch::Sender::new(0) })
    }

    /// Follows the files from now on, for as long as somebody holds the settings.
    pub(crate) fn watch(self: &Arc<Self>) {
        let settings: Weak<Self> = Arc::downgrade(self);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(EVERY);
                let Some(settings) = settings.upgrade() else { return };
                settings.look();
            }
        });
    }

    fn folders(&self) -> MutexGuard<'_, HashMap<Option<PathBuf>, Folder>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the files of every folder, and takes what changed.
    fn look(&self) {
        let known: Vec<Option<PathBuf>> = self.folders().keys().cloned().collect();
        let mut changed = false;
        for folder in known {
            let files: Vec<Stamp> = self.loader.files(folder.as_deref()).into_iter().map(Stamp::of).collect();
            let mut folders = self.folders();
            let Some(known) = folders.get_mut(&folder).filter(|known| known.files != files) else { continue };
            known.files = files;
            match self.loader.load(folder.as_deref()) {
                Ok(resolved) if resolved.left_out.is_some() => stays(resolved.left_out.as_ref()),
                Ok(resolved) if resolved.config.settings != *known.settings => {
                    tracing::info!(folder = ?folder, "the configuration changed");
                    known.settings = Arc::new(resolved.config.settings);
                    changed = true;
                }
                Ok(_) => {}
                Err(error) => stays(Some(&error)),
            }
        }
        if changed {
            self.changed.send_modify(|count| *count += 1);
        }
    }
}

fn stays(error: Option<&ConfigError>) {
    if let Some(error) = error {
        tracing::warn!("the configuration stays as it was: {error}");
    }
}

impl SettingsSource for LiveSettings {
    fn settings(&self, cwd: Option<&str>) -> Arc<Settings> {
        // A client's word for its folder: only a whole path means one.
        let folder = cwd.map(PathBuf::from).filter(|path| path.is_absolute());
        let mut folders = self.folders();
        if let Some(known) = folders.get(&folder) {
            return Arc::clone(&known.settings);
        }
        if folders.len() >= MAX_FOLDERS {
            folders.clear();
        }
        let files = self.loader.files(folder.as_deref()).into_iter().map(Stamp::of).collect();
        let resolved = self.loader.load(folder.as_deref());
        let wrong = resolved.as_ref().map_or_else(Some, |resolved| resolved.left_out.as_ref());
        if let Some(error) = wrong {
            tracing::warn!("the configuration of a session's folder is left out: {error}");
        }
        let settings = Arc::new(resolved.map(|resolved| resolved.config.settings).unwrap_or_default());
        folders.insert(folder, Folder { settings: Arc::clone(&settings), files });
        settings
    }

    fn changed(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }
}
