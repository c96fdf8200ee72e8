//! The command line of Runsheet: what was typed ([`args`]), what it means ([`resolve`]), and the commands.

mod args;
mod browser;
mod commands;
mod config;
mod demo;
mod descriptors;
mod fault;
mod hook_input;
mod logging;
mod output;
mod peer;
mod principal;
#[cfg(test)]
mod reference;
mod resolve;
mod runtime;
mod session_line;
mod store_open;
mod table;
mod term;
mod usage;

use std::process::ExitCode;

use clap::Parser;
use fault::Fault;
use resolve::{Action, Command, HiArgs};
use runsheet_engine::escape;

fn main() -> ExitCode {
    // A hook must not stand in its agent's way, whatever is wrong: to Claude Code, exit code 2 means to block the call.
    let forgiven = std::env::args_os().any(|arg| arg == "hook");
    // And a status line has no place for an error at all.
    let silent = std::env::args_os().nth(1).is_some_and(|arg| arg == "statusline");
    let args = match args::LowArgs::try_parse() {
        Ok(args) => args,
        Err(error) if forgiven && error.use_stderr() => {
            _ = usage::escaped(error).print();
            return ExitCode::SUCCESS;
        }
        Err(error) if silent && error.use_stderr() => return ExitCode::SUCCESS,
        Err(error) => usage::escaped(error).exit(),
    };
    let forgiven = forgiven && matches!(args.command, Some(args::LowCommand::Hook(_)));
    let silent = matches!(args.command, Some(args::LowCommand::Statusline));
    match HiArgs::new(args).and_then(run) {
        Ok(code) => code,
        // Who reads us has read enough.
        Err(fault) if fault.is_broken_pipe() => ExitCode::SUCCESS,
        Err(_) if silent => ExitCode::SUCCESS,
        Err(fault) => {
            let code = fault.report();
            if forgiven { ExitCode::SUCCESS } else { code }
        }
    }
}

fn run(args: HiArgs) -> Result<ExitCode, Fault> {
    let (setup, command) = match args.action {
        Action::Completions(shell) => return commands::completions::run(shell),
        Action::Man(folder) => return commands::man::run(folder.as_deref()),
        Action::Run(setup, command) => (setup, command),
    };
    args.log.open()?;
    let context =
        if matches!(command, Command::Hook | Command::Statusline) { setup.load_own()? } else { setup.load()? };
    if !matches!(command, Command::ConfigShow { .. }) {
        context.config().store.placed()?;
    }
    match command {
        Command::Screen => commands::screen::run(&context),
        Command::Mcp => commands::mcp::run(context),
        Command::Serve { open } => commands::serve::run(context, open),
        Command::Hook => commands::hook::run(&context),
        Command::Ls { limit, json } => commands::ls::run(&context, limit, json),
        Command::Show { session, json } => commands::show::run(&context, &session, json),
        Command::Log { session, follow, json } => commands::log::run(&context, session.as_deref(), follow, json),
        Command::Watch { session, mouse } => commands::watch::run(&context, session.as_deref(), mouse),
        Command::Statusline => commands::statusline::run(&context),
        Command::Demo { mouse } => commands::demo::run(&context, mouse),
        Command::Export { sessions, output } => commands::export::run(&context, &sessions, output.as_deref()),
        Command::Import { file, json } => commands::import::run(&context, file.as_deref(), json),
        Command::Verify { json } => commands::verify::run(&context, json),
        Command::ConfigShow { origins, json } => commands::config::run(&context.resolved, origins, json),
    }
}
