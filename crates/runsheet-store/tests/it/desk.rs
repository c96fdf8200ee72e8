//! Whoever carries a write out, its caller or the writer's thread: the order is that of the calls.

use std::sync::Arc;

use runsheet_store::{EventLog, SqliteStore, testkit::script::id};

use crate::support::{add, all, fresh, list, make_list, note};

async fn write(store: &SqliteStore, name: &str, number: usize) {
    add(store, name, vec![note(&format!("n{number}"), "")]).await.unwrap();
}

/// So many callers, each writing to its own stream: one write alone, then four at once, again and again.
async fn check(callers: usize) {
    let (_folder, store) = fresh();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let name = caller.to_string();
                make_list(&store, &name).await;
                for first in (1..100).step_by(5) {
                    let at = |place: usize| write(&store, &name, first + place);
                    at(0).await;
                    tokio::join!(biased; at(1), at(2), at(3), at(4));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    for caller in 0..callers {
        let events = all(&store, list(&caller.to_string())).await.unwrap();
        assert_eq!(events.len(), 101);
        for event in &events[1..] {
            assert_eq!(event.id, id(&format!("n{}", event.seq)), "of caller {caller}, at seq {}", event.seq);
        }
    }
    assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn the_writes_of_one_caller_keep_their_order() {
    check(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_writes_of_many_callers_keep_each_ones_order() {
    check(6).await;
}
