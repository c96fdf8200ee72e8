//! What a person is told when something fails, and the exit codes.

use std::fs;

use serde_json::json;

use crate::harness::{Agent, Place, check, todos, wrote};

#[test]
fn usage_is_2() {
    let place = Place::new();
    check!(place.shown(&["frobnicate"]), @r"
    error: unrecognized subcommand 'frobnicate'

    Usage: runsheet [OPTIONS] [COMMAND]

    For more information, try '--help'.
    exit 2
    ");
    check!(place.shown(&["--store", "nats://host", "ls"]), @r"
    error: stores behind nats:// are not in this version
    hint: give the path of a file with --store
    exit 2
    ");
    check!(place.shown(&["serve", "--bind", "0.0.0.0"]), @r"
    error: 0.0.0.0 can be reached from other machines, and this version has no tokens yet
    hint: listen at a loopback address: --bind 127.0.0.1
    exit 2
    ");
    check!(place.shown(&["serve", "--port", "70000"]), @r#"
    error: --port: `serve.port` takes a whole number from 0 to 65535, not "70000"
    hint: without it, the default holds: 4477
    exit 2
    "#);
}

#[test]
fn what_was_typed_is_no_command_to_the_terminal() {
    let place = Place::new();
    check!(place.shown(&["\u{1b}[31m\u{202e}x\ny"]), @r"
    error: unrecognized subcommand '\x1b[31m\u{202e}x\ny'

    Usage: runsheet [OPTIONS] [COMMAND]

    For more information, try '--help'.
    exit 2
    ");
    check!(place.shown(&["ls", "--\u{1b}]0;x\u{7}"]), @r"
    error: unexpected argument '--\x1b]0;x\x07' found

    Usage: runsheet ls [OPTIONS]

    For more information, try '--help'.
    exit 2
    ");
    check!(place.shown(&["ls", "-n", "\u{202e}1\n2"]), @r"
    error: invalid value '\u{202e}1\n2' for '--limit <NUMBER>': invalid digit found in string

    For more information, try '--help'.
    exit 2
    ");
    place.write("project/\u{1b}[31m\u{202e}\n/.runsheet.toml", "[store]\npath = \"x\"\n");
    let mut command = place.command(&["config", "show", "--json"]);
    let output = command.current_dir(place.path("project/\u{1b}[31m\u{202e}\n")).output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    check!(log.trim().replace(place.path("").to_str().unwrap(), "[home]/"), @r"WARN `store.path` is ignored in [home]/project/\x1b[31m\u{202e}\n/.runsheet.toml: a project's file cannot set it, your own configuration can");
}

#[test]
fn without_a_store() {
    let place = Place::new();
    check!(place.shown(&["ls"]), @r"
    No sessions yet. `runsheet` shows how to connect an agent.
    exit 0
    ");
    check!(place.shown(&["ls", "--json"]), @r#"
    {"sessions":[]}
    exit 0
    "#);
    check!(place.shown(&["log"]), @"exit 0");
    check!(place.shown(&["show", "fix\u{1b}[31m"]), @r"
    error: no session is called `fix\x1b[31m`: there is no store yet
    hint: an agent's first list makes it; `runsheet` shows how to connect one
    exit 3
    ");
    check!(place.shown(&["log", "fix"]), @r"
    error: no session is called `fix`: there is no store yet
    hint: an agent's first list makes it; `runsheet` shows how to connect one
    exit 3
    ");
    check!(place.shown(&["export"]), @r"
    error: there is no store at [home]/.local/share/runsheet/runsheet.db
    hint: an agent's first list makes it; `runsheet` shows how to connect one
    exit 3
    ");
    check!(place.shown(&["store", "verify"]), @r"
    error: there is no store at [home]/.local/share/runsheet/runsheet.db
    hint: an agent's first list makes it; `runsheet` shows how to connect one
    exit 3
    ");
    assert!(!place.path(".local").exists(), "reading makes no store");
}

#[test]
fn no_such_session_is_3() {
    let place = Place::new();
    wrote(&place, &place.path("project"), "codex-mcp-client", &todos(&[("a", "pending")]));
    check!(place.shown(&["show", "nobody"]), @r"
    error: no session is called `nobody`
    hint: `runsheet ls` lists the sessions
    exit 3
    ");
    check!(place.shown(&["export", "nobody"]), @r"
    error: no session is called `nobody`
    hint: `runsheet ls` lists the sessions
    exit 3
    ");
}

#[test]
fn a_store_that_cannot_be_used_is_4() {
    let place = Place::new();
    place.write("notes.txt", "not a database, but long enough to be looked at: what is in it stays as it is\n");
    check!(place.shown(&["--store", place.path("notes.txt").to_str().unwrap(), "ls"]), @r"
    error: opening the store failed
    cause: `[home]/notes.txt` is not a store of runsheet
    hint: give another path with --store; the file was not touched
    exit 4
    ");
    check!(place.shown(&["--store", place.path("project").to_str().unwrap(), "ls"]), @r"
    error: opening the store failed
    cause: cannot open the store `[home]/project`: it is a folder
    hint: check the path, or give another with --store
    exit 4
    ");
}

#[test]
fn what_was_in_the_way_may_be_gone_at_the_next_call() {
    let place = Place::new();
    let folder = place.path("data/store.db");
    fs::create_dir_all(&folder).unwrap();
    let mut agent = Agent::connect(&mut place.command(&["--store", folder.to_str().unwrap(), "mcp"]), "opencode");
    let list = todos(&[("a", "pending")]);
    let refused = agent.call(&list, &json!({}));
    assert!(refused.starts_with("refused: Error: opening the store failed: "), "{refused}");
    fs::remove_dir(&folder).unwrap();
    assert_eq!(agent.call(&list, &json!({})), "Updated todo list: 1 pending, 0 in progress, 0 completed.");
    assert!(agent.end().success());
}

#[test]
fn an_export_never_replaces_the_store() {
    let place = Place::new();
    wrote(&place, &place.path("project"), "opencode", &todos(&[("Keep me", "pending")]));
    let before = fs::read(place.store()).unwrap();
    let link = place.path("project/link.jsonl");
    std::os::unix::fs::symlink(place.store(), &link).unwrap();
    let store = place.store().display().to_string();
    for output in [store.clone(), format!("{store}.lock"), format!("{store}.next"), link.display().to_string()] {
        let shown = place.shown(&["export", "-o", &output]);
        assert!(shown.contains("belongs to the store") && shown.ends_with("exit 2\n"), "{output}: {shown}");
    }
    assert_eq!(fs::read(place.store()).unwrap(), before);
    assert_eq!(place.json(&["ls", "--json"])["sessions"][0]["counts"]["pending"], 1);
}

#[test]
fn a_bad_import_changes_nothing() {
    let place = Place::new();
    place.write("project/bad.jsonl", "{\"stream\": 3}\n");
    check!(place.shown(&["import", "bad.jsonl"]), @r"
    error: line 1 is not an event: invalid type: integer `3`, expected a string at line 1 column 12
    hint: nothing was imported
    exit 1
    ");
    check!(place.shown(&["import", "nowhere.jsonl"]), @r"
    error: nowhere.jsonl cannot be read
    cause: No such file or directory (os error 2)
    exit 1
    ");
    check!(place.shown(&["import", "."]), @r"
    error: . cannot be read
    cause: is a directory
    exit 1
    ");
    check!(place.shown(&["ls"]), @r"
    No sessions yet. `runsheet` shows how to connect an agent.
    exit 0
    ");
}
