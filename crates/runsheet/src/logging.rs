//! The program's own log: stderr, or a file.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context as _;
use tracing::level_filters::LevelFilter;

use runsheet_engine::escape;

use crate::fault::Fault;

/// How the log is kept.
pub(crate) struct LogTo {
    /// How often `-v` was given.
    pub(crate) verbose: u8,
    /// A file, instead of stderr.
    pub(crate) file: Option<PathBuf>,
    /// Whether stderr is not written to: without a file there is no log.
    pub(crate) silent: bool,
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
            None if self.silent => {}
            None => log.without_time().with_target(false).with_writer(|| Line(io::stderr())).init(),
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
                let file = file.with_context(|| format!("the log {} cannot be opened", path.display()))?;
                let file = Arc::new(file);
                log.with_writer(move || Line(Arc::clone(&file))).init();
            }
        }
        Ok(())
    }
}

/// A line of the log, escaped: clients, files and folders have a say in it, and it ends on a terminal.
struct Line<W>(W);

impl<W: Write> Write for Line<W> {
    // The subscriber hands over a line at a time, whole.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        self.0.write_all(format!("{}\n", escape::line(text)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
