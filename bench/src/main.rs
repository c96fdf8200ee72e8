//! The benchmarks: each metric beside a reference that is measured in the same run, round for round.
//!
//! `cargo run --release -p runsheet-bench [-- [--quick] [--check] [filter…]]` prints a table and writes
//! `target/bench/report.json`. `docs/performance.md` explains the metrics.

mod args;
mod bench;
mod clock;
mod file_log;
mod machine;
mod mcp_client;
mod metrics;
mod program;
mod report;
mod roles;
mod sample;
mod stores;
mod table;
mod workload;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;

use args::{Args, Mode};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            // Nothing can be done about a standard error that is closed.
            let _ = writeln!(io::stderr(), "runsheet-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    match args::parse(std::env::args().skip(1))? {
        Mode::Role(role) => roles::play(&role).map(|()| ExitCode::SUCCESS),
        Mode::Help => {
            io::stdout().write_all(args::HELP.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Mode::List => {
            let mut out = io::stdout().lock();
            for group in metrics::GROUPS {
                writeln!(out, "{:<16} {}", group.name, group.about)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Mode::Measure(args) => measure(&args),
    }
}

fn measure(args: &Args) -> Result<ExitCode> {
    let bench = bench::Bench::prepare(args.quick)?;
    let machine = machine::Machine::describe(bench.folder());
    let rows = metrics::measure(&bench, &args.filters)?;
    let path = bench.report_path();
    report::write(&path, &machine, args.quick, &rows)?;
    let mut out = io::stdout().lock();
    table::print(&mut out, &machine, args.quick, &rows)?;
    writeln!(out, "\nwritten to {}", path.display())?;
    // A metric that broke, or found events lost, is a fault; one over its limit only with --check.
    let broken = rows.iter().any(report::Row::broke);
    let unheld = rows.iter().any(|row| row.within() == Some(false) || (row.limited() && row.value().is_none()));
    Ok(if broken || (args.check && unheld) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
