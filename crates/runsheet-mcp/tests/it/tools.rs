//! What a client is told of the server and its tools.

use insta::assert_snapshot;
use runsheet_engine::Settings;
use serde_json::{Value, json};

use crate::{
    host::{Host, options},
    peer::{Peer, process},
};

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

#[tokio::test]
async fn the_handshake() {
    let host = Host::new();
    let mut peer = Peer::connect(&host, process());
    let params = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "codex-mcp-client", "version": "0.171.0"}
    });
    let mut answer = peer.request("initialize", params).await;
    assert_eq!(answer["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    answer["result"]["serverInfo"]["version"] = "[version]".into();
    assert_snapshot!(pretty(&answer), @r#"
    {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "protocolVersion": "2025-06-18",
        "capabilities": {
          "resources": {
            "subscribe": true
          },
          "tools": {
            "listChanged": true
          }
        },
        "serverInfo": {
          "name": "runsheet",
          "title": "Runsheet",
          "version": "[version]"
        },
        "instructions": "Runsheet keeps this session's task list durably, where people watch it live. Keep it up to date with the todo tool while you work."
      }
    }
    "#);
}

#[tokio::test]
async fn the_discovery() {
    let host = Host::new();
    let mut peer = Peer::modern(&host, process(), "claude-code", "2.1.332");
    let mut answer = peer.request("server/discover", json!({})).await;
    answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["version"] = "[version]".into();
    assert_snapshot!(pretty(&answer), @r#"
    {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "resultType": "complete",
        "supportedVersions": [
          "2024-11-05",
          "2025-03-26",
          "2025-06-18",
          "2025-11-25",
          "2026-07-28"
        ],
        "capabilities": {
          "resources": {
            "subscribe": true
          },
          "tools": {
            "listChanged": true
          }
        },
        "instructions": "Runsheet keeps this session's task list durably, where people watch it live. Keep it up to date with the todo tool while you work.",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {
          "io.modelcontextprotocol/serverInfo": {
            "name": "runsheet",
            "title": "Runsheet",
            "version": "[version]"
          }
        }
      }
    }
    "#);
}

#[tokio::test]
async fn the_tools_to_the_byte() {
    let host = Host::new();
    let mut peer = Peer::legacy(&host, process(), "opencode", "1.18.33").await;
    let legacy = peer.request("tools/list", json!({})).await["result"].to_string();
    assert_snapshot!(legacy, @r#"{"tools":[{"name":"todo_write","title":"Update todo list","description":"Keep a structured list of the work at hand, for you to plan by and for people to follow. Every call sends the whole list and replaces the previous one; a single todo cannot be edited.\n\n- Use it for work of several steps: before you start, write one todo for each concrete step. Skip it for a single trivial step.\n- Set every todo you are working on to in_progress before you begin it: several at once when work genuinely runs in parallel, else one. While work remains, at least one is in_progress.\n- Set a todo to completed the moment it is fully done and never earlier, each at its time and not in batches. Have none in_progress only once everything is completed.\n\npending: not begun. in_progress: being worked on now. completed: fully done.","inputSchema":{"type":"object","properties":{"todos":{"type":"array","description":"The complete list. It replaces the previous one.","items":{"type":"object","properties":{"content":{"type":"string","description":"What to do: one short imperative line, different from every other."},"status":{"type":"string","enum":["pending","in_progress","completed"]}},"required":["content","status"],"additionalProperties":false}}},"required":["todos"]},"annotations":{"title":"Update todo list","readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"_meta":{"anthropic/alwaysLoad":true}}]}"#);
    let mut peer = Peer::modern(&host, process(), "claude-code", "2.1.332");
    let modern = peer.request("tools/list", json!({})).await["result"].to_string();
    let tools = |list: &str| list[list.find("\"tools\"").unwrap()..].to_owned();
    assert_eq!(tools(&legacy), tools(&modern));
    assert_snapshot!(modern.replace(&tools(&modern), "…"), @r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private",…"#);
}

#[tokio::test]
async fn structured_results_have_a_schema() {
    let settings = Settings { structured: true, ..Settings::default() };
    let host = Host::with(settings, options());
    let mut peer = Peer::modern(&host, process(), "opencode", "1");
    let list = peer.request("tools/list", json!({})).await;
    let schema = &list["result"]["tools"][0]["outputSchema"];
    assert_eq!(schema["required"], json!(["todos", "counts"]));
    let arguments = crate::host::todos(&["a"]);
    let meta = json!({"claudecode/toolUseId": "toolu_1"});
    let call = json!({"name": "todo_write", "arguments": arguments, "_meta": meta});
    let first = peer.request("tools/call", call.clone()).await;
    assert_snapshot!(first["result"], @r#"{"resultType":"complete","content":[{"type":"text","text":"Updated todo list: 1 pending, 0 in progress, 0 completed."}],"structuredContent":{"todos":[{"content":"a","status":"pending"}],"counts":{"pending":1,"inProgress":0,"completed":0,"cancelled":0}},"isError":false}"#);
    // Served before: the text is the recorded one, and the schema holds all the same.
    let again = peer.request("tools/call", call).await;
    assert_eq!(first["result"], again["result"]);
    let refused = peer.request("tools/call", json!({"name": "todo_write"})).await;
    assert_eq!(refused["result"].get("structuredContent"), None);
}

#[tokio::test]
async fn nothing_of_it_waits_for_the_store() {
    let (opened, opening) = std::sync::mpsc::channel::<()>();
    let open = Box::new(move || {
        opening.recv().unwrap();
        let store = runsheet_engine::store::MemoryStore::new(runsheet_engine::core::vocabulary().clone());
        Ok(std::sync::Arc::new(store) as std::sync::Arc<dyn runsheet_engine::store::Store>)
    });
    let host = Host::opening(open, Settings::default(), options());
    let mut legacy = Peer::legacy(&host, process(), "opencode", "1").await;
    assert!(legacy.request("tools/list", json!({})).await["result"]["tools"].is_array());
    let mut modern = Peer::modern(&host, process(), "claude-code", "2");
    assert!(modern.request("server/discover", json!({})).await["result"].is_object());
    assert!(modern.request("tools/list", json!({})).await["result"]["tools"].is_array());
    opened.send(()).unwrap();
    assert_snapshot!(legacy.write(&["a"], json!({})).await, @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
}
