//! A process that holds the writer's lock and does not let go.

use std::{process::Command, sync::Arc, time::Duration};

use runsheet_core::log::{Scope, Time};
use runsheet_store::{CallAlias, CallAliases, EventLog, Select, SqliteOptions, SqliteStore, StoreError};

use crate::{
    child::{command, says},
    support::{add, all, list, make_list, note, open, options},
};

fn stop(pid: u32) {
    let status = Command::new("kill").args(["-STOP", &pid.to_string()]).status().expect("kill is there");
    assert!(status.success());
}

#[tokio::test]
async fn a_stopped_holder_makes_writers_give_up_and_readers_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let first = open(&db);
    make_list(&first, "0").await;
    first.close().await;
    let mut holder = command("hold", &[db.to_str().unwrap()]).spawn().unwrap();
    let pid = holder.id();
    assert_eq!(says(&mut holder).next().as_deref(), Some("holding"));
    stop(pid);

    let impatient = SqliteOptions { patience: Duration::from_millis(200), ..options() };
    let store = Arc::new(SqliteStore::open(&db, impatient).expect("opening needs no turn"));
    for name in ["given up", "given up too"] {
        let outcome = add(&store, "0", vec![note(name, name)]).await;
        assert!(matches!(outcome, Err(StoreError::Busy { pid: found }) if found == pid), "{outcome:?}");
    }
    let alias = CallAlias {
        principal: "u".into(),
        call_id: "c".into(),
        stream: list("0"),
        scope: Scope::Main,
        key: None,
        client: "claude".into(),
        native: "n".into(),
        cwd: None,
        at: Time::from_ms(1),
    };
    let outcome = store.put_alias(alias).await;
    assert!(matches!(outcome, Err(StoreError::Busy { pid: found }) if found == pid), "{outcome:?}");
    let page = store.read(list("0"), Select::from(0)).await.expect("reading goes on");
    assert_eq!(page.events.len(), 1);
    // A caller that goes away takes its request along.
    let gone = tokio::time::timeout(Duration::from_millis(50), add(&store, "0", vec![note("gone", "gone")])).await;
    assert!(gone.is_err());

    holder.kill().unwrap();
    holder.wait().unwrap();
    add(&store, "0", vec![note("after", "after")]).await.expect("the lock fell to us");
    let events = all(&store, list("0")).await.unwrap();
    assert_eq!(events.len(), 2, "what was given up never came: {events:?}");
    assert!(store.alias("u".into(), "c".into()).await.unwrap().is_none());
    store.close().await;
}

#[tokio::test]
async fn neither_close_nor_drop_waits_for_a_stopped_holder() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let first = open(&db);
    make_list(&first, "0").await;
    let mut holder = command("hold", &[db.to_str().unwrap()]).spawn().unwrap();
    assert_eq!(says(&mut holder).next().as_deref(), Some("holding"));
    let impatient = SqliteOptions { patience: Duration::from_millis(100), ..options() };
    let (closed, dropped) =
        (SqliteStore::open(&db, impatient.clone()).unwrap(), SqliteStore::open(&db, impatient).unwrap());
    for store in [&closed, &dropped] {
        assert!(add(store, "0", vec![note("x", "x")]).await.is_err());
        store.doorbell();
    }
    closed.close().await;
    drop(dropped);
    holder.kill().unwrap();
    holder.wait().unwrap();
    first.close().await;
}
