//! Input no good client sends.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    host::{Host, options},
    peer::{Peer, process},
};

const HANDSHAKE: &str = r#"{"jsonrpc":"2.0","id":"hi","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":"alive","method":"ping"}"#;

/// One line for each answer: its id, and its error or `ok`.
fn told(answers: &[Value]) -> String {
    let line = |answer: &Value| {
        let id = answer.get("id").map_or("-".into(), Value::to_string);
        let what = answer
            .get("error")
            .map_or("ok".into(), |error| format!("{} {}", error["code"], error["message"].as_str().unwrap()));
        format!("{id} {what}\n")
    };
    answers.iter().map(line).collect()
}

/// Sends lines after a handshake, and gives what is answered; the server lives on after them.
async fn check(lines: &[&[u8]]) -> String {
    let host = Host::with(Default::default(), {
        let mut options = options();
        options.max_line_bytes = 2_000;
        options
    });
    let mut answers = String::new();
    for line in lines {
        let mut peer = Peer::connect(&host, process());
        peer.send(HANDSHAKE).await;
        peer.receive().await;
        peer.send(line).await;
        peer.send(PING).await;
        let mut rest = peer.finish().await;
        let alive = rest.iter().position(|answer| answer["id"] == "alive").expect("the server lives");
        rest.remove(alive);
        answers += &told(&rest);
    }
    answers
}

#[tokio::test]
async fn lines_that_are_no_message() {
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let long = format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":"{}","id":"last"}}"#, "x".repeat(3_000));
    let lines: &[&[u8]] = &[
        b"hello",
        b"   ",
        b"{",
        br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"#,
        br#"[{"jsonrpc":"2.0","id":4,"method":"ping"}]"#,
        b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\"}}",
        br#"{"id":6,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":7}"#,
        deep.as_bytes(),
        long.as_bytes(),
        br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":9,"method":"nope/nope"}"#,
        br#"{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":7}}"#,
        br#"{"jsonrpc":"2.0","id":11,"method":"tools/call"}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/nope","params":7}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"hi"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        br#"{"jsonrpc":"2.0","id":12,"result":{}}"#,
    ];
    assert_snapshot!(check(lines).await, @r#"
    - -32700 the message is not JSON: expected value at line 1 column 1
    - -32700 the message is not JSON: EOF while parsing an object at line 1 column 1
    3 -32700 the message is not JSON: EOF while parsing an object at line 1 column 56
    - -32600 batches are not supported: send one message at a time
    5 -32700 the message is not UTF-8: invalid utf-8 sequence of 1 bytes from index 64
    6 -32600 the message is not JSON-RPC 2.0: unrecognized JSON-RPC message
    7 -32600 the message is not JSON-RPC 2.0: unrecognized JSON-RPC message
    8 -32700 the message cannot be read: recursion limit exceeded at line 1 column 182
    "last" -32600 the message is longer than 2000 bytes
    - -32600 the message is not JSON-RPC 2.0: unrecognized JSON-RPC message
    - -32600 the message is not JSON-RPC 2.0: unrecognized JSON-RPC message
    9 -32601 nope/nope
    10 -32602 the parameters of `resources/read` do not have the shape the protocol gives them
    11 -32602 `tools/call` needs the tool's `name`, a string
    - -32600 the message is not JSON-RPC 2.0: unrecognized JSON-RPC message
    "#);
}

#[tokio::test]
async fn half_a_surrogate_pair_is_replaced() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "gemini-cli-mcp-client", "1").await;
    let call = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":[{"content":"cut \ud83d","status":"pending"}]}}}"#;
    peer.send(call).await;
    let answer = peer.receive().await;
    assert_eq!(answer["id"], 77);
    assert_snapshot!(host.sessions().await, @"gemini-cli 1 /home/dev/shop mcp - main: cut �");
}

#[tokio::test]
async fn before_the_handshake() {
    let host = Host::new();
    let mut peer = Peer::connect(&host, process());
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":12,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "junk",
        PING,
        HANDSHAKE,
    ] {
        peer.send(line).await;
    }
    let mut rest = peer.finish().await;
    rest.sort_by_key(|answer| answer["id"].to_string());
    assert_snapshot!(told(&rest), @r#"
    "alive" ok
    "hi" ok
    1 -32602 request _meta is missing or has malformed required fields: io.modelcontextprotocol/protocolVersion, io.modelcontextprotocol/clientCapabilities
    - -32700 the message is not JSON: expected value at line 1 column 1
    "#);
}

#[tokio::test]
async fn an_unknown_version_is_refused_with_those_there_are() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "x", "1");
    peer.meta["io.modelcontextprotocol/protocolVersion"] = "2031-01-01".into();
    assert_snapshot!(peer.request("tools/list", json!({})).await["error"], @r#"{"code":-32022,"message":"Unsupported protocol version","data":{"requested":"2031-01-01","supported":["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]}}"#);
}

#[tokio::test]
async fn an_id_that_is_being_served_is_not_taken_twice() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "x", "1");
    let listen = peer.post("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    assert_eq!(peer.receive().await["method"], "notifications/subscriptions/acknowledged");
    peer.send(format!(r#"{{"jsonrpc":"2.0","id":{listen},"method":"ping"}}"#)).await;
    assert_snapshot!(told(&[peer.receive().await]), @"1 -32600 a request with this id is being served");
}
