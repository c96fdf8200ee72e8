//! Foreign text comes out as the data it went in as.

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::json;

use crate::host::{Host, ours};

#[tokio::test]
async fn hostile_contents_stay_data() {
    let host = Host::new();
    let long = "长".repeat(5_000);
    let contents = [
        "<script>alert(1)</script>",
        "</script><img src=x onerror=alert(1)>",
        "javascript:alert(1)",
        "\u{1b}]0;owned\u{7}\u{1b}[2J",
        "\u{202e}txt.exe\u{2066}",
        "a\u{200b}b\u{200d}c",
        "data: x\n\nevent: reset\ndata: {}\n\nx",
        "line\r\nid: 0.0",
        "x\u{2028}\u{2029}\u{85}x",
        "nul\u{0}nul",
        &long,
    ];
    let items: Vec<_> = contents.iter().map(|content| (*content, "pending")).collect();
    let session = host.write("a", &items).await;
    let mut feed = host.feed(&format!("sessions={session}"), None).await;
    let (_, view) = host.get(&format!("/api/v1/sessions/{session}/todos")).await;
    for (at, content) in contents.iter().enumerate() {
        assert_eq!(view["standing"][at]["content"], json!(content));
    }
    let edit = json!({"revision": 1, "todos": view["standing"]}).to_string();
    assert_eq!(host.put(session, &edit).await.0, 200);
    host.write("a", &[&items[..], &[("last", "pending")]].concat()).await;
    // The text cannot end its frame, nor make one.
    let mut frames = Vec::new();
    loop {
        let frame = feed.next().await.unwrap();
        assert!(["projection", "event"].contains(&&*frame.event), "{frame:?}");
        let last = frame.event == "event" && frame.data["event"]["seq"] == json!(7);
        frames.push(frame);
        if last {
            break;
        }
    }
    let told = frames.iter().rev().find(|frame| frame.data["key"] == json!("todos")).unwrap();
    for (at, content) in contents.iter().enumerate() {
        assert_eq!(told.data["value"]["standing"][at]["content"], json!(content));
    }
}

#[tokio::test]
async fn answers_with_foreign_text_are_json_and_short() {
    let host = Host::new();
    let names = ["%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned(), "%1b%5b2J".into(), "%00".into(), "x".repeat(400)];
    for name in names {
        let request = ours("GET", &format!("/api/v1/sessions/{name}")).body(Body::empty()).unwrap();
        let response = host.send(request).await;
        assert_eq!(response.status().as_u16(), 404);
        assert_eq!(response.headers()["content-type"], "application/json");
        let text = response.into_body().collect().await.unwrap().to_bytes();
        assert!(text.len() < 800 && !text.contains(&0x1b), "{}", text.len());
    }
    let request = ours("GET", &format!("/api/v1/sessions?{}=1", "a".repeat(9_000))).body(Body::empty()).unwrap();
    let text = host.send(request).await.into_body().collect().await.unwrap().to_bytes();
    assert!(text.len() < 800, "{}", text.len());
}
