use insta::assert_snapshot;

use crate::host::{Host, codex, list, named, plain};

#[tokio::test]
async fn the_last_to_leave_ends_the_turn() {
    let host = Host::new();
    let other = Host::over(host.store.clone(), Default::default());
    let stream = host.call(&plain(1), &list(&[">read"])).await.session.unwrap();
    other.call(&plain(1), &list(&[">read", "more"])).await;
    host.engine.leave_silent(0).await;
    assert!(!host.log(&stream).await.contains("turn/end"));
    other.engine.leave_silent(0).await;
    assert_snapshot!(host.log(&stream).await.lines().last().unwrap(), @r#"8 turn/end turn=1 reason="disconnected""#);
    let show = host.engine.show(&stream).await.unwrap();
    assert_eq!(show.state.word(), "paused");
    // The list stands until another turn begins.
    assert!(show.todos.is_some());
}

#[tokio::test]
async fn leaving_twice_ends_one_turn() {
    let host = Host::new();
    let stream = host.call(&plain(1), &list(&["xread"])).await.session.unwrap();
    host.engine.leave_silent(0).await;
    host.engine.leave_silent(0).await;
    assert_eq!(host.log(&stream).await.matches("turn/end").count(), 1);
    assert_eq!(host.engine.show(&stream).await.unwrap().state.word(), "done");
}

#[tokio::test]
async fn a_session_heard_of_lately_is_not_left() {
    let host = Host::new();
    let stream = host.call(&named("py", "a"), &list(&[">read"])).await.session.unwrap();
    host.engine.leave_silent(1_000_000).await;
    assert!(!host.log(&stream).await.contains("turn/end"));
}

#[tokio::test]
async fn a_turn_left_behind_is_ended_by_the_next_writer() {
    let host = Host::new();
    let stream = host.call(&codex("s", "s", "t1", "1"), &list(&[">read"])).await.session.unwrap();
    // The process dies: its locks go, and nobody ends its turn.
    let store = host.store.clone();
    drop(host);
    let next = Host::over(store, Default::default());
    // Reading writes nothing, and is not fooled by the open turn.
    assert!(!next.log(&stream).await.contains("turn/end"));
    assert_eq!(next.engine.show(&stream).await.unwrap().state.word(), "paused");
    assert_eq!(next.engine.list(1).await.unwrap().sessions[0].state.word(), "paused");
    next.call(&codex("s", "s", "t2", "2"), &list(&[">go on"])).await;
    assert_snapshot!(next.log(&stream).await, @r#"
    0 session/created
    1 turn/start turn=1 key="t1" implicit=true
    2 tool/call
    3 todo/write scope="main" author="model"
    4 tool/result
    5 turn/end turn=1 reason="disconnected"
    6 turn/start turn=2 key="t2" implicit=true
    7 tool/call
    8 todo/write scope="main" author="model"
    9 tool/result
    "#);
}

#[tokio::test]
async fn closing_leaves_and_then_refuses() {
    let host = Host::new();
    let stream = host.call(&plain(1), &list(&[">read"])).await.session.unwrap();
    let watcher = Host::over(host.store.clone(), Default::default());
    let log = watcher.log(&stream).await;
    assert!(!log.contains("turn/end"));
    host.engine.leave_silent(0).await;
    assert!(watcher.log(&stream).await.contains("disconnected"));
    host.engine.close().await;
    assert!(host.engine.list(1).await.is_err());
}
