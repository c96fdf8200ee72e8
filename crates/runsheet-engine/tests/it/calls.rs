use insta::assert_snapshot;

use crate::host::{Host, codex, list, nobody, plain};

#[tokio::test]
async fn a_call_is_one_append_with_its_turn() {
    let host = Host::new();
    let outcome = host.call(&plain(1), &list(&[">read", "write"])).await;
    assert_snapshot!(outcome.blocks.join("|"), @"Updated todo list: 1 pending, 1 in progress, 0 completed.");
    let stream = outcome.session.unwrap();
    host.call(&plain(1), &list(&["xread", ">write"])).await;
    assert_snapshot!(host.log(&stream).await, @r#"
    0 session/created
    1 turn/start turn=1 implicit=true
    2 tool/call
    3 todo/write scope="main" author="model"
    4 tool/result
    5 tool/call
    6 todo/write scope="main" author="model"
    7 tool/result
    "#);
}

#[tokio::test]
async fn a_refused_call_is_recorded_and_opens_no_turn() {
    let host = Host::new();
    let outcome = host.call(&plain(1), &list(&["same", "same"])).await;
    assert!(outcome.is_error);
    assert_snapshot!(outcome.blocks.join("|"), @r#"Error: invalid todos: duplicate content "same""#);
    assert_snapshot!(host.log(&outcome.session.unwrap()).await, @"
    0 session/created
    1 tool/call
    2 tool/result isError=true
    ");
}

#[tokio::test]
async fn a_refused_call_changes_no_list() {
    let host = Host::new();
    let stream = host.call(&plain(1), &list(&[">read"])).await.session.unwrap();
    host.call(&plain(1), &list(&[" "])).await;
    let show = host.engine.show(&stream).await.unwrap();
    assert_eq!(show.todos.unwrap().0[0].content, "read");
}

#[tokio::test]
async fn a_repeated_call_gets_the_recorded_result_and_changes_nothing() {
    let host = Host::new();
    let call = codex("s", "s", "t1", "call_1");
    let first = host.call(&call, &list(&[">read"])).await;
    let stream = first.session.clone().unwrap();
    let before = host.log(&stream).await;
    // Other arguments under the same id are still the same call: its answer was given.
    let again = host.call(&call, &list(&["xread"])).await;
    assert_eq!((again.blocks, again.is_error), (first.blocks, false));
    assert_eq!(host.log(&stream).await, before);
}

#[tokio::test]
async fn a_repeated_call_is_known_in_another_process() {
    let host = Host::new();
    let call = codex("s", "s", "t1", "call_1");
    let first = host.call(&call, &list(&[">read"])).await;
    let other = Host::over(host.store.clone(), Default::default());
    assert_eq!(other.call(&call, &list(&[">read"])).await.blocks, first.blocks);
}

#[tokio::test]
async fn nobody_owns_a_stateless_call() {
    let host = Host::new();
    let outcome = host.call(&nobody(), &list(&["read"])).await;
    assert_snapshot!(outcome.blocks.join("\n"), @r"
    Error: todo_write requires an owning agent session
    This connection names no session. Use the URL /mcp/s/<name>, send the header `Runsheet-Session: <name>`, or run `runsheet mcp` over stdio.
    ");
    // What is wrong with the list comes first.
    let outcome = host.call(&nobody(), "{}").await;
    assert_snapshot!(outcome.blocks.join("\n"), @r#"Error: invalid arguments: missing required property "todos""#);
    assert!(host.engine.list(10).await.unwrap().sessions.is_empty());
}

#[tokio::test]
async fn stateless_calls_share_a_session_when_allowed() {
    let host = Host::with(runsheet_engine::Settings { share_anonymous: true, ..Default::default() });
    let first = host.call(&nobody(), &list(&["read"])).await.session;
    assert_eq!(host.call(&nobody(), &list(&["xread"])).await.session, first);
}

#[tokio::test]
async fn a_new_turn_key_begins_the_next_turn() {
    let host = Host::new();
    let stream = host.call(&codex("s", "s", "t1", "1"), &list(&[">read"])).await.session.unwrap();
    host.call(&codex("s", "s", "t1", "2"), &list(&["xread"])).await;
    host.call(&codex("s", "s", "t2", "3"), &list(&[">next"])).await;
    // A call of the first turn that comes late counts, and changes no turn.
    host.call(&codex("s", "s", "t1", "4"), &list(&[">late"])).await;
    assert_snapshot!(host.log(&stream).await, @r#"
    0 session/created
    1 turn/start turn=1 key="t1" implicit=true
    2 tool/call
    3 todo/write scope="main" author="model"
    4 tool/result
    5 tool/call
    6 todo/write scope="main" author="model"
    7 tool/result
    8 turn/end turn=1 reason="superseded"
    9 turn/start turn=2 key="t2" implicit=true
    10 tool/call
    11 todo/write scope="main" author="model"
    12 tool/result
    13 tool/call late=true
    14 todo/write scope="main" late=true author="model"
    15 tool/result late=true
    "#);
}

#[tokio::test]
async fn two_processes_write_one_session_in_one_order() {
    let host = Host::new();
    let other = Host::over(host.store.clone(), Default::default());
    for n in 0..20 {
        let (a, b) = (codex("s", "s", "t", &format!("a{n}")), codex("s", "s", "t", &format!("b{n}")));
        let (mine, theirs) = (list(&[&format!(">a{n}")]), list(&[&format!(">b{n}")]));
        tokio::join!(host.call(&a, &mine), other.call(&b, &theirs));
    }
    let stream = host.call(&codex("s", "s", "t", "last"), &list(&["xall"])).await.session.unwrap();
    let events = host.events(&stream).await;
    assert_eq!(events.len(), 2 + 41 * 3);
    assert!(events.iter().zip(0..).all(|(event, seq)| event.seq == seq));
    let show = other.engine.show(&stream).await.unwrap();
    assert_eq!(show.todos.unwrap().0[0].content, "all");
}
