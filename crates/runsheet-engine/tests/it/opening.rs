//! A store that does not open at once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use runsheet_engine::{
    Engine, FixedSettings, Opener, Settings, SystemClock, core,
    store::{MemoryStore, Store, StoreError},
};

/// An engine whose store opens at the given attempt, and how many there were.
fn opening_at(attempt: usize) -> (Engine, Arc<AtomicUsize>) {
    let attempts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&attempts);
    let open: Opener = Box::new(move || match counted.fetch_add(1, Ordering::SeqCst) + 1 {
        n if n < attempt => Err(StoreError::Full { path: format!("attempt {n}").into() }),
        _ => Ok(Arc::new(MemoryStore::new(core::vocabulary().clone())) as Arc<dyn Store>),
    });
    let settings = Arc::new(FixedSettings::new(Settings::default()));
    (Engine::start(open, core::vocabulary().clone(), Arc::new(SystemClock), settings), attempts)
}

#[tokio::test]
async fn a_failure_is_not_for_ever() {
    let (engine, attempts) = opening_at(3);
    let first = engine.list(1).await.map(|_| ()).map_err(|error| format!("{error}: {}", error.hint().unwrap()));
    insta::assert_snapshot!(
        first.unwrap_err(),
        @"opening the store failed: free some space and try again; what was acknowledged is safe"
    );
    while engine.list(1).await.is_err() {}
    // One that was begun with the engine, and one for each call that found a failure.
    assert_eq!(attempts.load(Ordering::SeqCst), 3);
    engine.list(1).await.unwrap();
    assert_eq!(attempts.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn who_asks_together_waits_for_one_attempt() {
    let (engine, attempts) = opening_at(usize::MAX);
    engine.list(1).await.unwrap_err();
    let before = attempts.load(Ordering::SeqCst);
    let (a, b, c) = tokio::join!(engine.list(1), engine.list(1), engine.list(1));
    assert!(a.is_err() && b.is_err() && c.is_err());
    assert_eq!(attempts.load(Ordering::SeqCst), before + 1);
}

#[tokio::test]
async fn a_panic_keeps_nobody_waiting() {
    let settings = Arc::new(FixedSettings::new(Settings::default()));
    let open: Opener = Box::new(|| panic!("an opener that panics"));
    let engine = Engine::start(open, core::vocabulary().clone(), Arc::new(SystemClock), settings);
    engine.list(1).await.unwrap_err();
}

#[tokio::test]
async fn after_the_end_nothing_is_opened() {
    let (engine, attempts) = opening_at(usize::MAX);
    engine.list(1).await.unwrap_err();
    let before = attempts.load(Ordering::SeqCst);
    engine.close().await;
    engine.list(1).await.unwrap_err();
    assert_eq!(attempts.load(Ordering::SeqCst), before);
}
