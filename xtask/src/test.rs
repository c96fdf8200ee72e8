use anyhow::{Result, bail};

use crate::step::{self, Count, cargo, run_tests};
use crate::{clients, web, workspace};

/// The features every command builds with, so that one command never rebuilds another's work.
pub(crate) const FEATURES: [&str; 2] = ["--workspace", "--features=runsheet-e2e/clients"];

/// What of the tests is wanted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// `None`: the tests without clients. Else the groups.
    clients: Option<Vec<String>>,
    soak: bool,
    filters: Vec<String>,
}

impl Wanted {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self> {
        let mut wanted = Self { clients: None, soak: false, filters: Vec::new() };
        let mut rest = arguments.iter().peekable();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--soak" => wanted.soak = true,
                "--clients" => {
                    let names = rest.next_if(|next| next.split(',').all(clients::is_group));
                    wanted.clients =
                        Some(names.map_or_else(clients::groups, |names| names.split(',').map(str::to_owned).collect()));
                }
                flag if flag.starts_with('-') => bail!("`cargo xtask test` has no {flag}; see `cargo xtask help`"),
                filter if wanted.clients.is_some() => wanted.filters.push(filter.to_owned()),
                other => bail!("`{other}` is not understood; to run single tests use `cargo test {other}`"),
            }
        }
        Ok(wanted)
    }
}

pub(crate) fn run(wanted: &Wanted) -> Result<()> {
    let count = match &wanted.clients {
        None => without_clients(wanted.soak)?,
        Some(groups) => clients::test(groups, &wanted.filters, wanted.soak)?,
    };
    count.close()
}

/// All tests but those that need a client.
pub(crate) fn without_clients(soak: bool) -> Result<Count> {
    // First the binaries: some tests start ours.
    step::run("build", cargo(&["build", "--workspace", "--bins", "--tests"]).env_remove("RUNSHEET_BIN"))?;
    let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
    command.env("RUNSHEET_BIN", binary());
    if soak {
        command.env("RUNSHEET_SOAK", "1");
    }
    let mut count = run_tests("tests", &mut command)?;
    count.add(web::test()?);
    Ok(count)
}

/// Where cargo puts our binary.
pub(crate) fn binary() -> std::path::PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), std::path::PathBuf::from);
    workspace().join(target).join("debug/runsheet")
}

#[cfg(test)]
mod tests {
    use super::Wanted;

    fn parse(line: &str) -> Option<(Option<usize>, bool, usize)> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let wanted = Wanted::parse(&words).ok()?;
        Some((wanted.clients.map(|groups| groups.len()), wanted.soak, wanted.filters.len()))
    }

    #[test]
    fn arguments_are_understood() {
        assert_eq!(parse(""), Some((None, false, 0)));
        assert_eq!(parse("--soak"), Some((None, true, 0)));
        assert_eq!(parse("--clients"), Some((Some(6), false, 0)));
        assert_eq!(parse("--clients codex,claude --soak"), Some((Some(2), true, 0)));
        assert_eq!(parse("--clients codex sub_agent"), Some((Some(1), false, 1)));
        assert_eq!(parse("--fast"), None);
        assert_eq!(parse("sub_agent"), None);
    }
}
