//! `runsheet export`.

use std::{
    fs, io,
    io::{BufWriter, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context as _;
use runsheet_engine::{Engine, ExportReport};

use super::reading;
use crate::{fault::Fault, output, principal::principal, resolve, runtime};

/// Exports sessions.
pub(crate) fn run(context: &resolve::Context, sessions: &[String], file: Option<&Path>) -> Result<ExitCode, Fault> {
    if let Some(path) = file {
        spare_the_store(&context.config().store.path, path)?;
    }
    let engine = reading(context.config())?;
    let report = match file {
        None => {
            let mut out = Watched { inner: BufWriter::new(io::stdout()), broken: false };
            let outcome = export(&engine, sessions, &mut out);
            // The engine has made words of the error; that nobody reads any more is no failure.
            if out.broken {
                return Ok(ExitCode::SUCCESS);
            }
            outcome?
        }
        // A pipe or a device cannot be replaced.
        Some(path) if path.metadata().is_ok_and(|meta| !meta.is_file()) => {
            let file = fs::OpenOptions::new().write(true).open(path);
            let mut out = BufWriter::new(file.with_context(|| format!("{} cannot be written", path.display()))?);
            export(&engine, sessions, &mut out)?
        }
        Some(path) => {
            let failed = || format!("{} cannot be written", path.display());
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            // Whole or not at all: the file takes its name when everything is in it.
            let mut file = tempfile::NamedTempFile::new_in(folder).with_context(failed)?;
            let mut out = BufWriter::new(&mut file);
            let report = export(&engine, sessions, &mut out)?;
            drop(out);
            file.as_file().sync_all().with_context(failed)?;
            file.persist(path).with_context(failed)?;
            report
        }
    };
    if report.left_out.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let what = format!("the store is damaged: {} not exported whole", are(report.left_out.len(), "stream"));
    let places = report.left_out.iter().map(ToString::to_string).collect();
    let hint = "all others were, and what was written can be imported; `runsheet store verify` says what is damaged";
    Err(Fault::damaged(what, places).hint(hint))
}

fn are(count: usize, one: &str) -> String {
    format!("{} {}", output::count(count, one), if count == 1 { "is" } else { "are" })
}

fn export(engine: &Engine, sessions: &[String], out: &mut (dyn Write + Send)) -> Result<ExportReport, Fault> {
    let report = runtime::block_on(async {
        let mut streams = Vec::new();
        for session in sessions {
            streams.push(engine.find(&principal(), session).await?);
        }
        let streams = Some(streams).filter(|streams| !streams.is_empty());
        Ok::<_, Fault>(engine.export(streams, &mut *out).await?)
    })?;
    out.flush()?;
    report.map_err(|fault| match fault.is_damage() {
        // To export is what the usual hint would say.
        true => {
            fault.hint("`runsheet store verify` says what is damaged; `runsheet export <session>` saves one session")
        }
        false => fault,
    })
}

/// An export replaces the file it is given; the store and what lies beside it must not be that file.
fn spare_the_store(store: &Path, output: &Path) -> Result<(), Fault> {
    let named = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (store, output) = (named(store), named(output));
    let beside = ["", "-wal", "-shm", ".lock", ".next", ".live"].map(|suffix| {
        let mut name = store.clone().into_os_string();
        name.push(suffix);
        std::path::PathBuf::from(name)
    });
    if beside.iter().any(|path| output.starts_with(path)) {
        let what = format!("{} belongs to the store: an export would replace it", output.display());
        return Err(Fault::usage(what).hint("give another file with -o"));
    }
    Ok(())
}

/// A writer that remembers that nobody reads any more.
struct Watched<W> {
    inner: W,
    broken: bool,
}

impl<W> Watched<W> {
    fn see<T>(&mut self, outcome: io::Result<T>) -> io::Result<T> {
        self.broken |= outcome.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        outcome
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let outcome = self.inner.write(buf);
        self.see(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.inner.flush();
        self.see(outcome)
    }
}
