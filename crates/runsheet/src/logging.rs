//! The program's own log: stderr, or a file.

use std::{fs::OpenOptions, os::unix::fs::OpenOptionsExt, path::PathBuf, sync::Mutex};

use anyhow::Context as _;
use tracing::level_filters::LevelFilter;

use crate::fault::Fault;

/// How the log is kept.
pub(crate) struct LogTo {
    /// How often `-v` was given.
    pub(crate) verbose: u8,
    /// A file, instead of stderr.
    pub(crate) file: Option<PathBuf>,
}

impl LogTo {
    /// Opens the log.
    pub(crate) fn open(&self) -> Result<(), Fault> {
        let level = match self.verbose {
            0 => LevelFilter::WARN,
            1 => LevelFilter::INFO,
            2 => LevelFilter::DEBUG,
            _ => LevelFilter::TRACE,
        };
        let log = tracing_subscriber::fmt().with_max_level(level).with_ansi(false);
        match &self.file {
            None => log.without_time().with_target(false).with_writer(std::io::stderr).init(),
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
                let file = file.with_context(|| format!("the log {} cannot be opened", path.display()))?;
                log.with_writer(Mutex::new(file)).init();
            }
        }
        Ok(())
    }
}
