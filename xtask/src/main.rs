//! `cargo xtask ci | test | web | shots | bench`: everything the project runs on itself, here and in CI.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks on its own outputs")]

mod ci;
mod clients;
mod install;
mod links;
mod namespace;
mod step;
mod test;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask <command>

  ci                                    all that CI runs: format, lints, tests, docs, links, Codex and Claude Code
  test [--soak]                         every test that needs no client
  test --clients [NAME,…] [--soak] [FILTER…]
                                        installs the pinned clients (codex, claude, opencode, dsh, gemini, mcp;
                                        all without names) and runs their tests where only loopback exists
  web                                   the web client's tests: types, units, a browser over mock and real host
  shots                                 pictures of the web client's main views, in both themes and languages
  bench [ARGUMENT…]                     the benchmarks, in release

  --soak also runs what takes long. RUNSHEET_CLIENTS names the folder the clients are installed under
  (default ~/.cache/runsheet-clients).";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let Some((command, rest)) = arguments.split_first() else { bail!("no command\n\n{USAGE}") };
    match command.as_str() {
        "ci" if rest.is_empty() => ci::run(),
        "test" => test::run(&test::Wanted::parse(rest)?),
        "web" if rest.is_empty() => web::test()?.close(),
        "shots" if rest.is_empty() => web::shots(),
        "bench" => bench(rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("no command `{other}` of this form\n\n{USAGE}"),
    }
}

fn bench(arguments: &[String]) -> Result<()> {
    let mut command = step::cargo(&["run", "--release", "--quiet", "--package", "runsheet-bench", "--"]);
    step::run("bench", command.args(arguments))
}

/// The workspace's folder.
fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}
