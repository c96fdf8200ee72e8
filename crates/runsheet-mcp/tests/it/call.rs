//! Calls, good and bad, in both eras.

use insta::assert_snapshot;
use runsheet_engine::{Settings, store::StoreError};
use serde_json::{Value, json};

use crate::{
    host::{Host, options},
    peer::{Peer, process},
};

/// What both eras answer to a call, which is the same.
async fn check(params: Value) -> String {
    let host = Host::new();
    let mut legacy = Peer::legacy(&host, process(), "opencode", "1").await;
    let mut modern = Peer::modern(&host, process(), "opencode", "1");
    let answer = legacy.call(params.clone()).await;
    assert_eq!(answer, modern.call(params).await);
    answer
}

#[tokio::test]
async fn a_list_is_written() {
    let todos = json!([{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]);
    assert_snapshot!(check(json!({"name": "todo_write", "arguments": {"todos": todos}})).await, @"Updated todo list: 0 pending, 1 in progress, 1 completed.");
}

#[tokio::test]
async fn arguments_of_every_wrong_shape_get_the_dialects_answer() {
    let mut answers = String::new();
    for arguments in [
        "absent",
        "null",
        "[]",
        "\"text\"",
        "7",
        "{}",
        r#"{"todos":7}"#,
        r#"{"todos":[{"content":" ","status":"pending"}]}"#,
    ] {
        let mut params = json!({"name": "todo_write"});
        if arguments != "absent" {
            params["arguments"] = serde_json::from_str(arguments).unwrap();
        }
        answers += &format!("{arguments} -> {}\n", check(params).await);
    }
    assert_snapshot!(answers, @r#"
    absent -> ! Error: invalid arguments: "arguments" must be an object
    null -> ! Error: invalid arguments: "arguments" must be an object
    [] -> ! Error: invalid arguments: "arguments" must be an object
    "text" -> ! Error: invalid arguments: "arguments" must be an object
    7 -> ! Error: invalid arguments: "arguments" must be an object
    {} -> ! Error: invalid arguments: missing required property "todos"
    {"todos":7} -> ! Error: invalid arguments: "todos" must be an array
    {"todos":[{"content":" ","status":"pending"}]} -> ! Error: invalid todo: `content` must be a non-empty string
    "#);
}

#[tokio::test]
async fn calls_that_reach_no_tool() {
    let mut answers = String::new();
    for params in [json!({"name": "nope", "arguments": {}}), json!({"arguments": {}}), json!({"name": 7})] {
        answers += &format!("{}\n", check(params).await);
    }
    assert_snapshot!(answers, @r#"
    -32602 unknown tool `nope`: the tools are `todo_write`
    -32602 `tools/call` needs the tool's `name`, a string
    -32602 `tools/call` needs the tool's `name`, a string
    "#);
}

#[tokio::test]
async fn an_ill_typed_call_is_answered_in_the_form_of_its_era() {
    let host = Host::new();
    let call = json!({"name": "todo_write", "arguments": 7});
    let mut legacy = Peer::legacy(&host, process(), "opencode", "1").await;
    assert_snapshot!(legacy.request("tools/call", call.clone()).await["result"], @r#"{"content":[{"type":"text","text":"Error: invalid arguments: \"arguments\" must be an object"}],"isError":true}"#);
    let mut modern = Peer::modern(&host, process(), "opencode", "1");
    assert_snapshot!(modern.request("tools/call", call).await["result"], @r#"{"resultType":"complete","content":[{"type":"text","text":"Error: invalid arguments: \"arguments\" must be an object"}],"isError":true}"#);
}

#[tokio::test]
async fn a_store_that_fails_is_told_to_the_model() {
    let open = Box::new(|| Err(StoreError::NotAStore { path: "/tmp/other.db".into() }));
    let host = Host::opening(open, Settings::default(), options());
    let mut peer = Peer::legacy(&host, process(), "opencode", "1").await;
    assert_snapshot!(peer.write(&["a"], json!({})).await, @r#"
    ! Error: opening the store failed: `/tmp/other.db` is not a store of runsheet
    ! give another path with --store; the file was not touched
    "#);
    let read = peer.request("resources/read", json!({"uri": "runsheet://sessions"})).await;
    assert_snapshot!(read["error"], @r#"{"code":-32603,"message":"opening the store failed: `/tmp/other.db` is not a store of runsheet (give another path with --store; the file was not touched)"}"#);
}
