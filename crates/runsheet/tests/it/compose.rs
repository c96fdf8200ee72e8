//! The configuration, through the binary's own loader, as a connected agent meets it.

use serde_json::{Value, json};

use crate::harness::{Agent, Place, check, todos};

const KEY: &str = "RUNSHEET_TODO_ALLOW_PARALLEL_IN_PROGRESS";

fn two_running() -> Value {
    todos(&[("a", "in_progress"), ("b", "in_progress")])
}

/// The last rule of the description that speaks of items in progress, and the answer to a list with two of them.
fn met(agent: &mut Agent) -> (String, String) {
    (agent.description(), agent.call(&two_running(), &json!({})))
}

#[test]
fn false_narrows_and_refuses_true_accepts() {
    let place = Place::new();
    let with = |value: Option<&str>| {
        let mut command = place.command(&["mcp"]);
        command.envs(value.map(|value| (KEY, value)));
        let mut agent = Agent::connect(&mut command, "dsh-mcp-client");
        let met = met(&mut agent);
        assert!(agent.end().success());
        met
    };
    let (unset, no, yes) = (with(None), with(Some("false")), with(Some("true")));
    check!(unset.1, @"Updated todo list: 0 pending, 2 in progress, 0 completed.");
    check!(no.1, @"refused: Error: invalid todos: at most one task may be in_progress (got 2)");
    check!(yes.1, @"Updated todo list: 0 pending, 2 in progress, 0 completed.");
    assert_eq!(unset.0, yes.0, "dsh allows it by itself");
    assert_ne!(no.0, yes.0, "what the model is told moves with what is refused");
}

#[test]
fn what_is_no_boolean_fails_the_load() {
    let place = Place::new();
    place.write(".config/runsheet/config.toml", "[todo]\nallow_parallel_in_progress = \"no\"\n");
    check!(place.shown(&["mcp"]), @r#"
    error: [home]/.config/runsheet/config.toml: `todo.allow_parallel_in_progress` takes true or false, not the text "no"
    hint: without it, the default holds: the dialect's own rule
    exit 2
    "#);
    assert!(!place.path(".local").exists());
}

#[test]
fn a_change_reaches_a_connected_agent_and_a_bad_file_does_not() {
    let place = Place::new();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "dsh-mcp-client");
    let before = met(&mut agent);
    place.write("project/.runsheet.toml", "[todo]\nallow_parallel_in_progress = 7\n");
    place.write("project/.runsheet.toml", "[todo]\nallow_parallel_in_progress = false\n");
    assert_eq!(agent.message()["method"], "notifications/tools/list_changed");
    let after = met(&mut agent);
    assert_ne!(before.0, after.0);
    assert!(after.1.starts_with("refused: "), "{}", after.1);
    assert!(agent.end().success());
}
