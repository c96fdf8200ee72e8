//! Whose call it is, as far as the wire tells.

use insta::assert_snapshot;
use runsheet_engine::PreToolUse;
use runsheet_mcp::StdioProcess;
use serde_json::{Value, json};

use crate::{
    host::Host,
    peer::{Peer, process},
};

/// Writes one list from a client of each era with the same `_meta`, and gives the sessions there are.
async fn check(process: StdioProcess, name: &str, meta: Value) -> String {
    let host = Host::new();
    let mut legacy = Peer::legacy(&host, process.clone(), name, "1").await;
    legacy.write(&["legacy"], meta.clone()).await;
    let mut modern = Peer::modern(&host, process, name, "2");
    modern.write(&["modern"], meta).await;
    host.sessions().await
}

fn claude() -> StdioProcess {
    StdioProcess {
        cwd: Some("/home/dev/shop/sub".into()),
        project_dir: Some("/home/dev/shop".into()),
        session: Some("b3e1b942".into()),
    }
}

fn codex(session: &str, thread: &str, turn: &Value) -> Value {
    json!({"callId": "call_7", "sessionId": session, "threadId": thread, "itemId": "fc_1", "x-codex-turn-metadata": turn})
}

#[tokio::test]
async fn a_process_is_a_session() {
    assert_snapshot!(check(process(), "opencode", json!({"progressToken": 2})).await, @r#"
    opencode 1 /home/dev/shop mcp - main: legacy
    opencode 2 /home/dev/shop mcp - main: modern
    "#);
}

#[tokio::test]
async fn claude_codes_environment_names_its_session() {
    assert_snapshot!(check(claude(), "claude-code", json!({"claudecode/toolUseId": "toolu_1"})).await, @"claude-code 1 /home/dev/shop mcp b3e1b942 main: legacy");
}

#[tokio::test]
async fn other_clients_below_claude_code_are_not_claude_code() {
    assert_snapshot!(check(claude(), "opencode", json!({})).await, @r#"
    opencode 1 /home/dev/shop/sub mcp - main: legacy
    opencode 2 /home/dev/shop/sub mcp - main: modern
    "#);
}

#[tokio::test]
async fn codex_names_session_thread_and_turn_in_each_call() {
    let turn = json!({"turn_id": "t1"});
    assert_snapshot!(check(process(), "codex-mcp-client", codex("s1", "s1", &turn)).await, @"codex 1 /home/dev/shop mcp s1 main: legacy");
}

#[tokio::test]
async fn codex_sub_agents_are_scopes() {
    let turn = Value::String(json!({"turn_id": "t1"}).to_string());
    assert_snapshot!(check(process(), "codex-mcp-client", codex("s1", "child", &turn)).await, @"codex 1 /home/dev/shop mcp s1 agent:child: legacy");
}

#[tokio::test]
async fn ids_of_nobody_are_not_taken() {
    let meta = json!({"callId": "x", "sessionId": "s1", "threadId": "s1"});
    assert_snapshot!(check(process(), "other", meta).await, @r#"
    other 1 /home/dev/shop mcp - main: legacy
    other 2 /home/dev/shop mcp - main: modern
    "#);
    let long = "x".repeat(300);
    let meta = json!({"callId": "call_7", "sessionId": long, "threadId": "a\nb", "x-codex-turn-metadata": "{not json"});
    assert_snapshot!(check(process(), "codex-mcp-client", meta).await, @r#"
    codex 1 /home/dev/shop mcp - main: legacy
    codex 2 /home/dev/shop mcp - main: modern
    "#);
}

#[tokio::test]
async fn a_hook_that_told_of_the_call_goes_before_all() {
    let host = Host::new();
    for (call, agent) in [("toolu_1", None), ("toolu_2", Some("a6aed8"))] {
        let hook = PreToolUse {
            principal: "uid:1000".into(),
            client: "claude-code".into(),
            call_id: call.into(),
            session: "a8da15cf".into(),
            agent: agent.map(str::to_owned),
            turn_key: Some("prompt".into()),
            cwd: Some("/home/dev/real".into()),
        };
        host.engine.pre_tool_use(hook).await.unwrap();
    }
    let mut peer = Peer::modern(&host, claude(), "claude-code", "2.1.332");
    peer.write(&["main"], json!({"claudecode/toolUseId": "toolu_1"})).await;
    peer.write(&["sub"], json!({"claudecode/toolUseId": "toolu_2"})).await;
    assert_snapshot!(host.sessions().await, @r#"
    claude-code 2.1.332 /home/dev/real mcp a8da15cf agent:a6aed8: sub
    claude-code 2.1.332 /home/dev/real mcp a8da15cf main: main
    "#);
}

#[tokio::test]
async fn a_call_that_is_repeated_is_answered_as_before() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, claude(), "claude-code", "2.1.332");
    let first = peer.write(&["a", "b"], json!({"claudecode/toolUseId": "toolu_1"})).await;
    let again = peer.write(&["other"], json!({"claudecode/toolUseId": "toolu_1"})).await;
    assert_eq!(first, again);
    assert_snapshot!(host.sessions().await, @"claude-code 2.1.332 /home/dev/shop mcp b3e1b942 main: a, b");
}
