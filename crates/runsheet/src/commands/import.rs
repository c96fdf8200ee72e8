//! `runsheet import`.

use std::{
    fs::File,
    io::{self, BufReader, Seek, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context as _;

use super::brief;
use crate::{fault::Fault, output, resolve, runtime, store_open::Use};

/// Imports a file, or stdin.
pub(crate) fn run(context: &resolve::Context, file: Option<&Path>, json: bool) -> Result<ExitCode, Fault> {
    let input = match file {
        None => spooled(io::stdin().lock()).context("stdin cannot be read")?,
        Some(path) => open(path).with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let engine = brief(context.config(), Use::Write);
    let report = runtime::block_on(async {
        let report = engine.import(&mut BufReader::with_capacity(1 << 16, input)).await;
        engine.close().await;
        report
    })??;
    let mut out = output::stdout();
    if json {
        output::json(&mut out, &report)?;
    } else {
        let (streams, appended) = (output::count(report.streams, "stream"), output::count(report.appended, "event"));
        writeln!(
            out,
            "Imported {appended} of {streams}; {} here before.",
            match report.known {
                0 => "none was".into(),
                1 => "1 was".into(),
                known => format!("{known} were"),
            }
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A file that can be read twice: the first time checks it.
fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if meta.is_file() { Ok(file) } else { spooled(file) }
}

fn spooled(mut input: impl io::Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    file.rewind()?;
    Ok(file)
}
