//! `runsheet mcp`.

use std::process::ExitCode;

use crate::{fault::Fault, resolve};

/// Serves one agent over stdio.
pub(crate) fn run(_: resolve::Context) -> Result<ExitCode, Fault> {
    Err(Fault::usage("`mcp` is not in this build yet"))
}
