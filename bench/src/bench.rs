//! What all metrics share: where to work and how much to do.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};

/// One run of the benchmarks. Its folder lies in `target`, on the disk that builds are made on, and goes with it.
#[derive(Debug)]
pub(crate) struct Bench {
    folder: PathBuf,
    report: PathBuf,
    quick: bool,
    folders: Cell<usize>,
}

impl Bench {
    pub(crate) fn prepare(quick: bool) -> Result<Self> {
        let own = std::env::current_exe().context("cannot find this program's own file")?;
        let target = own.ancestors().nth(2).context("this program does not lie in a target folder")?.join("bench");
        let folder = target.join(format!("run-{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        Ok(Self { folder, report: target.join("report.json"), quick, folders: Cell::new(0) })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn report_path(&self) -> PathBuf {
        self.report.clone()
    }

    /// How many of something: the full number, or that of a quick run.
    pub(crate) const fn count(&self, full: usize, quick: usize) -> usize {
        if self.quick { quick } else { full }
    }

    /// How long something lasts, in a full run or a quick one.
    pub(crate) const fn lasting(&self, full_ms: u64, quick_ms: u64) -> Duration {
        Duration::from_millis(if self.quick { quick_ms } else { full_ms })
    }

    /// An empty folder, for one purpose.
    pub(crate) fn fresh_folder(&self, purpose: &str) -> Result<PathBuf> {
        let number = self.folders.get();
        self.folders.set(number + 1);
        let folder = self.folder.join(format!("{number}-{purpose}"));
        fs::create_dir(&folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        Ok(folder)
    }

    /// The path of a store that is not there yet.
    pub(crate) fn fresh_store(&self, purpose: &str) -> Result<PathBuf> {
        Ok(self.fresh_folder(purpose)?.join("runsheet.db"))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // What cannot be removed is found in `target`, by its process id.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
