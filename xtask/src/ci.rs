use anyhow::Result;

use crate::step::{self, cargo, timed};
use crate::{clients, links, test};

/// Everything CI runs, the clients last so that their closing lines stand at the end.
pub(crate) fn run() -> Result<()> {
    step::run("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    let mut lints = cargo(&["clippy", "--all-targets"]);
    step::run("lints", lints.args(test::FEATURES).args(["--", "-D", "warnings"]))?;
    let mut count = test::without_clients(false)?;
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    step::run("docs", docs.env("RUSTDOCFLAGS", "-D warnings"))?;
    timed("links", links::check)?;
    // Nothing is hidden behind a failed test: the clients run all the same.
    count.add(clients::test(&["codex".into(), "claude".into()], &[], false)?);
    count.close()
}
