use runsheet_engine::core::log::StreamId;

use crate::host::{Host, list, plain};

/// What a follower is told of one look, in short.
async fn look(follower: &mut runsheet_engine::Follower) -> (usize, Vec<(StreamId, &'static str, u64)>) {
    let changes = follower.next().await.unwrap();
    let told = changes.changes.into_iter().map(|change| (change.session, change.key, change.seq));
    (changes.events.len(), told.collect())
}

#[tokio::test]
async fn each_changed_projection_is_told_once_at_its_last_event() {
    let host = Host::new();
    let mut follower = host.engine.follow(None).await.unwrap();
    let stream = host.call(&plain(1), &list(&[">read"])).await.session.unwrap();
    let (events, told) = look(&mut follower).await;
    assert_eq!(events, 5);
    let keys: Vec<_> = told.iter().map(|(_, key, _)| *key).collect();
    assert_eq!(keys, ["todos", "title", "stats", "catalogue", "activity"]);
    assert!(told.iter().all(|(session, _, seq)| (session, *seq) == (&stream, 4)));
    host.call(&plain(1), &list(&["xread"])).await;
    let (_, told) = look(&mut follower).await;
    let keys: Vec<_> = told.iter().map(|(_, key, _)| *key).collect();
    assert_eq!(keys, ["stats", "catalogue", "activity", "todos"]);
}

#[tokio::test]
async fn another_processes_writes_are_told_too() {
    let host = Host::new();
    let other = Host::over(host.store.clone(), Default::default());
    let mut follower = host.engine.follow(None).await.unwrap();
    other.call(&plain(1), &list(&["read"])).await;
    let (events, told) = look(&mut follower).await;
    assert_eq!((events, told.len()), (5, 5));
}

#[tokio::test]
async fn a_follower_goes_on_from_its_cursor() {
    let host = Host::new();
    let mut follower = host.engine.follow(None).await.unwrap();
    host.call(&plain(1), &list(&["a"])).await;
    let cursor = follower.next().await.unwrap().next;
    host.call(&plain(1), &list(&["b"])).await;
    let mut again = host.engine.follow(Some(cursor)).await.unwrap();
    assert_eq!(again.next().await.unwrap().events.len(), 3);
}

#[tokio::test]
async fn a_foreign_cursor_starts_over() {
    let (host, elsewhere) = (Host::new(), Host::new());
    let cursor = elsewhere.engine.follow(None).await.unwrap().cursor();
    host.call(&plain(1), &list(&["a"])).await;
    let mut follower = host.engine.follow(Some(cursor)).await.unwrap();
    let changes = follower.next().await.unwrap();
    assert!(changes.reset && changes.events.is_empty());
    host.call(&plain(1), &list(&["b"])).await;
    assert_eq!(follower.next().await.unwrap().events.len(), 3);
}

#[tokio::test]
async fn a_dropped_look_loses_nothing() {
    let host = Host::new();
    let mut follower = host.engine.follow(None).await.unwrap();
    let waited = tokio::time::timeout(std::time::Duration::from_millis(5), follower.next()).await;
    assert!(waited.is_err());
    host.call(&plain(1), &list(&["a"])).await;
    assert_eq!(follower.next().await.unwrap().events.len(), 5);
}
