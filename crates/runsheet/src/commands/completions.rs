//! `runsheet completions`.

use std::{io::Write, process::ExitCode};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{args::LowArgs, fault::Fault};

/// Prints a completion script.
pub(crate) fn run(shell: Shell) -> Result<ExitCode, Fault> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut LowArgs::command(), "runsheet", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
