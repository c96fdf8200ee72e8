//! `runsheet store verify`.

use std::{io::Write, process::ExitCode};

use super::reading;
use crate::{
    escape,
    fault::{Fault, Kind},
    output, resolve, runtime,
    term::{Look, Term},
};

/// Checks the store, and says what it found.
pub(crate) fn run(context: &resolve::Context, json: bool) -> Result<ExitCode, Fault> {
    let engine = reading(context.config())?;
    let verified = runtime::block_on(async { engine.verify().await })??;
    let (mut out, term) = (output::stdout(), Term::stdout());
    if json {
        output::json(&mut out, &verified)?;
    } else {
        for finding in &verified.findings {
            writeln!(out, "{} {}", term.paint(Look::Red, "▲"), escape::line(&finding.to_string()))?;
        }
        let found = match verified.findings.len() {
            0 => "all is well".into(),
            1 => "1 thing is wrong".into(),
            found => format!("{found} things are wrong"),
        };
        let events = output::count(usize::try_from(verified.events).unwrap_or(usize::MAX), "event");
        writeln!(out, "{}, {events}: {found}", output::count(verified.streams, "stream"))?;
    }
    out.flush()?;
    Ok(if verified.findings.is_empty() { ExitCode::SUCCESS } else { Kind::Damaged.into() })
}
