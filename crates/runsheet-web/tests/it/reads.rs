//! The shapes and the errors of what is read.

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::json;
use uuid::Uuid;

use crate::host::{Host, ours};

#[tokio::test]
async fn health_names_the_version_and_the_epoch() {
    let host = Host::new();
    let (status, body) = host.get("/api/v1/health").await;
    assert_eq!((status, &body["status"], &body["version"]), (200, &json!("ok"), &json!(env!("CARGO_PKG_VERSION"))));
    assert_eq!(body["epoch"].as_str().unwrap().len(), 32);
}

#[tokio::test]
async fn sessions_come_newest_first_with_the_feeds_place() {
    let host = Host::new();
    let first = host.write("a", &[("read", "completed"), ("write", "in_progress")]).await;
    let second = host.write("b", &[("look", "pending")]).await;
    let (status, body) = host.get("/api/v1/sessions").await;
    assert_eq!(status, 200);
    assert!(body["cursor"].as_str().unwrap().ends_with(".10"), "{}", body["cursor"]);
    let sessions = body["sessions"].as_array().unwrap();
    assert_eq!((sessions[0]["session"].clone(), sessions[1]["session"].clone()), (json!(second), json!(first)));
    assert_eq!(
        (&sessions[1]["state"], &sessions[1]["running"], &sessions[1]["agent"], &sessions[1]["counts"]["inProgress"]),
        (&json!("working"), &json!("write"), &json!({"name": "codex", "version": "1.0"}), &json!(1))
    );
    let (_, one) = host.get("/api/v1/sessions?limit=1").await;
    assert_eq!(one["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_session_is_what_show_prints() {
    let host = Host::new();
    let session = host.write("a", &[("read", "in_progress")]).await;
    let (status, body) = host.get(&format!("/api/v1/sessions/{session}")).await;
    assert_eq!((status, &body["total"], &body["asOfSeq"]), (200, &json!(1), &json!(4)));
    assert_eq!(body["todos"], json!([{"content": "read", "status": "in_progress"}]));
    // The client's own name for it, and the beginning of its id, mean it too.
    for name in ["a".to_owned(), session.to_string()[..8].to_owned()] {
        assert_eq!(host.get(&format!("/api/v1/sessions/{name}")).await.1["session"], json!(session));
    }
}

#[tokio::test]
async fn the_tail_page_is_one_cut() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let path = format!("/api/v1/sessions/{session}/history");
    let (status, body) = host.get(&path).await;
    assert_eq!(status, 200);
    let seqs: Vec<_> = body["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!((seqs, &body["more"]), (vec![0, 1, 2, 3, 4], &json!(false)));
    assert_eq!(body["projections"]["asOfSeq"], json!(4));
    let values = body["projections"]["values"].as_object().unwrap();
    let mut keys: Vec<_> = values.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["activity", "catalogue", "stats", "title", "todos"]);
    assert_eq!(values["catalogue"]["state"], json!("working"));
    assert!(body["cursor"].as_str().unwrap().ends_with(".5"));
    assert_eq!(body["events"][3]["type"], json!("todo/write"));
    assert_eq!(body["events"][3]["data"]["todos"][0]["content"], json!("read"));
}

#[tokio::test]
async fn older_pages_carry_events_alone() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let path = format!("/api/v1/sessions/{session}/history");
    let seqs = |body: &serde_json::Value| {
        body["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let (_, body) = host.get(&format!("{path}?limit=2")).await;
    assert_eq!((seqs(&body), &body["more"]), (vec![3, 4], &json!(true)));
    let (_, body) = host.get(&format!("{path}?before=3&limit=2")).await;
    assert_eq!((seqs(&body), &body["more"]), (vec![1, 2], &json!(true)));
    assert!(body.get("cursor").is_none() && body.get("projections").is_none());
    let (_, body) = host.get(&format!("{path}?before=0")).await;
    assert_eq!((seqs(&body), &body["more"]), (vec![], &json!(false)));
    let (_, body) = host.get(&format!("{path}?types=todo/write,session/created")).await;
    assert_eq!((seqs(&body), &body["projections"]["asOfSeq"]), (vec![0, 3], &json!(4)));
}

#[tokio::test]
async fn wrong_questions_are_answered_with_what_is_wrong() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let nobody = Uuid::nil();
    let table = [
        (format!("/api/v1/sessions/{nobody}"), 404, "no_session"),
        (format!("/api/v1/sessions/{nobody}/history"), 404, "no_session"),
        (format!("/api/v1/sessions/{nobody}/todos"), 404, "no_session"),
        ("/api/v1/sessions/%ff".into(), 400, "bad_path"),
        (format!("/api/v1/sessions/{}", "x".repeat(600)), 400, "bad_path"),
        ("/api/v1/sessions/..%2f..%2fetc%2fpasswd".into(), 404, "no_session"),
        ("/api/v1/sessions?limit=0".into(), 400, "bad_query"),
        ("/api/v1/sessions?limit=many".into(), 400, "bad_query"),
        ("/api/v1/sessions?limit=1001".into(), 400, "bad_query"),
        ("/api/v1/sessions?limit=1&limit=2".into(), 400, "bad_query"),
        ("/api/v1/sessions?sort=age".into(), 400, "bad_query"),
        (format!("/api/v1/sessions/{session}/history?before=-1"), 400, "bad_query"),
        (format!("/api/v1/sessions/{session}/history?before=99999999999999999999"), 400, "bad_query"),
        (format!("/api/v1/sessions/{session}/history?types=todo/wrote"), 400, "bad_query"),
        ("/api/v1/events".into(), 400, "bad_query"),
        ("/api/v1/events?sessions=".into(), 400, "bad_query"),
        ("/api/v1/events?sessions=you".into(), 400, "bad_query"),
        (format!("/api/v1/events?sessions={nobody}"), 404, "no_session"),
        ("/api/v1/events?sessions=all&timeline=yes".into(), 400, "bad_query"),
        ("/api/v1/events?sessions=all&keys=turns".into(), 400, "bad_query"),
        ("/api/v1/events?sessions=all&cursor=5".into(), 400, "bad_cursor"),
        ("/api/v1/events?sessions=all&cursor=x.y".into(), 400, "bad_cursor"),
        ("/api/v2/sessions".into(), 404, "no_such_path"),
        ("/api".into(), 404, "no_such_path"),
    ];
    for (path, status, code) in table {
        assert_eq!(host.fails(&path).await, (status, code.to_owned()), "{path}");
    }
    let (status, body) =
        host.ask(ours("DELETE", "/api/v1/sessions").header("content-type", "application/json"), "").await;
    assert_eq!((status, crate::host::code(&body)), (405, "method_not_allowed".into()));
}

#[tokio::test]
async fn metrics_count_what_happened() {
    let host = Host::new();
    host.write("a", &[("read", "pending")]).await;
    host.get("/api/v1/sessions").await;
    let response = host.send(ours("GET", "/metrics").body(Body::empty()).unwrap()).await;
    let ty = response.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(ty.starts_with("application/openmetrics-text"), "{ty}");
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let text = std::str::from_utf8(&bytes).unwrap();
    for line in [
        "runsheet_events_appended_total 5",
        "runsheet_calls_total{outcome=\"served\"} 1",
        "runsheet_call_seconds_count 1",
        "runsheet_call_seconds_bucket{le=\"+Inf\"} 1",
        "runsheet_call_seconds_bucket{le=\"0.0001\"} ",
        "runsheet_http_requests_total{status=\"2xx\"} 1",
        "runsheet_feed_readers 0",
    ] {
        assert!(text.contains(line), "{line} is not in:\n{text}");
    }
    assert!(text.ends_with("# EOF\n"));
}
