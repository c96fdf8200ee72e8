//! Order, the end of the input, and shutdown.

use insta::assert_snapshot;
use serde_json::json;

use crate::{
    host::{Host, todos},
    peer::{Peer, process, texts},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn effects_have_the_order_of_the_calls() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "opencode", "1").await;
    let mut calls = Vec::new();
    for n in 0..200 {
        let arguments = todos(&[&format!("list {n}")]);
        calls.push(peer.post("tools/call", json!({"name": "todo_write", "arguments": arguments})).await);
    }
    // A read after them shows the last.
    let session = "runsheet://sessions";
    let read = peer.post("resources/read", json!({"uri": session})).await;
    let answers = peer.finish().await;
    assert_eq!(answers.len(), 201);
    let list = answers.iter().find(|answer| answer["id"] == read).unwrap();
    assert!(list["result"]["contents"][0]["text"].as_str().unwrap().contains("\"pending\":1"));
    let stream = host.engine.list(1).await.unwrap().sessions[0].session;
    let stream = runsheet_engine::core::log::StreamId::Session(stream);
    let select =
        runsheet_engine::store::Select { types: Some(vec!["todo/write"]), ..runsheet_engine::store::Select::from(0) };
    let events = host.engine.events(&stream, select).await.unwrap().events;
    let written: Vec<_> = events
        .iter()
        .map(|event| {
            let data: serde_json::Value = serde_json::from_str(event.data.get()).unwrap();
            data["todos"][0]["content"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(written, (0..200).map(|n| format!("list {n}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_last_line_need_not_be_ended() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "opencode", "1").await;
    let params = json!({"name": "todo_write", "arguments": todos(&["a"])});
    let line = json!({"jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": params}).to_string();
    peer.send_part(line.as_bytes()).await;
    let rest = peer.finish().await;
    assert_snapshot!(texts(&rest[0]), @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
}

#[tokio::test]
async fn an_input_that_ends_at_once_is_no_fault() {
    let host = Host::new();
    assert_eq!(Peer::connect(&host, process()).finish().await.len(), 0);
}

#[tokio::test]
async fn open_subscriptions_end_with_the_input() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "claude-code", "2");
    for _ in 0..4 {
        peer.post("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
        assert_eq!(peer.receive().await["method"], "notifications/subscriptions/acknowledged");
    }
    let rest = peer.finish().await;
    assert_eq!(rest.len(), 4);
    assert!(rest.iter().all(|answer| answer["result"]["resultType"] == "complete"), "{rest:?}");
}

#[tokio::test]
async fn shutdown_answers_what_was_read() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "claude-code", "2");
    peer.post("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    peer.receive().await;
    assert_snapshot!(peer.write(&["a"], json!({})).await, @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
    peer.shutdown.cancel();
    let rest = peer.rest().await;
    assert_eq!(rest.len(), 1);
    host.server.finished().await;
    host.engine.close().await;
}

#[tokio::test]
async fn a_cancelled_call_that_was_answered_is_left_alone() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "opencode", "1").await;
    peer.write(&["a"], json!({})).await;
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"AbortError"}}"#)
        .await;
    assert_snapshot!(peer.write(&["b"], json!({})).await, @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
    assert_snapshot!(host.sessions().await, @"opencode 1 /home/dev/shop mcp - main: b");
}
