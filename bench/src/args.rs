//! The command line.

use anyhow::{Result, bail};

pub(crate) const HELP: &str = "\
Usage: cargo xtask bench [--quick] [--check] [FILTER…]

  FILTER…   only metrics whose name contains one of these
  --quick   fewer rounds and smaller logs: to see that it works, not to compare
  --check   exit with 1 when a metric is over its limit, or could not be measured
  --list    the groups of metrics
";

/// What the program is to do.
pub(crate) enum Mode {
    Help,
    List,
    Measure(Args),
    /// Be one of the processes that a metric needs.
    Role(Vec<String>),
}

/// How to measure.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub(crate) filters: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) check: bool,
}

/// The hidden first argument of a process that plays a role.
pub(crate) const ROLE: &str = "--role";

pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Mode> {
    let mut arguments = arguments.peekable();
    if arguments.peek().is_some_and(|first| first == ROLE) {
        return Ok(Mode::Role(arguments.skip(1).collect()));
    }
    let mut args = Args::default();
    for argument in arguments {
        match &*argument {
            "--quick" => args.quick = true,
            "--check" => args.check = true,
            "--list" => return Ok(Mode::List),
            "--help" | "-h" => return Ok(Mode::Help),
            flag if flag.starts_with('-') => bail!("there is no option `{flag}`; --help lists them"),
            _ => args.filters.push(argument),
        }
    }
    Ok(Mode::Measure(args))
}
