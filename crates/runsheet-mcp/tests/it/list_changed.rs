//! Settings that change under a connection.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    host::Host,
    peer::{Peer, process},
};

fn two_running() -> Value {
    let item = |content| json!({"content": content, "status": "in_progress"});
    json!({"name": "todo_write", "arguments": {"todos": [item("a"), item("b")]}})
}

fn one_at_a_time(host: &Host) {
    host.config.change(|settings| settings.allow_parallel_in_progress = Some(false));
}

#[tokio::test]
async fn a_legacy_peer_is_told_and_judged_by_what_it_listed() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "opencode", "1").await;
    peer.request("tools/list", json!({})).await;
    // What shows in no tool is not told, and holds at once.
    host.config.change(|settings| settings.bounds.max_items = 1);
    assert_snapshot!(peer.call(two_running()).await, @"! Error: invalid todos: 2 items, at most 1 (todo.max_items)");
    host.config.change(|settings| settings.bounds.max_items = 10);
    one_at_a_time(&host);
    assert_eq!(peer.receive().await["method"], "notifications/tools/list_changed");
    assert_snapshot!(peer.call(two_running()).await, @"Updated todo list: 0 pending, 2 in progress, 0 completed.");
    peer.request("tools/list", json!({})).await;
    assert_snapshot!(peer.call(two_running()).await, @"! Error: invalid todos: at most one task may be in_progress (got 2)");
}

#[tokio::test]
async fn a_listening_peer_is_told() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "claude-code", "2");
    peer.request("tools/list", json!({})).await;
    peer.post("subscriptions/listen", json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}}))
        .await;
    assert_snapshot!(peer.receive().await, @r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true}}}"#);
    one_at_a_time(&host);
    assert_snapshot!(peer.receive().await, @r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#);
}
