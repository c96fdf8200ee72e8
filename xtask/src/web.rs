//! The web client: its types, its unit tests, and a browser over the mock host and over the real program.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{self, Count, cargo, run_tests};
use crate::{namespace, test, workspace};

/// Everything the web client is tested with.
pub(crate) fn test() -> Result<Count> {
    prepare()?;
    step::run("web: types", &mut npm(&["run", "--silent", "check"]))?;
    step::run("web: units", &mut npm(&["test", "--silent"]))?;
    step::run("web: build", &mut npm(&["run", "--silent", "build"]))?;
    let mut count = run_tests("web: browser, mock host", &mut node_test("test:mock"))?;
    step::run("build", &mut cargo(&["build", "--bin", "runsheet"]))?;
    count.add(run_tests("web: browser, real host", node_test("test:host").env("RUNSHEET_BIN", test::binary()))?);
    Ok(count)
}

/// Pictures of the main views over the real program, under `target/shots`.
pub(crate) fn shots() -> Result<()> {
    prepare()?;
    step::run("build", &mut cargo(&["build", "--bin", "runsheet"]))?;
    let folder = workspace().join("target/shots");
    let mut command = npm(&["run", "--silent", "shots", "--"]);
    step::run("shots", command.arg(&folder).env("RUNSHEET_BIN", test::binary()))?;
    println!("the pictures are in {}", folder.display());
    Ok(())
}

/// What the tests need: Node's packages as they are locked, and a browser.
fn prepare() -> Result<()> {
    ensure!(namespace::has("npm"), "`npm` is missing, and the web client needs it; install Node.js 20.19 or newer");
    let browser = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    ensure!(
        browser.is_file(),
        "there is no {}, and the web client is tested in a real browser; install the package `chromium`, or name a \
         Chromium in CHROMIUM",
        browser.display()
    );
    let web = workspace().join("web");
    let lock = fs::read(web.join("package-lock.json")).context("cannot read web/package-lock.json")?;
    // Written last, so that an interrupted installation is done again.
    let stamp = web.join("node_modules/.runsheet-stamp");
    if fs::read(&stamp).is_ok_and(|there| there == lock) {
        return Ok(());
    }
    step::run("web: install", &mut npm(&["ci", "--include=dev", "--loglevel=error"]))?;
    fs::write(&stamp, lock).context("cannot write in web/node_modules")
}

fn node_test(script: &str) -> Command {
    npm(&["run", "--silent", script])
}

fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(workspace().join("web")).env_remove("NODE_ENV");
    command
}
