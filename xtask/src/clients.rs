use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::step::{Count, cargo, run, run_tests, timed};
use crate::{install, namespace, test};

/// A group is a module of `tests/it/` and a name in `tests/clients.json`.
const GROUPS: [&str; 6] = ["codex", "claude", "opencode", "dsh", "gemini", "mcp"];

pub(crate) fn groups() -> Vec<String> {
    GROUPS.map(str::to_owned).to_vec()
}

pub(crate) fn is_group(name: &str) -> bool {
    GROUPS.contains(&name)
}

/// Installs the clients of these groups and runs their tests, of those with a filter only the ones it names.
pub(crate) fn test(groups: &[String], filters: &[String], soak: bool) -> Result<Count> {
    let tmux = !groups.iter().any(|group| group == "claude") || namespace::has("tmux");
    ensure!(tmux, "`tmux` is missing, and Claude Code is also driven in a terminal; install the package `tmux`");
    let root = install::root()?;
    timed("install the clients", || install::all(&root, groups))?;

    let mut build = cargo(&["build", "--bin", "runsheet", "--test", "e2e"]);
    run("build", build.args(test::FEATURES))?;
    let tests = built_tests()?;

    let runs = root.join("runs").join(std::process::id().to_string());
    clear_old_runs(&root.join("runs"));
    fs::create_dir_all(&runs).with_context(|| format!("cannot make {}", runs.display()))?;
    let times = runs.join("times");
    let mut command = namespace::command(&tests)?;
    command.args(selection(groups, filters, &tests)?);
    command.env("RUNSHEET_BIN", test::binary()).env("RUNSHEET_CLIENTS", &root);
    command.env("RUNSHEET_E2E_RUNS", &runs).env("RUNSHEET_E2E_TIMES", &times);
    if soak {
        command.env("RUNSHEET_SOAK", "1");
    }
    let count = run_tests("client tests", &mut command)?;
    print_times(&times);
    if count.failed == 0 {
        // What a passed run leaves is of no use; what a failed one leaves is named in its output.
        let _ = fs::remove_dir_all(&runs);
    }
    Ok(count)
}

/// The exact names of the wanted tests: libtest's own filters can say "or", but not "and".
fn selection(groups: &[String], filters: &[String], tests: &Path) -> Result<Vec<String>> {
    let output = std::process::Command::new(tests).args(["--list", "--format=terse"]).output()?;
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    let wanted = names.filter(|name| {
        let group = name.split("::").next().unwrap_or_default();
        groups.iter().any(|wanted| wanted == group)
            && (filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str())))
    });
    let mut arguments: Vec<String> = wanted.map(str::to_owned).collect();
    ensure!(!arguments.is_empty(), "no test of {} matches {}", groups.join(", "), filters.join(", "));
    arguments.push("--exact".into());
    Ok(arguments)
}

/// The program cargo has just built, by asking cargo for it.
fn built_tests() -> Result<PathBuf> {
    let mut command = cargo(&["build", "--bin", "runsheet", "--test", "e2e", "--quiet", "--message-format=json"]);
    let output = command.args(test::FEATURES).output().context("cannot start cargo")?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let built = messages
        .filter(|message| message["target"]["name"] == "e2e" && message["target"]["kind"][0] == "test")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    built.context("cargo did not say where it put the test `e2e`")
}

/// Removes what failed runs left for reading, unless they still run.
fn clear_old_runs(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !Path::new("/proc").join(entry.file_name()).exists() {
            // Left over for the next time if it cannot go.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn print_times(times: &Path) {
    let noted = fs::read_to_string(times).unwrap_or_default();
    // A test with two sandboxes notes two times; the longer one is its own.
    let mut longest: BTreeMap<&str, f64> = BTreeMap::new();
    for (seconds, name) in noted.lines().filter_map(|line| line.split_once('\t')) {
        let longest = longest.entry(name).or_default();
        *longest = longest.max(seconds.parse().unwrap_or(0.0));
    }
    let mut rows: Vec<(&str, f64)> = longest.into_iter().collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (name, seconds) in rows {
        println!("{seconds:>7.1} s  {name}");
    }
}
