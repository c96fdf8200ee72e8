use anyhow::Result;

use crate::step::{self, Count, cargo, timed};
use crate::{clients, links, test};

/// Everything CI runs, the clients last so that their closing lines stand at the end. One failure does not hide the
/// next: every step is taken, and one that fails as a whole counts as a failed test.
pub(crate) fn run() -> Result<()> {
    let mut report = Report::default();
    report.plain(step::run("format", &mut cargo(&["fmt", "--all", "--check"])));
    let mut lints = cargo(&["clippy", "--all-targets"]);
    report.plain(step::run("lints", lints.args(test::FEATURES).args(["--", "-D", "warnings"])));
    report.counted(test::without_clients(false));
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    report.plain(step::run("docs", docs.env("RUSTDOCFLAGS", "-D warnings")));
    report.plain(timed("links", links::check));
    report.counted(clients::test(&["codex".into(), "claude".into()], &[], false));
    report.close()
}

#[derive(Default)]
struct Report {
    count: Count,
    problems: Vec<String>,
}

impl Report {
    fn plain(&mut self, result: Result<()>) {
        self.counted(result.map(|()| Count::default()));
    }

    fn counted(&mut self, result: Result<Count>) {
        match result {
            Ok(count) => self.count.add(count),
            Err(error) => {
                self.count.failed += 1;
                self.problems.push(format!("{error:#}"));
            }
        }
    }

    fn close(self) -> Result<()> {
        for problem in &self.problems {
            println!("error: {problem}");
        }
        self.count.close()
    }
}
