//! The reference for durability: bytes at the end of a plain file, synced.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::Path,
};

use anyhow::{Context, Result};

use crate::sample;

pub(crate) const APPEND: &str = "append + fdatasync";

/// A file that only grows.
#[derive(Debug)]
pub(crate) struct FileLog(File);

impl FileLog {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().create_new(true).append(true).open(path);
        file.map(Self).with_context(|| format!("cannot make the file `{}`", path.display()))
    }

    /// Appends, and returns when it is on the disk.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes).and_then(|()| self.0.sync_data()).context("cannot append to a plain file")
    }

    /// How many milliseconds each of some appends takes.
    pub(crate) fn timed(&mut self, runs: usize, bytes: &[u8]) -> Result<Vec<f64>> {
        sample::timed(runs, || self.append(bytes))
    }
}
