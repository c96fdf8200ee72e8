use std::process::Command;

use runsheet_e2e::check::id;
use runsheet_e2e::process::tail;
use runsheet_e2e::runsheet::Runsheet;
use runsheet_e2e::sandbox::Sandbox;
use runsheet_e2e::testers::{self, expected_failures, node_tool, python, typescript};
use runsheet_e2e::todos::first;
use serde_json::Value;

/// Where a tester finds our server.
enum At {
    Stdio,
    /// `/mcp/s/<name>`.
    Named,
    /// `/mcp`, with nothing that names a session.
    Bare,
}

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

#[test]
fn python_auto_over_stdio() {
    sdk(|sandbox| python(sandbox, "auto"), &At::Stdio, MODERN);
}

#[test]
fn python_auto_over_http() {
    sdk(|sandbox| python(sandbox, "auto"), &At::Named, MODERN);
}

#[test]
fn python_legacy_over_stdio() {
    sdk(|sandbox| python(sandbox, "legacy"), &At::Stdio, LEGACY);
}

#[test]
fn python_legacy_over_http() {
    sdk(|sandbox| python(sandbox, "legacy"), &At::Named, LEGACY);
}

#[test]
fn python_legacy_over_bare_http_has_the_protocols_own_session() {
    sdk(|sandbox| python(sandbox, "legacy"), &At::Bare, LEGACY);
}

#[test]
fn typescript_over_stdio() {
    sdk(typescript, &At::Stdio, LEGACY);
}

#[test]
fn typescript_over_http() {
    sdk(typescript, &At::Named, LEGACY);
}

/// An SDK's client lists, writes and reads; the store then has what it wrote.
fn sdk(client: impl Fn(&Sandbox) -> Command, at: &At, protocol: &str) {
    let sandbox = Sandbox::new();
    let runsheet = Runsheet::new(&sandbox);
    let told = ask(&sandbox, &runsheet, client(&sandbox), at);
    assert_eq!(told["protocol"], protocol, "{told:#}");
    assert_eq!(told["tools"], serde_json::json!(["todo_write"]), "{told:#}");
    assert_eq!(told["written"]["isError"], false, "{told:#}");
    assert_eq!(told["written"]["text"][0], "Updated todo list: 2 pending, 1 in progress, 0 completed.", "{told:#}");
    assert_eq!(told["wrong"]["isError"], true, "{told:#}");
    assert_eq!(told["read"]["todos"], first(), "{told:#}");
    let sessions = runsheet.sessions();
    assert_eq!(sessions.len(), 1, "{sessions:#?}");
    let shown = runsheet.show(&id(&sessions[0]));
    assert_eq!((&shown["todos"], &shown["state"]), (&first(), &"paused".into()), "{shown:#}");
}

/// A stateless client that names no session has no list; it is told so, and how to have one.
#[test]
fn python_auto_over_bare_http_is_refused_with_a_hint() {
    let sandbox = Sandbox::new();
    let runsheet = Runsheet::new(&sandbox);
    let told = ask(&sandbox, &runsheet, python(&sandbox, "auto"), &At::Bare);
    assert_eq!(told["written"]["isError"], true, "{told:#}");
    assert_eq!(told["written"]["text"][0], "Error: todo_write requires an owning agent session", "{told:#}");
    assert!(told["written"]["text"][1].as_str().is_some_and(|hint| hint.contains("/mcp/s/")), "{told:#}");
    assert_eq!(runsheet.sessions(), Vec::<Value>::new());
}

fn ask(sandbox: &Sandbox, runsheet: &Runsheet<'_>, mut client: Command, at: &At) -> Value {
    let served = (!matches!(at, At::Stdio)).then(|| runsheet.serve());
    match (&served, at) {
        (Some(served), At::Named) => client.arg(format!("{}/s/tester", served.url)),
        (Some(served), _) => client.arg(&served.url),
        (None, _) => client.args(runsheet.stdio_server()),
    };
    let finished = testers::run(sandbox, client.env("LIST", first().to_string()), "client").succeeded("the client");
    if let Some(served) = served {
        served.terminate();
    }
    let told = serde_json::from_str(&finished.stdout);
    told.unwrap_or_else(|error| panic!("the client printed no JSON ({error}): {}", tail(&finished.stdout)))
}

#[test]
fn inspector_is_content_over_stdio() {
    let sandbox = Sandbox::new();
    let runsheet = Runsheet::new(&sandbox);
    inspect(&sandbox, &runsheet.stdio_server());
}

#[test]
fn inspector_is_content_over_http() {
    let sandbox = Sandbox::new();
    let served = Runsheet::new(&sandbox).serve();
    let target = [format!("{}/s/inspector", served.url), "--transport".into(), "http".into()];
    inspect(&sandbox, &target);
    served.terminate();
}

/// No error and no warning, also not about the portability of the tools' schemas.
fn inspect(sandbox: &Sandbox, target: &[String]) {
    let list = format!("todos={}", first());
    let methods: [&[&str]; 4] = [
        &["tools/list", "--strict"],
        &["tools/call", "--tool-name", "todo_write", "--tool-arg", &list],
        &["resources/list"],
        &["resources/templates/list"],
    ];
    for method in methods {
        let mut command = node_tool(sandbox, "inspector", "mcp-inspector");
        command.arg("--cli").args(target).arg("--method").args(method);
        let what = method[0];
        let finished = testers::run(sandbox, &mut command, &what.replace('/', "-")).succeeded(what);
        assert_eq!(finished.stderr.trim(), "", "the inspector on {what}");
        let answer: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
        assert!(answer.is_object() && answer["isError"] != true, "the inspector on {what}: {}", finished.stdout);
    }
}

/// Every scenario passes or stands in `conformance.toml` with the reason why it cannot.
#[test]
fn the_conformance_suite_finds_what_is_expected() {
    let sandbox = Sandbox::new();
    let served = Runsheet::new(&sandbox).serve();
    let mut command = node_tool(&sandbox, "conformance", "conformance");
    command.args(["server", "--suite", "all", "--url", &served.url, "-o"]).arg(sandbox.logs().join("conformance"));
    // It ends with 1 when a scenario fails, and many must.
    let finished = testers::run(&sandbox, &mut command, "conformance-suite");
    served.terminate();
    let expected = expected_failures();
    let mut surprises = Vec::new();
    let mut seen = Vec::new();
    for (scenario, passed) in verdicts(&finished.stdout) {
        match (passed, expected.contains_key(scenario)) {
            (true, true) => surprises.push(format!("{scenario} passes now: take it out of tests/conformance.toml")),
            (false, false) => surprises.push(format!("{scenario} fails")),
            _ => {}
        }
        seen.push(scenario);
    }
    assert!(
        seen.len() >= 32,
        "the suite ran {} scenarios: {}\n{}",
        seen.len(),
        tail(&finished.stdout),
        finished.stderr
    );
    let gone = expected.keys().filter(|name| !seen.contains(&name.as_str()));
    surprises
        .extend(gone.map(|name| format!("{name} is in tests/conformance.toml, but the suite has no such scenario")));
    assert!(surprises.is_empty(), "{}\n{}", surprises.join("\n"), tail(&finished.stdout));
}

/// `✓ ping: 1 passed, 0 failed`
fn verdicts(printed: &str) -> impl Iterator<Item = (&str, bool)> {
    printed.lines().filter_map(|line| {
        let (mark, rest) = line.split_once(' ')?;
        let (scenario, _) = rest.split_once(": ")?;
        matches!(mark, "✓" | "✗").then_some((scenario, mark == "✓"))
    })
}
