//! Who may call what.

use axum::body::Body;
use http::{Request, request::Builder};
use runsheet_web::Peer;
use serde_json::json;

use crate::host::{HOST, Host, ORIGIN, code, ours, page};

const SESSIONS: &str = "/api/v1/sessions";

/// What a request without a body is answered: its status, and the code of the error.
async fn told(host: &Host, builder: Builder) -> (u16, String) {
    let (status, body) = host.ask(builder, "").await;
    (status, code(&body))
}

fn of(peer: Peer, path: &str) -> Builder {
    Request::builder().uri(path).header("host", HOST).extension(peer)
}

#[tokio::test]
async fn the_table_of_requests() {
    let host = Host::with(|options| options.token = Some("secret".into()));
    let bare = || Request::builder().uri(SESSIONS).extension(Peer::Ours);
    let json = |builder: Builder| builder.header("content-type", "application/json");
    let table: Vec<(&str, Builder, u16, &str)> = vec![
        ("a program of ours", ours("GET", SESSIONS), 200, ""),
        ("by name", bare().header("host", "localhost:4477"), 200, ""),
        ("by IPv6", bare().header("host", "[::1]:4477"), 200, ""),
        ("no host", bare(), 421, "wrong_host"),
        ("two hosts", bare().header("host", HOST).header("host", HOST), 421, "wrong_host"),
        ("a rebound name", bare().header("host", "evil.example:4477"), 421, "wrong_host"),
        ("a name that begins like ours", bare().header("host", "localhost:4477.evil.example"), 421, "wrong_host"),
        ("another port", bare().header("host", "127.0.0.1:80"), 421, "wrong_host"),
        ("no port", bare().header("host", "127.0.0.1"), 421, "wrong_host"),
        (
            "another target",
            Request::builder().uri("http://evil.example/api/v1/sessions").header("host", HOST),
            421,
            "wrong_host",
        ),
        ("another origin", ours("GET", SESSIONS).header("origin", "http://evil.example"), 403, "wrong_origin"),
        ("no page's origin", ours("GET", SESSIONS).header("origin", "null"), 403, "wrong_origin"),
        ("ours over TLS", ours("GET", SESSIONS).header("origin", "https://127.0.0.1:4477"), 403, "wrong_origin"),
        (
            "our host on another port",
            ours("GET", SESSIONS).header("origin", "http://127.0.0.1:9999"),
            403,
            "wrong_origin",
        ),
        ("two origins", ours("GET", SESSIONS).header("origin", ORIGIN).header("origin", "null"), 403, "wrong_origin"),
        ("cross-site", ours("GET", SESSIONS).header("sec-fetch-site", "cross-site"), 403, "cross_site"),
        ("same site, another port", ours("GET", SESSIONS).header("sec-fetch-site", "same-site"), 403, "cross_site"),
        ("a browser without cookie", page("GET", SESSIONS), 401, "login_required"),
        ("typed into a browser", ours("GET", SESSIONS).header("sec-fetch-site", "none"), 401, "login_required"),
        (
            "a made-up cookie",
            page("GET", SESSIONS).header("cookie", "runsheet-4477=a.ffffffff.b"),
            401,
            "login_required",
        ),
        ("another user", of(Peer::OtherUser, SESSIONS), 403, "other_user"),
        ("another user's metrics", of(Peer::OtherUser, "/metrics"), 403, "other_user"),
        ("another user's health", of(Peer::OtherUser, "/api/v1/health"), 403, "other_user"),
        (
            "another user with the token",
            of(Peer::OtherUser, SESSIONS).header("authorization", "Bearer secret"),
            200,
            "",
        ),
        (
            "another user with a wrong token",
            of(Peer::OtherUser, SESSIONS).header("authorization", "Bearer secre"),
            403,
            "other_user",
        ),
        ("from afar", of(Peer::Remote, SESSIONS), 401, "login_required"),
        (
            "from afar, nobody knows whence",
            Request::builder().uri(SESSIONS).header("host", HOST),
            401,
            "login_required",
        ),
        ("from afar with the token", of(Peer::Remote, SESSIONS).header("authorization", "Bearer secret"), 200, ""),
        (
            "a form",
            ours("POST", "/api/v1/login").header("content-type", "application/x-www-form-urlencoded"),
            415,
            "not_json",
        ),
        ("a plain text", ours("POST", "/api/v1/login").header("content-type", "text/plain"), 415, "not_json"),
        ("no type", ours("POST", "/api/v1/login"), 415, "not_json"),
        ("two types", json(json(ours("POST", "/api/v1/login"))), 415, "not_json"),
        ("a preflight", ours("OPTIONS", SESSIONS).header("origin", "http://evil.example"), 403, "wrong_origin"),
        ("another user's login", json(of(Peer::OtherUser, "/api/v1/login").method("POST")), 403, "other_user"),
        ("login without a body", json(page("POST", "/api/v1/login")), 400, "bad_json"),
    ];
    for (what, builder, status, code) in table {
        assert_eq!(told(&host, builder).await, (status, code.to_owned()), "{what}");
    }
}

#[tokio::test]
async fn links_may_open_our_pages_and_nothing_else() {
    let host = Host::new();
    let from = |path: &str, mode: &str, destination: &str| {
        let builder = ours("GET", path).header("sec-fetch-site", "cross-site");
        builder.header("sec-fetch-mode", mode).header("sec-fetch-dest", destination)
    };
    // Without the client built in, a page is a sentence and a 404; what counts is that it is not refused.
    for path in ["/", "/s/5f0c"] {
        assert_ne!(told(&host, from(path, "navigate", "document")).await.0, 403, "{path}");
    }
    for (path, mode, destination) in [
        ("/", "navigate", "iframe"),
        ("/", "no-cors", "image"),
        ("/assets/x.js", "no-cors", "script"),
        (SESSIONS, "navigate", "document"),
        ("/metrics", "navigate", "document"),
    ] {
        assert_eq!(told(&host, from(path, mode, destination)).await.1, "cross_site", "{path} {destination}");
    }
}

#[tokio::test]
async fn a_code_logs_one_browser_in_once() {
    let host = Host::new();
    let code = host.logins.code().unwrap();
    assert_eq!(code.len(), 32);
    let login = |code: &str| {
        let builder = page("POST", "/api/v1/login").header("content-type", "application/json; charset=utf-8");
        builder.body(Body::from(json!({"code": code}).to_string())).unwrap()
    };
    assert_eq!(host.send(login("0".repeat(32).as_str())).await.status().as_u16(), 401);
    let response = host.send(login(&code)).await;
    assert_eq!(response.status().as_u16(), 204);
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("runsheet-4477=") && cookie.ends_with("; HttpOnly; SameSite=Strict"), "{cookie}");
    assert_eq!(host.send(login(&code)).await.status().as_u16(), 401);
    assert_eq!(*host.logins.used().borrow(), 1);

    let pair = cookie.split(';').next().unwrap();
    let with = |cookie: &str| page("GET", SESSIONS).header("cookie", cookie);
    assert_eq!(told(&host, with(&format!("theme=dark; {pair}"))).await.0, 200);
    // A host that is started again with the same key knows the browser; one with another key does not.
    assert_eq!(told(&Host::new(), with(pair)).await.0, 200);
    let stranger = Host::with(|options| options.logins = runsheet_web::Logins::new([8; 32]));
    assert_eq!(told(&stranger, with(pair)).await.0, 401);
    // Neither may it be changed, nor sent under another name, nor by another user, nor from another site.
    let changed = pair.replacen("=", "=0", 1);
    assert_eq!(told(&host, with(&changed)).await.0, 401);
    assert_eq!(told(&host, with(&pair.replace("4477", "4478"))).await.0, 401);
    assert_eq!(told(&host, of(Peer::OtherUser, SESSIONS).header("cookie", pair)).await.0, 403);
    assert_eq!(told(&host, of(Peer::Remote, SESSIONS).header("cookie", pair)).await.0, 200);
    let site = of(Peer::Ours, SESSIONS).header("cookie", pair).header("sec-fetch-site", "cross-site");
    assert_eq!(told(&host, site).await.0, 403);
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let host = Host::new();
    for path in ["/", "/s/x", "/assets/nothing.js", SESSIONS, "/api/nothing", "/metrics"] {
        for peer in [Peer::Ours, Peer::OtherUser] {
            let response = host.send(of(peer, path).body(Body::empty()).unwrap()).await;
            let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            let policy = header("content-security-policy").unwrap();
            assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
            assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
            assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"), "{path}");
            assert_eq!(header("access-control-allow-origin"), None, "{path}");
            if path.starts_with("/api") {
                assert_eq!(header("cache-control").as_deref(), Some("no-store"), "{path}");
            }
        }
    }
}

#[test]
fn secrets_are_not_shown() {
    let logins = runsheet_web::Logins::new([7; 32]);
    let code = logins.code().unwrap();
    let shown = format!("{logins:?}");
    assert!(!shown.contains(&code) && !shown.contains('7'), "{shown}");
}
