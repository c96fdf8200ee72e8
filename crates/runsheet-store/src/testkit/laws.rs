//! What must hold of every store and takes more than a transcript to say.

use std::sync::Arc;

use runsheet_core::log::{Event, Time};
use uuid::Uuid;

use super::{
    Header, Make, Note,
    script::{Script, id, stream},
    vocabulary,
};
use crate::{CacheRow, Cursor, Decision, Expected, Select, Store, StoreError, Tail};

fn note(name: &str) -> Event {
    vocabulary().event(id(name), Time::from_ms(1), &Note { text: name.into(), volume: 1 })
}

async fn list(make: Make<'_>) -> Arc<dyn Store> {
    let store = make(vocabulary());
    let header = vocabulary().event(id("h"), Time::from_ms(1), &Header {});
    store.append(stream("tasks/a"), Expected::Absent, vec![header]).await.expect("a list can be made");
    store
}

fn decide(mut decision: impl FnMut(&dyn Tail) -> Vec<Event> + Send + 'static) -> crate::Decide {
    Box::new(move |tail| Decision { batch: decision(tail), cache: Vec::new() })
}

/// Sixteen tasks count together by reading and writing: no count is lost, so nothing came between.
pub async fn nothing_comes_between(make: Make<'_>) {
    let store = list(make).await;
    let count = |tail: &dyn Tail| tail.head().map_or(0, |head| head + 1);
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for _ in 0..10 {
                    let one = decide(move |tail| vec![note(&format!("n{}", count(tail)))]);
                    store.transact(stream("tasks/a"), Some(0), one).await.expect("it is appended");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    let page = store.read(stream("tasks/a"), Select::from(1)).await.expect("it can be read");
    let wrong = page.events.iter().find(|event| event.id != id(&format!("n{}", event.seq)));
    assert!(wrong.is_none() && page.events.len() == 160, "{wrong:?}, {} events", page.events.len());
}

/// A panic in one decision fails that one, and the store goes on.
pub async fn a_decision_that_panics_harms_nobody(make: Make<'_>) {
    let store = list(make).await;
    let panics = decide(|_| std::panic::resume_unwind(Box::new("on purpose")));
    let outcome = store.transact(stream("tasks/a"), None, panics).await;
    assert!(outcome.is_err(), "{outcome:?}");
    let made = store.transact(stream("tasks/a"), None, decide(|_| vec![note("x")])).await.expect("it goes on");
    assert_eq!(made.appended.len(), 1);
}

/// Whoever listens before an append hears of it.
pub async fn the_doorbell_rings(make: Make<'_>) {
    let store = list(make).await;
    let mut bell = store.doorbell();
    bell.mark_unchanged();
    store.transact(stream("tasks/a"), None, decide(|_| vec![note("x")])).await.expect("it is appended");
    let end = store.end().await.expect("there is an end").position;
    bell.wait_for(|position| *position >= end).await.expect("it rings");
}

/// A cursor survives being a text, and one of another store or from beyond the end is refused.
pub async fn cursors_are_texts_and_foreign_ones_are_refused(make: Make<'_>) {
    let store = list(make).await;
    let end = store.end().await.expect("there is an end");
    assert_eq!(end.to_string().parse::<Cursor>().expect("it is a cursor"), end);
    assert!("".parse::<Cursor>().is_err() && "x.1".parse::<Cursor>().is_err());
    for cursor in [Cursor { epoch: Uuid::nil(), ..end }, Cursor { position: end.position + 1, ..end }] {
        let outcome = store.feed(cursor, 10).await;
        assert!(matches!(outcome, Err(StoreError::ForeignEpoch)), "{outcome:?}");
    }
}

/// Who joins is told whether nobody was there, who leaves whether nobody is; meanwhile nobody joins.
pub async fn the_last_to_leave_is_told(make: Make<'_>) {
    let store = make(vocabulary());
    let session = Uuid::from_u128(7);
    assert!(store.deserted(session), "nobody serves it yet");
    let (first, alone) = store.attach(session).expect("it can join");
    assert!(!store.deserted(session), "somebody does");
    let (second, alone_too) = store.attach(session).expect("another can join");
    assert!(alone && !alone_too);
    assert!(first.leave().is_none());
    let guard = second.leave().expect("it was the last");
    drop(guard);
    let (crashed, alone) = store.attach(session).expect("it can join again");
    assert!(alone);
    drop(crashed);
    let (again, alone) = store.attach(session).expect("it can join after a crash");
    assert!(alone, "one that let go without a word is gone");
    let other = store.attach(Uuid::from_u128(8)).expect("other sessions are others");
    assert!(other.1);
    drop(again);
}

/// A session has one writer.
pub async fn one_writer_owns_a_session(make: Make<'_>) {
    let store = make(vocabulary());
    let session = Uuid::from_u128(7);
    let owner = store.own(session).expect("nobody owns it");
    let outcome = store.own(session).map(drop);
    assert!(matches!(outcome, Err(StoreError::SessionBusy { pid, .. }) if pid == std::process::id()), "{outcome:?}");
    store.own(Uuid::from_u128(8)).expect("other sessions are others");
    drop(owner);
    store.own(session).expect("it was let go");
}

/// After close everything says so, and closing again does nothing.
pub async fn a_closed_store_says_so(make: Make<'_>) {
    let store = list(make).await;
    store.close().await;
    store.close().await;
    let closed = |outcome: Result<(), StoreError>| assert!(matches!(outcome, Err(StoreError::Closed)), "{outcome:?}");
    closed(store.end().await.map(drop));
    closed(store.read(stream("tasks/a"), Select::from(0)).await.map(drop));
    closed(store.transact(stream("tasks/a"), None, decide(|_| vec![note("x")])).await.map(drop));
    closed(store.append(stream("tasks/a"), Expected::Seq(0), vec![note("x")]).await.map(drop));
    closed(store.own(Uuid::nil()).map(drop));
}

/// Many streams written at once: each is whole, and the feed has every event once, in an order that keeps each stream's.
pub async fn many_at_once_leave_no_gap(make: Make<'_>) {
    let store = make(vocabulary());
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let name = format!("tasks/{number}");
                let header = vocabulary().event(id("h"), Time::from_ms(1), &Header {});
                store.append(stream(&name), Expected::Absent, vec![header]).await.expect("it is made");
                for seq in 0..20 {
                    let batch = vec![note(&format!("a{seq}")), note(&format!("b{seq}"))];
                    store.append(stream(&name), Expected::Seq(2 * seq), batch).await.expect("it is appended");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    let mut cursor = Cursor { position: 0, ..store.end().await.expect("there is an end") };
    let mut next = std::collections::HashMap::new();
    loop {
        let page = store.feed(cursor, 50).await.expect("the feed can be read");
        for entry in page.entries {
            cursor.position += 1;
            assert_eq!(entry.position, cursor.position);
            let expected = next.entry(entry.stream).or_insert(0);
            assert_eq!(entry.event.seq, *expected);
            *expected += 1;
        }
        assert_eq!(page.next, cursor);
        if !page.more {
            break;
        }
    }
    assert!(next.len() == 8 && next.values().all(|count| *count == 41), "{next:?}");
    assert_eq!(store.check_medium().await.expect("it can be checked"), Vec::<String>::new());
}

/// A decision in a fork knows the ids it inherited, and none of what came after.
pub async fn inherited_ids_are_known_to_a_decision(make: Make<'_>) {
    let vocabulary = vocabulary();
    let store = make(Arc::clone(&vocabulary));
    let mut script = Script::new(Arc::clone(&store), vocabulary);
    script.replay("append a absent h x y\nappend b absent h2<a@1 z\n").await;
    let looked = decide(|tail| {
        let names = ["h", "h2", "x", "y", "z"];
        let known: Vec<_> = names.into_iter().filter(|name| tail.has(id(name))).collect();
        assert_eq!((tail.head(), known.join(" ").as_str()), (Some(2), "h2 x z"));
        vec![note("done")]
    });
    let made = store.transact(stream("b"), Some(0), looked).await.expect("nothing was wrong");
    assert_eq!((made.before.len(), made.appended.len()), (2, 1));
}

/// Projection states that come with a decision are there once it is.
pub async fn caches_come_with_a_decision(make: Make<'_>) {
    let store = list(make).await;
    let both = |_: &dyn Tail| Decision {
        batch: vec![note("x")],
        cache: vec![CacheRow { key: "todos", version: 1, seq: 1, event_id: id("x"), state: vec![0, 255] }],
    };
    store.transact(stream("tasks/a"), Some(0), Box::new(both)).await.expect("it is appended");
    let rows = store.cached(stream("tasks/a"), vec![("todos", 1), ("turns", 1)]).await.expect("it can be read");
    assert!(rows.len() == 1 && rows[0].state == [0, 255], "{rows:?}");
}
