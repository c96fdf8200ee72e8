//! A person's edit.

use runsheet_engine::{
    core::{
        self,
        log::{Agent, EventId, Ownership, SessionCreated, Source, Time},
    },
    store::Expected,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::host::{Host, code, ours};

fn header(kind: &str, dialect: Option<&str>) -> Vec<core::log::Event> {
    let header = SessionCreated {
        format: core::log::FORMAT,
        cwd: None,
        agent: Agent { name: "claude-code".into(), version: None, dialect: dialect.map(Into::into) },
        parent: None,
        source: Source { kind: kind.into(), native: None },
        lifecycle: Ownership::Observed,
    };
    vec![core::vocabulary().event(EventId::new(Uuid::now_v7()), Time::from_ms(1_796_040_000_000), &header)]
}

#[tokio::test]
async fn an_edit_is_written_as_a_persons_and_leaves_the_turn_alone() {
    let host = Host::new();
    let session = host.write("a", &[("read", "in_progress"), ("write", "pending")]).await;
    let edit = json!({"revision": 1, "todos": [
        {"content": " read ", "status": "completed"},
        {"content": "write", "status": "pending", "activeForm": "Writing", "rawStatus": "todo"},
        {"content": "测试 🚀", "status": "pending", "id": "t3", "priority": "high"},
    ]});
    let (status, view) = host.put(session, &edit.to_string()).await;
    assert_eq!(
        (status, &view["revision"], &view["author"], &view["turn"]),
        (200, &json!(2), &json!("human"), &json!(1))
    );
    assert_eq!(view["standing"][0], json!({"content": "read", "status": "completed"}));
    assert_eq!(view["standing"][2], json!({"content": "测试 🚀", "status": "pending", "id": "t3", "priority": "high"}));
    assert_eq!(view["changes"]["added"], json!(["测试 🚀"]));
    let (_, page) = host.get(&format!("/api/v1/sessions/{session}/history")).await;
    let types: Vec<_> = page["events"].as_array().unwrap().iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types[5..], [json!("todo/write")]);
    let (_, now) = host.get(&format!("/api/v1/sessions/{session}/todos")).await;
    assert_eq!(now, view);
}

#[tokio::test]
async fn an_edit_of_a_list_that_moved_on_is_told_the_current_one() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    host.write("a", &[("read", "in_progress")]).await;
    let edit = json!({"revision": 1, "todos": []});
    let (status, body) = host.put(session, &edit.to_string()).await;
    assert_eq!((status, code(&body), &body["current"]["revision"]), (409, "conflict".into(), &json!(2)));
    assert_eq!(body["current"]["standing"], json!([{"content": "read", "status": "in_progress"}]));
    let (_, now) = host.get(&format!("/api/v1/sessions/{session}/todos")).await;
    assert_eq!(now, body["current"]);
}

#[tokio::test]
async fn of_two_edits_at_one_revision_one_is_written() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let edit = |content: &str| json!({"revision": 1, "todos": [{"content": content, "status": "pending"}]}).to_string();
    let (one, other) = (edit("one"), edit("other"));
    let (one, other) = tokio::join!(host.put(session, &one), host.put(session, &other));
    let mut statuses = [one.0, other.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn what_stands_already_is_not_written_again() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let edit = json!({"revision": 1, "todos": [{"content": "read", "status": "pending"}]});
    let (status, view) = host.put(session, &edit.to_string()).await;
    assert_eq!((status, &view["revision"], &view["author"]), (200, &json!(1), &json!("model")));
}

#[tokio::test]
async fn a_list_may_be_emptied_and_written_where_there_was_none() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let (_, view) = host.put(session, &json!({"revision": 1, "todos": []}).to_string()).await;
    assert_eq!(view["standing"], json!([]));
    let fresh = Uuid::now_v7();
    host.append(fresh, Expected::Absent, header("hook", Some("dsh"))).await;
    let edit = json!({"revision": 0, "todos": [{"content": "begin", "status": "pending"}]});
    let (status, view) = host.put(fresh, &edit.to_string()).await;
    assert_eq!((status, &view["revision"]), (200, &json!(1)));
}

#[tokio::test]
async fn the_next_write_that_does_not_know_of_an_edit_is_refused_once_and_told() {
    let host = Host::new();
    let session = host.write("a", &[("read", "in_progress"), ("write", "pending")]).await;
    let edits = [
        json!([{"content": "read", "status": "completed"}, {"content": "write", "status": "pending"}]),
        json!([{"content": "read", "status": "completed"}, {"content": "write", "status": "pending"},
            {"content": "ask me", "status": "pending"}]),
    ];
    for (revision, todos) in edits.iter().enumerate() {
        let (status, view) = host.put(session, &json!({"revision": revision + 1, "todos": todos}).to_string()).await;
        assert_eq!(status, 200);
        assert_eq!(view["untold"][0]["status"], json!("in_progress"), "what the model knows, over two edits");
    }
    let stale = [("read", "completed"), ("write", "in_progress")];
    let refused = host.call("a", &stale).await;
    assert!(refused.is_error);
    assert_eq!(refused.blocks[0], "Error: not written, because a person has changed the list since you last wrote it");
    let told = "What the person changed:\n- set to completed: \"read\"\n- added: \"ask me\"\nThe list now:\n[{";
    assert!(refused.blocks[1].starts_with(told), "{}", refused.blocks[1]);
    let (_, view) = host.get(&format!("/api/v1/sessions/{session}/todos")).await;
    assert_eq!((&view["revision"], &view["author"], view.get("untold")), (&json!(3), &json!("human"), None));
    let (_, page) = host.get(&format!("/api/v1/sessions/{session}/history")).await;
    let note = page["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&note["type"], &note["data"]["toldRevision"]), (&json!("note/model"), &json!(3)));
    // It was told, so it may write what it wants.
    assert!(!host.call("a", &stale).await.is_error);
}

#[tokio::test]
async fn a_model_that_writes_what_the_person_left_is_not_refused() {
    let host = Host::new();
    let session = host.write("a", &[("read", "in_progress")]).await;
    let edit = json!({"revision": 1, "todos": [{"content": "read", "status": "completed"}]});
    host.put(session, &edit.to_string()).await;
    assert!(!host.call("a", &[("read", "completed")]).await.is_error);
}

#[tokio::test]
async fn an_edit_taken_back_is_no_news() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let edit = |revision: u64, status: &str| {
        json!({"revision": revision, "todos": [{"content": "read", "status": status}]}).to_string()
    };
    host.put(session, &edit(1, "completed")).await;
    let (_, view) = host.put(session, &edit(2, "pending")).await;
    assert_eq!(view.get("untold"), None);
    assert!(!host.call("a", &[("read", "in_progress")]).await.is_error);
}

#[tokio::test]
async fn an_edit_keeps_how_the_writer_spelt_a_status_the_person_left_alone() {
    let host = Host::new();
    let session = Uuid::now_v7();
    let item = |content: &str| json!({"content": content, "status": "pending", "rawStatus": "blocked"});
    let write: core::todo::TodoWrite = serde_json::from_value(json!({
        "scope": "main", "author": "import", "dialect": "hermes", "lifetime": "session",
        "policy": {"allowParallelInProgress": true}, "todos": [item("a"), item("b"), item("c"), item("d")],
    }))
    .unwrap();
    let mut events = header("fork", Some("hermes"));
    let event = core::vocabulary().event(EventId::new(Uuid::now_v7()), Time::from_ms(1_796_040_000_000), &write);
    events.push(event);
    host.append(session, Expected::Absent, events).await;
    let edit = json!({"revision": 1, "todos": [
        {"content": "a", "status": "pending"},
        {"content": "b, reworded", "status": "pending", "rawStatus": "blocked"},
        {"content": "c", "status": "completed", "rawStatus": "blocked"},
        {"content": "d", "status": "pending", "rawStatus": "made up"},
    ]});
    let (status, view) = host.put(session, &edit.to_string()).await;
    assert_eq!(status, 200, "{view}");
    let spelt: Vec<_> = view["standing"].as_array().unwrap().iter().map(|item| item["rawStatus"].clone()).collect();
    assert_eq!(spelt, [json!("blocked"), json!("blocked"), json!(null), json!("blocked")]);
}

#[tokio::test]
async fn sessions_that_take_no_edit_say_why() {
    let host = Host::new();
    let edit = json!({"revision": 0, "todos": []}).to_string();
    let (foreign, toolless) = (Uuid::now_v7(), Uuid::now_v7());
    host.append(foreign, Expected::Absent, header("transcript", Some("dsh"))).await;
    host.append(toolless, Expected::Absent, header("hook", None)).await;
    let (status, body) = host.put(foreign, &edit).await;
    assert_eq!((status, code(&body)), (405, "read_only_session".into()));
    let (status, body) = host.put(toolless, &edit).await;
    assert_eq!((status, code(&body)), (404, "no_todo_tool".into()));
    assert_eq!(host.fails(&format!("/api/v1/sessions/{toolless}/todos")).await, (404, "no_todo_tool".into()));
    let (status, body) = host.put(Uuid::nil(), &edit).await;
    assert_eq!((status, code(&body)), (404, "no_session".into()));
}

#[tokio::test]
async fn a_wrong_edit_names_what_is_wrong() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let item =
        |item: Value| json!({"revision": 1, "todos": [{"content": "ok", "status": "pending"}, item]}).to_string();
    let table = [
        (item(json!({"content": "x", "status": "done"})), 422, "todos[1]: unknown variant `done`"),
        (item(json!({"content": 5, "status": "pending"})), 422, "todos[1]: invalid type: integer `5`"),
        (item(json!({"content": "x"})), 422, "todos[1]: missing field `status`"),
        (item(json!({"content": "x", "status": "pending", "done": true})), 422, "todos[1]: unknown field `done`"),
        (item(json!(["x", "pending"])), 422, "todos[1]: an item is an object"),
        (item(json!(null)), 422, "todos[1]: an item is an object"),
        (item(json!({"content": " \u{feff}\n", "status": "pending"})), 422, "todos[1].content: must not be blank"),
        (item(json!({"content": "ok", "status": "completed"})), 422, "todos[1].content: is there twice"),
        (item(json!({"content": "x".repeat(17_000), "status": "pending"})), 422, "todos[1].content: the item is 17000"),
        (r#"{"revision":1,"todos":[{"content":"\ud800","status":"pending"}]}"#.into(), 422, "todos[0]: "),
        (json!({"revision": "1", "todos": []}).to_string(), 400, "invalid type: string"),
        (json!({"revision": -1, "todos": []}).to_string(), 400, "invalid value: integer `-1`"),
        (json!({"revision": 1, "todos": {}}).to_string(), 400, "invalid type: map"),
        (json!({"revision": 1}).to_string(), 400, "missing field `todos`"),
        (json!({"revision": 1, "todos": [], "force": true}).to_string(), 400, "unknown field `force`"),
        (json!([1, []]).to_string(), 400, "the body must be a JSON object"),
        ("{".into(), 400, "EOF"),
        (String::new(), 400, "EOF"),
    ];
    for (body, status, told) in table {
        let (is, answer) = host.put(session, &body).await;
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(is == status && message.starts_with(told), "{body}: {is} {message}");
    }
    let many: Vec<_> = (0..1_001).map(|n| json!({"content": n.to_string(), "status": "pending"})).collect();
    let (status, body) = host.put(session, &json!({"revision": 1, "todos": many}).to_string()).await;
    assert_eq!((status, &body["error"]["message"]), (422, &json!("todos: 1001 items, at most 1000 (todo.max_items)")));
    let big: Vec<_> = (0..5).map(|n| json!({"content": n.to_string().repeat(14_000), "status": "pending"})).collect();
    let (status, body) = host.put(session, &json!({"revision": 1, "todos": big}).to_string()).await;
    assert!(status == 422 && body["error"]["message"].as_str().unwrap().contains("todo.max_list_bytes"), "{body}");
    let (_, view) = host.get(&format!("/api/v1/sessions/{session}/todos")).await;
    assert_eq!(view["revision"], json!(1));
}

#[tokio::test]
async fn bodies_are_bounded() {
    let host = Host::with(|options| options.max_body_bytes = 100);
    let session = host.write("a", &[("read", "pending")]).await;
    let (status, body) = host.put(session, &" ".repeat(101)).await;
    assert_eq!((status, code(&body)), (413, "too_big".into()));
    // One that only tells that it is too big is not waited for.
    let path = format!("/api/v1/sessions/{session}/todos");
    let told: http::request::Builder = ours("PUT", &path).header("content-type", "application/json");
    let (status, _) = host.ask(told.header("content-length", "1000000"), "{}").await;
    assert_eq!(status, 413);
}
