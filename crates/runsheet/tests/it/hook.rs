//! Hooks as the clients sent them (recorded from Claude Code 2.1.332 and 2.1.197 and Codex 0.171.0; ids and folders made
//! short), each followed by its call.

use serde_json::{Value, json};

use crate::harness::{Agent, Place, todos};

/// Hands a hook to the binary, which says nothing.
fn hook(place: &Place, hook: &Value) {
    let output = place.run_with(&["hook"], hook.to_string().as_bytes());
    assert_eq!(place.plain(&output), "exit 0\n");
}

fn claude(session: &str, agent: Option<&str>, call: &str) -> Value {
    let mut hook = json!({
        "session_id": session,
        "transcript_path": format!("/home/x/.claude/projects/-home-x-ws/{session}.jsonl"),
        "cwd": "/home/x/ws",
        "prompt_id": "0af507b8-dc19-4ab9-941c-6a3ffc812372",
        "permission_mode": "bypassPermissions",
        "effort": {"level": "medium"},
        "hook_event_name": "PreToolUse",
        "tool_name": "mcp__runsheet__todo_write",
        "tool_input": {"todos": [{"content": "Read the code", "status": "in_progress"}]},
        "tool_use_id": call,
        "mcp_server": {"name": "runsheet", "source": "dynamic"}
    });
    if let Some(agent) = agent {
        hook["agent_id"] = agent.into();
        hook["agent_type"] = "general-purpose".into();
    }
    hook
}

fn codex(session: &str, agent: Option<&str>, call: &str) -> Value {
    let thread = agent.unwrap_or(session);
    let mut hook = json!({
        "session_id": session,
        "turn_id": "01a22e40-2742-7332-a756-c3496bae75fb",
        "transcript_path": format!("/home/x/.codex/sessions/2026/11/30/rollout-2026-11-30T20-58-05-{thread}.jsonl"),
        "cwd": "/home/x/ws",
        "hook_event_name": "PreToolUse",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "tool_name": "mcp__runsheet__todo_write",
        "tool_input": {"todos": []},
        "tool_use_id": call
    });
    if let Some(agent) = agent {
        hook["agent_id"] = agent.into();
        hook["agent_type"] = "default".into();
    }
    hook
}

#[test]
fn claude_code_over_one_process() {
    let place = Place::new();
    // The environment names the session before /clear for ever.
    let mut command = place.command(&["mcp"]);
    let mut agent = Agent::connect(command.env("CLAUDE_CODE_SESSION_ID", "before"), "claude-code");
    let mut call = |session: &str, scope: Option<&str>, id: &str, content: &str| {
        hook(&place, &claude(session, scope, id));
        agent.call(&todos(&[(content, "in_progress")]), &json!({"claudecode/toolUseId": id, "progressToken": 2}));
    };
    call("before", None, "toolu_1", "main");
    call("before", Some("a6aed8b117f010412"), "toolu_2", "child");
    call("after", None, "toolu_3", "cleared");
    agent.call(&todos(&[("no hook", "pending")]), &json!({"claudecode/toolUseId": "toolu_4"}));
    assert!(agent.end().success());
    assert_eq!(place.items("before", "agent:a6aed8b117f010412"), ["child"]);
    assert_eq!(place.items("after", "main"), ["cleared"]);
    assert_eq!(place.items("before", "main"), ["no hook"], "the environment decides where no hook told");
    let shown = place.json(&["show", "after", "--json"]);
    assert_eq!([&shown["cwd"], &shown["agent"]["name"]], ["/home/x/ws", "claude-code"]);
    let log = String::from_utf8(place.run(&["log", "after", "--json"]).stdout).unwrap();
    assert!(log.contains(r#""key":"0af507b8-dc19-4ab9-941c-6a3ffc812372""#), "the prompt is the turn's key: {log}");
}

#[test]
fn claude_code_continued_in_a_new_process() {
    let place = Place::new();
    // `--continue`: the same session in the hooks, a session nobody knows in the environment.
    for (env, id, content) in [("first", "toolu_1", "one"), ("random", "toolu_2", "two")] {
        let mut command = place.command(&["mcp"]);
        let mut agent = Agent::connect(command.env("CLAUDE_CODE_SESSION_ID", env), "claude-code");
        // 2.1.197 does not name the server.
        let mut said = claude("first", None, id);
        said.as_object_mut().unwrap().remove("mcp_server");
        hook(&place, &said);
        agent.call(&todos(&[(content, "pending")]), &json!({"claudecode/toolUseId": id}));
        assert!(agent.end().success());
    }
    assert_eq!(place.items("first", "main"), ["two"]);
    assert_eq!(place.json(&["ls", "--json"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn codex_with_a_sub_agent() {
    let place = Place::new();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "codex-mcp-client");
    for (scope, id, content) in [(None, "call_1", "main"), (Some("thread-2"), "exec-2", "child")] {
        hook(&place, &codex("thread-1", scope, id));
        let thread = scope.unwrap_or("thread-1");
        let meta = json!({"callId": id, "threadId": thread, "sessionId": "thread-1"});
        agent.call(&todos(&[(content, "pending")]), &meta);
    }
    assert!(agent.end().success());
    assert_eq!(place.items("thread-1", "main"), ["main"]);
    assert_eq!(place.items("thread-1", "agent:thread-2"), ["child"]);
}

#[test]
fn a_broken_project_file_is_no_hindrance() {
    let place = Place::new();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "claude-code");
    place.write("project/.runsheet.toml", "[todo]\nmax_items = \"many\"\n[store]\npath = \"elsewhere.db\"\n");
    hook(&place, &claude("session", None, "toolu_1"));
    agent.call(&todos(&[("a", "pending")]), &json!({"claudecode/toolUseId": "toolu_1"}));
    assert!(agent.end().success());
    std::fs::remove_file(place.path("project/.runsheet.toml")).unwrap();
    assert_eq!(place.items("session", "main"), ["a"]);
}

#[test]
fn ids_are_bounded() {
    let place = Place::new();
    let long = "x".repeat(257);
    for (key, value) in [
        ("session_id", long.as_str()),
        ("agent_id", &long),
        ("tool_use_id", &long),
        ("tool_use_id", "a\nb"),
        ("agent_id", ""),
    ] {
        let mut said = claude("s", None, "toolu_1");
        said[key] = value.into();
        let output = place.run_with(&["hook"], said.to_string().as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{key}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("the hook was not kept"), "{key}");
    }
    assert!(!place.path(".local").exists(), "nothing was kept, so no store was made");
    // A turn's key that is none is left out; whose call it is, is told all the same.
    let mut said = claude("kept", Some(&"a".repeat(256)), "toolu_2");
    said["prompt_id"] = long.into();
    hook(&place, &said);
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "claude-code");
    agent.call(&todos(&[("a", "pending")]), &json!({"claudecode/toolUseId": "toolu_2"}));
    assert!(agent.end().success());
    assert_eq!(place.items("kept", &format!("agent:{}", "a".repeat(256))), ["a"]);
    let log = String::from_utf8(place.run(&["log", "kept", "--json"]).stdout).unwrap();
    assert!(!log.contains("xxxx"), "{log}");
}

#[test]
fn what_is_not_for_us_is_passed_over() {
    let place = Place::new();
    let mut other = claude("s", None, "toolu_1");
    other["tool_name"] = "Write".into();
    other["tool_input"] = json!({"content": "x".repeat(5 << 20)});
    let mut stop = claude("s", None, "toolu_1");
    stop["hook_event_name"] = "Stop".into();
    stop.as_object_mut().unwrap().remove("tool_name");
    let mut bash = claude("s", None, "toolu_1");
    bash["tool_name"] = "Bash".into();
    for input in [stop.to_string(), bash.to_string()] {
        assert_eq!(place.plain(&place.run_with(&["hook"], input.as_bytes())), "exit 0\n");
    }
    // What cannot be read is in the log, and never the agent's problem.
    for input in [other.to_string(), String::new(), "not JSON".into(), "[]".into(), "{\"session_id\": 3}".into()] {
        let output = place.run_with(&["hook"], input.as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
        assert!(String::from_utf8_lossy(&output.stderr).contains("the hook was not kept"));
    }
    assert!(!place.path(".local").exists(), "nothing was kept, so no store was made");
    // Exit code 2 would block the agent's call.
    for args in [&["hook", "--frobnicate"][..], &["hook", "--store", "nats://x"], &["hook", "--config", "nowhere"]] {
        assert_eq!(place.run(args).status.code(), Some(0), "{args:?}");
    }
    place.write("notes.db", "somebody else's, and it stays that way whatever a hook would like to write into it\n");
    let notes = place.path("notes.db");
    let output =
        place.run_with(&["hook", "--store", notes.to_str().unwrap()], claude("s", None, "c").to_string().as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}
