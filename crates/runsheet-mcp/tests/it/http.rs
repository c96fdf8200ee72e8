//! Sessions over HTTP, in both eras.

use http::Method;
use insta::assert_snapshot;
use runsheet_engine::{PreToolUse, Settings};
use serde_json::json;

use crate::{
    host::{Host, options},
    web::Web,
};

#[tokio::test]
async fn a_session_of_the_transport_is_a_session() {
    let host = Host::new();
    let web = Web::new(&host);
    let one = web.handshake("/mcp", "opencode").await.unwrap();
    let two = web.handshake("/mcp", "zed").await.unwrap();
    assert_snapshot!(web.legacy_write("/mcp", &one, &["a"]).await, @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
    web.legacy_write("/mcp", &two, &["b"]).await;
    web.legacy_write("/mcp", &one, &["a", "c"]).await;
    let sessions = host.sessions().await.replace(&one, "[one]").replace(&two, "[two]");
    assert_snapshot!(sessions, @r#"
    opencode 1 - http [one] main: a, c
    zed 1 - http [two] main: b
    "#);
}

#[tokio::test]
async fn a_name_is_a_session_whichever_way_it_is_given() {
    let host = Host::new();
    let web = Web::new(&host);
    let legacy = web.handshake("/mcp/s/shop%20front", "opencode").await.unwrap();
    web.legacy_write("/mcp/s/shop%20front", &legacy, &["legacy"]).await;
    assert_snapshot!(host.sessions().await, @"opencode 1 - http shop front main: legacy");
    web.modern_write("/mcp/s/shop%20front", &["modern"], json!({}), &[]).await;
    web.modern_write("/mcp", &["header"], json!({}), &[("runsheet-session", "shop front")]).await;
    assert_snapshot!(host.sessions().await, @"opencode 1 - http shop front main: header");
}

#[tokio::test]
async fn a_session_of_the_transport_keeps_its_first_name() {
    let host = Host::new();
    let web = Web::new(&host);
    let session = web.handshake("/mcp/s/one", "opencode").await.unwrap();
    assert_snapshot!(web.legacy_write("/mcp/s/two", &session, &["stray"]).await, @"-32600 this Mcp-Session-Id belongs to a session of another name");
    // Where the name is left out, the session still is the one it began as.
    web.legacy_write("/mcp", &session, &["a"]).await;
    assert_snapshot!(host.sessions().await, @"opencode 1 - http one main: a");
}

#[tokio::test]
async fn a_call_that_names_no_session_is_refused() {
    let host = Host::new();
    let web = Web::new(&host);
    assert_snapshot!(web.modern_write("/mcp", &["a"], json!({}), &[]).await, @r#"
    ! Error: todo_write requires an owning agent session
    ! This connection names no session. Use the URL /mcp/s/<name>, send the header `Runsheet-Session: <name>`, or run `runsheet mcp` over stdio.
    "#);
    // A stray header of the other era names none.
    web.modern_write("/mcp", &["a"], json!({}), &[("mcp-session-id", "x")]).await;
    assert_eq!(host.sessions().await, "");
    let shared = Host::with(Settings { share_anonymous: true, ..Settings::default() }, options());
    let web = Web::new(&shared);
    assert_snapshot!(web.modern_write("/mcp", &["a"], json!({}), &[]).await, @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
    assert_snapshot!(shared.sessions().await, @"claude-code 2.1.332 - http anonymous main: a");
}

#[tokio::test]
async fn calls_tell_their_session_themselves() {
    let host = Host::new();
    let web = Web::new(&host);
    let hook = PreToolUse {
        principal: "uid:1000".into(),
        client: "claude-code".into(),
        call_id: "toolu_1".into(),
        session: "a8da15cf".into(),
        agent: None,
        turn_key: None,
        cwd: Some("/home/dev/shop".into()),
    };
    host.engine.pre_tool_use(hook).await.unwrap();
    web.modern_write("/mcp", &["claude"], json!({"claudecode/toolUseId": "toolu_1"}), &[]).await;
    let codex = json!({
        "io.modelcontextprotocol/clientInfo": {"name": "codex-mcp-client", "version": "0.171.0"},
        "callId": "call_1", "sessionId": "s1", "threadId": "s1", "x-codex-turn-metadata": {"turn_id": "t1"},
    });
    web.modern_write("/mcp", &["codex"], codex, &[]).await;
    // Without client information the user agent is what is known.
    let nobody = json!({"io.modelcontextprotocol/clientInfo": null});
    let agent = [("runsheet-session", "curl"), ("user-agent", "curl/8.5 (x)")];
    web.modern_write("/mcp", &["curl"], nobody, &agent).await;
    assert_snapshot!(host.sessions().await, @r#"
    claude-code 2.1.332 /home/dev/shop http a8da15cf main: claude
    codex 0.171.0 - http s1 main: codex
    curl 8.5 - http curl main: curl
    "#);
}

#[tokio::test]
async fn changed_tools_and_resources_are_told() {
    let host = Host::new();
    let web = Web::new(&host);
    let session = web.handshake("/mcp", "opencode").await.unwrap();
    let mut stream = web.send(Method::GET, "/mcp", &[("mcp-session-id", &session)], "").await;
    let asked = json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": ["runsheet://sessions"]}});
    let mut listen = web.modern("/mcp", "subscriptions/listen", asked, &[]).await;
    assert_eq!(listen.message().await.unwrap()["method"], "notifications/subscriptions/acknowledged");
    host.config.change(|settings| settings.allow_parallel_in_progress = Some(false));
    assert_eq!(stream.message().await.unwrap()["method"], "notifications/tools/list_changed");
    assert_eq!(listen.message().await.unwrap()["method"], "notifications/tools/list_changed");
    web.legacy_write("/mcp", &session, &["a"]).await;
    assert_eq!(listen.message().await.unwrap()["method"], "notifications/resources/updated");
}

#[tokio::test]
async fn stateless_calls_are_judged_by_the_tools_there_are() {
    let host = Host::new();
    let web = Web::new(&host);
    let list = web.modern("/mcp", "tools/list", json!({}), &[]).await.text().await;
    assert!(list.starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete""#), "{list}");
    host.config.change(|settings| settings.bounds.max_items = 1);
    assert_snapshot!(web.modern_write("/mcp/s/x", &["a", "b"], json!({}), &[]).await, @"! Error: invalid todos: 2 items, at most 1 (todo.max_items)");
}
