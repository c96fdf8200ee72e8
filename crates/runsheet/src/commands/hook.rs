//! `runsheet hook`.

use std::{
    io::{self, Read},
    process::{self, ExitCode},
    thread,
    time::Duration,
};

use super::brief;
use crate::{
    fault::Fault,
    hook_input::{HookInput, Passed},
    principal::principal,
    resolve, runtime,
    store_open::Use,
};

/// The agent waits for us: after this it goes on without.
const HARD_END: Duration = Duration::from_secs(2);
/// The longest hook that is read. Other tools' arguments can be long; ours are not.
const MAX_BYTES: u64 = 4 << 20;

/// Takes one hook. Whatever fails, the agent is not told.
pub(crate) fn run(context: &resolve::Context) -> Result<ExitCode, Fault> {
    thread::spawn(|| {
        thread::sleep(HARD_END);
        process::exit(0);
    });
    if let Err(fault) = take(context) {
        tracing::warn!("the hook was not kept: {fault}");
    }
    Ok(ExitCode::SUCCESS)
}

fn take(context: &resolve::Context) -> Result<(), Fault> {
    let mut text = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin.by_ref().take(MAX_BYTES).read_to_end(&mut text)?;
    if text.len() as u64 == MAX_BYTES {
        // Read to its end all the same: a client that cannot write its hook may take that for a failure.
        io::copy(&mut stdin, &mut io::sink())?;
        return Err(Fault::usage(format!("it is longer than {MAX_BYTES} bytes")));
    }
    let input: HookInput = serde_json::from_slice(&text).map_err(Fault::usage)?;
    let hook = match input.pre_tool_use(principal()) {
        Ok(hook) => hook,
        Err(passed @ (Passed::NoCallId | Passed::NoId)) => {
            return Err(Fault::usage(format!("an id in it is missing, too long or no text ({passed:?})")));
        }
        Err(passed) => {
            tracing::debug!("the hook is passed over: {passed:?}");
            return Ok(());
        }
    };
    let engine = brief(context.config(), Use::Write);
    Ok(runtime::block_on(async { engine.pre_tool_use(hook).await })??)
}
