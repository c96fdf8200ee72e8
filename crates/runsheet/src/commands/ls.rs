//! `runsheet ls`.

use std::{io::Write, process::ExitCode};

use runsheet_engine::{Clock, ListReport, SystemClock};

use super::brief;
use crate::{
    config::Config,
    fault::Fault,
    output, resolve, runtime, session_line,
    store_open::{self, Use},
    term::Term,
};

/// Lists the sessions.
pub(crate) fn run(context: &resolve::Context, limit: usize, json: bool) -> Result<ExitCode, Fault> {
    let report = sessions(context.config(), limit)?;
    let mut out = output::stdout();
    if json {
        output::json(&mut out, &report)?;
    } else if report.sessions.is_empty() {
        writeln!(out, "No sessions yet. `runsheet` shows how to connect an agent.")?;
    } else {
        session_line::write(&mut out, &Term::stdout(), SystemClock.now(), &report.sessions, "")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The sessions; none where there is no store.
pub(crate) fn sessions(config: &Config, limit: usize) -> Result<ListReport, Fault> {
    if !store_open::is_there(&config.store) {
        return Ok(ListReport { sessions: Vec::new(), damaged: Vec::new() });
    }
    let engine = brief(config, Use::Read);
    let report = runtime::block_on(async { engine.list(limit).await })??;
    for what in &report.damaged {
        tracing::warn!("a session cannot be listed: {what}");
    }
    Ok(report)
}
