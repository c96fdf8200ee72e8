//! However an agent leaves, the turn that its call opened ends.

use std::{os::unix::fs::FileExt, process::ExitStatus};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::harness::{Agent, Place, todos};

/// The types of the session's events after an agent left, the last with its reason.
fn after(leave: impl FnOnce(Agent) -> ExitStatus) -> String {
    let place = Place::new();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "opencode");
    agent.call(&todos(&[("a", "in_progress")]), &json!({}));
    let status = leave(agent);
    assert_eq!(status.code(), Some(0));
    let log = String::from_utf8(place.run(&["log", "--json"]).stdout).unwrap();
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = &events.last().unwrap()["event"];
    format!("{} {}", last["type"].as_str().unwrap(), last["data"]["reason"].as_str().unwrap_or_default())
}

#[test]
fn end_of_input_and_signals_are_the_same() {
    let expected = "turn/end disconnected";
    assert_eq!(after(Agent::end), expected);
    assert_eq!(after(|agent| agent.signal(Signal::TERM)), expected);
    assert_eq!(after(|agent| agent.signal(Signal::INT)), expected);
    assert_eq!(after(|agent| agent.signal(Signal::HUP)), expected);
}

#[test]
fn a_stopped_lock_holder_keeps_nobody_who_has_nothing_to_lose() {
    let place = Place::new();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "opencode");
    agent.call(&todos(&[("a", "in_progress")]), &json!({}));
    let mut lock = place.store().into_os_string();
    lock.push(".lock");
    // It holds the lock as a stopped process does, and has signed it.
    let lock = std::fs::File::options().read(true).write(true).open(lock).unwrap();
    lock.lock().unwrap();
    lock.write_all_at(&std::process::id().to_le_bytes(), 8).unwrap();
    let begun = std::time::Instant::now();
    assert!(agent.end().success());
    assert!(begun.elapsed() < std::time::Duration::from_secs(4), "{:?}", begun.elapsed());
    drop(lock);
    let shown = place.json(&["ls", "--json"]);
    assert_eq!(shown["sessions"][0]["counts"]["inProgress"], 1, "what was answered is there");
}

#[test]
fn a_killed_one_is_cleaned_up_after() {
    let place = Place::new();
    let session = "named-by-the-environment";
    let connect = || {
        let mut command = place.command(&["mcp"]);
        Agent::connect(command.env("CLAUDE_CODE_SESSION_ID", session), "claude-code")
    };
    let mut first = connect();
    first.call(&todos(&[("a", "in_progress")]), &json!({}));
    first.signal(Signal::KILL);
    let mut second = connect();
    second.call(&todos(&[("b", "in_progress")]), &json!({}));
    assert!(second.end().success());
    let log = String::from_utf8(place.run(&["log", session, "--json"]).stdout).unwrap();
    assert_eq!(log.matches(r#""type":"turn/start""#).count(), 2);
    assert_eq!(log.matches(r#""reason":"disconnected""#).count(), 2);
}
