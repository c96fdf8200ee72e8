//! What does not get in over HTTP, how much does, and how it ends.

use http::Method;
use insta::assert_snapshot;
use runsheet_mcp::HttpOptions;
use serde_json::json;

use crate::{
    host::Host,
    web::{HOST, Web},
};

const PING: &str = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;

/// One line: the status, and the error.
async fn check(web: &Web, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let answer = web.send(method, path, headers, body).await;
    let status = answer.status.as_u16();
    format!("{status} {}\n", answer.text().await)
}

#[tokio::test]
async fn strangers() {
    let host = Host::new();
    let web = Web::new(&host);
    let mut answers = String::new();
    for (name, value) in [
        ("host", "evil.example:4477"),
        ("host", "127.0.0.1:4478"),
        ("host", "127.0.0.1"),
        ("host", ""),
        ("origin", "http://evil.example"),
        ("origin", "https://127.0.0.1:4477"),
        ("origin", "null"),
    ] {
        for method in [Method::POST, Method::GET] {
            answers += &format!("{name} {value}: {}", check(&web, method, "/mcp", &[(name, value)], PING).await);
        }
    }
    assert_snapshot!(answers, @r#"
    host evil.example:4477: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host evil.example:4477: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host 127.0.0.1:4478: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host 127.0.0.1:4478: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host 127.0.0.1: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host 127.0.0.1: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host : 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    host : 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the Host header names another server"}}
    origin http://evil.example: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from this Origin are not allowed"}}
    origin http://evil.example: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from this Origin are not allowed"}}
    origin https://127.0.0.1:4477: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from this Origin are not allowed"}}
    origin https://127.0.0.1:4477: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from this Origin are not allowed"}}
    origin null: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from this Origin are not allowed"}}
    origin null: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from this Origin are not allowed"}}
    "#);
    let twice = [("host", HOST), ("host", "evil.example:4477")];
    let mut answers = check(&web, Method::POST, "/mcp", &twice, PING).await;
    for (path, site) in [
        ("http://evil.example:4477/mcp", ""),
        ("/mcp", "cross-site"),
        ("/mcp", "same-site"),
        ("/mcp", "same-origin"),
        ("/mcp", "none"),
        ("http://127.0.0.1:4477/mcp", ""),
    ] {
        let answer = check(&web, Method::POST, path, &[("sec-fetch-site", site)], PING).await;
        answers += &format!("{path} {site}: {answer}");
    }
    assert_snapshot!(answers, @r#"
    403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"there is more than one Host header"}}
    http://evil.example:4477/mcp : 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the request's URI names another server"}}
    /mcp cross-site: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from other sites are not allowed"}}
    /mcp same-site: 403 {"jsonrpc":"2.0","error":{"code":-32000,"message":"requests from other sites are not allowed"}}
    /mcp same-origin: 400 Bad Request: Session ID is required
    /mcp none: 400 Bad Request: Session ID is required
    http://127.0.0.1:4477/mcp : 400 Bad Request: Session ID is required
    "#);
    // An Origin says more than the site.
    let allowed = [("origin", "http://localhost:4477"), ("sec-fetch-site", "cross-site")];
    assert!(check(&web, Method::POST, "/mcp", &allowed, "{").await.starts_with("400"));
    for (name, value) in [("host", "localhost:4477"), ("host", "[::1]:4477"), ("origin", "http://127.0.0.1:4477")] {
        let answer = check(&web, Method::POST, "/mcp", &[(name, value)], "{").await;
        assert!(answer.starts_with("400"), "{name} {value}: {answer}");
    }
}

#[tokio::test]
async fn bodies_that_are_no_message() {
    let host = Host::new();
    let mut options = HttpOptions::loopback(4477);
    options.max_body_bytes = 1_000;
    let web = Web::with(&host, options);
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(1_000));
    let mut answers = String::new();
    for body in
        ["", "{", r#"{"jsonrpc":"2.0","id":3,"method":"#, r#"[{"id":4}]"#, r#"{"id":5,"method":"ping"}"#, &long, PING]
    {
        answers += &check(&web, Method::POST, "/mcp", &[], body).await;
    }
    assert_snapshot!(answers, @r#"
    400 {"jsonrpc":"2.0","error":{"code":-32700,"message":"the message is not JSON: EOF while parsing a value at line 1 column 0"}}
    400 {"jsonrpc":"2.0","error":{"code":-32700,"message":"the message is not JSON: EOF while parsing an object at line 1 column 1"}}
    400 {"jsonrpc":"2.0","id":3,"error":{"code":-32700,"message":"the message is not JSON: EOF while parsing a value at line 1 column 33"}}
    400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"batches are not supported: send one message at a time"}}
    400 {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"the message is not JSON-RPC 2.0: unrecognized JSON-RPC message"}}
    413 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the body is larger than 1000 bytes"}}
    400 Bad Request: Session ID is required
    "#);
}

#[tokio::test]
async fn what_an_announced_length_says_is_believed() {
    let host = Host::new();
    let web = Web::new(&host);
    let mut answers = String::new();
    for length in ["8388609", "99999999999999999999999999"] {
        answers += &check(&web, Method::POST, "/mcp", &[("content-length", length)], PING).await;
    }
    assert_snapshot!(answers, @r#"
    413 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the body is larger than 8388608 bytes"}}
    413 {"jsonrpc":"2.0","error":{"code":-32000,"message":"the body is larger than 8388608 bytes"}}
    "#);
}

#[tokio::test]
async fn names_that_are_none() {
    let host = Host::new();
    let web = Web::new(&host);
    let long = format!("/mcp/s/{}", "x".repeat(129));
    let mut answers = String::new();
    for path in ["/mcp/s/%0a", "/mcp/s/%20", &long, "/mcp/s/a/b"] {
        answers += &check(&web, Method::POST, path, &[], PING).await;
    }
    answers += &check(&web, Method::POST, "/mcp", &[("runsheet-session", " ")], PING).await;
    assert_snapshot!(answers, @r#"
    400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"a session's name has 1 to 128 bytes and no control characters"}}
    400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"a session's name has 1 to 128 bytes and no control characters"}}
    400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"a session's name has 1 to 128 bytes and no control characters"}}
    404 
    400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"a session's name has 1 to 128 bytes and no control characters"}}
    "#);
}

#[tokio::test]
async fn a_session_that_is_none() {
    let host = Host::new();
    let web = Web::new(&host);
    let mut answers = check(&web, Method::POST, "/mcp", &[("mcp-session-id", "none")], PING).await;
    answers += &check(&web, Method::GET, "/mcp", &[("mcp-session-id", "none")], "").await;
    answers += &check(&web, Method::POST, "/mcp", &[], PING).await;
    answers += &check(&web, Method::PUT, "/mcp", &[], PING).await;
    assert_snapshot!(answers, @r#"
    404 Not Found: Session not found
    404 Not Found: Session not found
    400 Bad Request: Session ID is required
    405 Method Not Allowed
    "#);
}

#[tokio::test]
async fn sessions_are_bounded_and_the_idle_one_goes() {
    let host = Host::new();
    let mut options = HttpOptions::loopback(4477);
    options.max_sessions = 2;
    let web = Web::with(&host, options);
    let first = web.handshake("/mcp", "a").await.unwrap();
    let second = web.handshake("/mcp", "b").await.unwrap();
    web.legacy_write("/mcp", &first, &["used last"]).await;
    let third = web.handshake("/mcp", "c").await.unwrap();
    assert_snapshot!(web.legacy_write("/mcp", &second, &["gone"]).await, @"404 Not Found");
    assert_snapshot!(web.legacy_write("/mcp", &first, &["here"]).await, @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
    // With a stream open on each, none is idle.
    let one = web.send(Method::GET, "/mcp", &[("mcp-session-id", &first)], "").await;
    let two = web.send(Method::GET, "/mcp", &[("mcp-session-id", &third)], "").await;
    let hello =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "d", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": hello}).to_string();
    assert_snapshot!(check(&web, Method::POST, "/mcp", &[], &hello).await, @r#"503 {"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"all 2 sessions are in use; try again later"}}"#);
    drop(one);
    assert!(web.handshake("/mcp", "d").await.is_ok());
    // One that its client ends makes room, too.
    check(&web, Method::DELETE, "/mcp", &[("mcp-session-id", &third)], "").await;
    drop(two);
    assert!(web.handshake("/mcp", "e").await.is_ok());
}

#[tokio::test]
async fn shutdown_ends_what_is_open() {
    let host = Host::new();
    let web = Web::new(&host);
    let session = web.handshake("/mcp", "opencode").await.unwrap();
    let mut stream = web.send(Method::GET, "/mcp", &[("mcp-session-id", &session), ("host", HOST)], "").await;
    let asked = json!({"notifications": {"toolsListChanged": true}});
    let mut listen = web.modern("/mcp", "subscriptions/listen", asked, &[]).await;
    listen.message().await.unwrap();
    web.legacy_write("/mcp", &session, &["a"]).await;
    web.shutdown.cancel();
    assert_eq!(listen.message().await.unwrap()["result"]["resultType"], "complete");
    assert_eq!(listen.message().await, None);
    // It counts as delivered once its body is let go, as a listener does with one that has ended.
    drop(listen);
    assert_eq!(stream.message().await, None);
    assert_snapshot!(check(&web, Method::POST, "/mcp", &[], PING).await, @r#"503 {"jsonrpc":"2.0","error":{"code":-32000,"message":"runsheet is shutting down; try again in a moment"}}"#);
    host.server.finished().await;
    host.engine.close().await;
}
