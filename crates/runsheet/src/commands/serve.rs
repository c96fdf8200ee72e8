//! `runsheet serve`.

use std::process::ExitCode;

use crate::{fault::Fault, resolve};

/// Serves agents over HTTP.
pub(crate) fn run(_: resolve::Context) -> Result<ExitCode, Fault> {
    Err(Fault::usage("`serve` is not in this build yet"))
}
