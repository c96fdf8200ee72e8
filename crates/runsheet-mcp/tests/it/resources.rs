//! What can be read, and who is told when it changes.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    host::{Host, options},
    peer::{Peer, process},
};

fn text(answer: &Value) -> String {
    answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

async fn session(host: &Host) -> String {
    host.engine.list(1).await.unwrap().sessions[0].session.to_string()
}

#[tokio::test]
async fn what_there_is() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "opencode", "1").await;
    peer.write(&["a"], json!({})).await;
    assert_snapshot!(peer.request("resources/list", json!({})).await["result"], @r#"{"resources":[{"uri":"runsheet://sessions","name":"sessions","title":"Sessions","description":"The sessions, those written last first.","mimeType":"application/json"},{"uri":"runsheet://session/00000000-0000-0000-0000-000000000000/todos","name":"00000000-0000-0000-0000-000000000000/todos","title":"/home/dev/shop","description":"Todo list of opencode","mimeType":"application/json"}]}"#);
    assert_snapshot!(peer.request("resources/templates/list", json!({})).await["result"], @r#"{"resourceTemplates":[{"uriTemplate":"runsheet://session/{id}/todos","name":"session-todos","title":"Todo list","description":"The list a session's agent keeps, with its counts. `id` is a session's uuid, or what its client calls it.","mimeType":"application/json"},{"uriTemplate":"runsheet://session/{id}","name":"session","title":"Session","description":"A session in full: agent, state, lists, plan and alerts.","mimeType":"application/json"}]}"#);
}

#[tokio::test]
async fn contents() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "opencode", "1");
    peer.write(&["a"], json!({})).await;
    let id = session(&host).await;
    assert_snapshot!(text(&peer.request("resources/read", json!({"uri": "runsheet://sessions"})).await), @r#"{"sessions":[{"session":"00000000-0000-0000-0000-000000000000","agent":{"name":"opencode","version":"1"},"cwd":"/home/dev/shop","title":null,"state":"working","counts":{"pending":1,"inProgress":0,"completed":0,"cancelled":0},"running":null,"updated":"2026-11-30T12:00:00.000Z"}]}"#);
    let uri = format!("runsheet://session/{id}/todos");
    assert_snapshot!(text(&peer.request("resources/read", json!({"uri": uri})).await), @r#"{"session":"00000000-0000-0000-0000-000000000000","todos":[{"content":"a","status":"pending"}],"carried":null,"counts":{"pending":1,"inProgress":0,"completed":0,"cancelled":0},"total":1,"asOfSeq":4}"#);
    let uri = format!("runsheet://session/{id}");
    assert_snapshot!(text(&peer.request("resources/read", json!({"uri": uri})).await), @r#"{"session":"00000000-0000-0000-0000-000000000000","agent":{"name":"opencode","version":"1"},"cwd":"/home/dev/shop","title":null,"state":"working","turn":1,"todos":[{"content":"a","status":"pending"}],"carried":null,"counts":{"pending":1,"inProgress":0,"completed":0,"cancelled":0},"total":1,"plan":null,"alerts":[],"lists":[{"scope":"main","kind":"todo","items":[{"content":"a","status":"pending"}]}],"asOfSeq":4}"#);
}

#[tokio::test]
async fn addresses_of_nothing() {
    let host = Host::new();
    let mut legacy = Peer::legacy(&host, process(), "opencode", "1").await;
    let mut modern = Peer::modern(&host, process(), "opencode", "1");
    let mut answers = String::new();
    for uri in [
        "file:///etc/passwd",
        "runsheet://session/",
        "runsheet://session/none/todos",
        "runsheet://session/00000000-0000-0000-0000-000000000001",
        "runsheet://session/a/b",
        "runsheet://session/%ff",
    ] {
        for peer in [&mut legacy, &mut modern] {
            let answer = peer.request("resources/read", json!({"uri": uri})).await;
            answers += &format!("{} {}\n", answer["error"]["code"], answer["error"]["message"]);
        }
    }
    assert_snapshot!(answers, @r#"
    -32002 "there is no resource `file:///etc/passwd`; resources/list names those there are"
    -32602 "there is no resource `file:///etc/passwd`; resources/list names those there are"
    -32002 "there is no resource `runsheet://session/`; resources/list names those there are"
    -32602 "there is no resource `runsheet://session/`; resources/list names those there are"
    -32002 "there is no resource `runsheet://session/none/todos`; resources/list names those there are"
    -32602 "there is no resource `runsheet://session/none/todos`; resources/list names those there are"
    -32002 "there is no resource `runsheet://session/00000000-0000-0000-0000-000000000001`; resources/list names those there are"
    -32602 "there is no resource `runsheet://session/00000000-0000-0000-0000-000000000001`; resources/list names those there are"
    -32002 "there is no resource `runsheet://session/a/b`; resources/list names those there are"
    -32602 "there is no resource `runsheet://session/a/b`; resources/list names those there are"
    -32002 "there is no resource `runsheet://session/%ff`; resources/list names those there are"
    -32602 "there is no resource `runsheet://session/%ff`; resources/list names those there are"
    "#);
    assert_snapshot!(legacy.request("resources/list", json!({"cursor": "x"})).await["error"], @r#"{"code":-32602,"message":"the cursor is not one this server gave"}"#);
}

#[tokio::test]
async fn the_listing_has_pages() {
    let host = Host::new();
    for n in 0..120 {
        let mut peer = Peer::modern(&host, process(), "opencode", &format!("{n}"));
        peer.write(&["a"], json!({})).await;
    }
    let mut peer = Peer::modern(&host, process(), "opencode", "1");
    let first = peer.request("resources/list", json!({})).await;
    let second = peer.request("resources/list", json!({"cursor": first["result"]["nextCursor"]})).await;
    let len = |page: &Value| page["result"]["resources"].as_array().unwrap().len();
    assert_eq!((len(&first), len(&second)), (101, 20));
    assert_eq!(second["result"].get("nextCursor"), None);
}

#[tokio::test]
async fn a_legacy_peer_is_told_of_what_it_subscribed_to() {
    let host = Host::new();
    let mut writer = Peer::legacy(&host, process(), "opencode", "1").await;
    writer.write(&["a"], json!({})).await;
    let uri = format!("runsheet://session/{}/todos", session(&host).await);
    let mut peer = Peer::legacy(&host, process(), "watcher", "1").await;
    peer.request("resources/subscribe", json!({"uri": uri})).await;
    let refused = peer.request("resources/subscribe", json!({"uri": "runsheet://session/name/todos"})).await;
    assert_snapshot!(refused["error"]["message"], @r#""only resources named by a session's uuid can be subscribed to; resources/list has them""#);
    writer.write(&["b"], json!({})).await;
    let told = peer.receive().await;
    assert_eq!(told, json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}}));
    peer.request("resources/unsubscribe", json!({"uri": uri})).await;
    writer.write(&["c"], json!({})).await;
    assert_eq!(peer.finish().await.len(), 0);
}

#[tokio::test]
async fn a_listening_peer_is_told_of_what_it_asked_for() {
    let host = Host::new();
    let mut writer = Peer::legacy(&host, process(), "opencode", "1").await;
    writer.write(&["a"], json!({})).await;
    let uri = format!("runsheet://session/{}/todos", session(&host).await);
    let mut peer = Peer::modern(&host, process(), "watcher", "1");
    let asked = json!([uri, "runsheet://sessions", "file:///etc/passwd", "runsheet://session/name"]);
    peer.post("subscriptions/listen", json!({"notifications": {"resourceSubscriptions": asked}})).await;
    let accepted = peer.receive().await["params"]["notifications"]["resourceSubscriptions"].clone();
    assert_eq!(accepted, json!([uri, "runsheet://sessions"]));
    writer.write(&["b"], json!({})).await;
    let mut told = vec![peer.receive().await["params"]["uri"].clone(), peer.receive().await["params"]["uri"].clone()];
    told.sort_by_key(Value::to_string);
    assert_eq!(told, [json!(uri), json!("runsheet://sessions")]);
}

#[tokio::test]
async fn subscriptions_are_bounded() {
    let mut options = options();
    options.max_listens = 1;
    options.max_subscriptions = 1;
    let host = Host::with(Default::default(), options);
    let mut peer = Peer::modern(&host, process(), "watcher", "1");
    for _ in 0..2 {
        peer.post("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    }
    let answers = [peer.receive().await, peer.receive().await, peer.receive().await];
    let refused = answers.iter().find(|answer| answer.get("error").is_some()).unwrap();
    assert_snapshot!(refused["error"]["message"], @r#""at most 1 subscriptions can be open at once""#);
    let mut legacy = Peer::legacy(&host, process(), "watcher", "1").await;
    let id = uuid::Uuid::nil();
    legacy.request("resources/subscribe", json!({"uri": format!("runsheet://session/{id}")})).await;
    let refused = legacy.request("resources/subscribe", json!({"uri": format!("runsheet://session/{id}/todos")})).await;
    assert_snapshot!(refused["error"]["message"], @r#""at most 1 resources can be subscribed to""#);
}
