//! The library below, and what a loss of power may take.

use runsheet_store::{Durability, EventLog, Expected, Select, SqliteOptions, SqliteStore, StoreError};
use rusqlite::params;

use crate::support::{add, header, list, make_list, note, open, options};

/// Older ones can lose committed writes when a write and a checkpoint race (the WAL-reset bug).
#[test]
fn sqlite_has_the_wal_reset_fix() {
    assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
}

#[tokio::test]
async fn another_boot_after_normal_durability_begins_an_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let normal = || SqliteStore::open(&db, SqliteOptions { durability: Durability::Normal, ..options() }).unwrap();
    let store = normal();
    make_list(&store, "0").await;
    let cursor = store.end().await.unwrap();
    store.close().await;
    let again = normal();
    assert_eq!(again.end().await.unwrap(), cursor, "the same boot");
    again.close().await;
    drop((store, again));
    let conn = rusqlite::Connection::open(&db).unwrap();
    conn.execute("UPDATE meta SET value = ?1 WHERE key = 'boot'", params![b"another".as_slice()]).unwrap();
    drop(conn);
    // With durability full too: who wrote before may have lost something.
    let store = open(&db);
    assert!(matches!(store.feed(cursor, 10).await, Err(StoreError::ForeignEpoch)));
    let new = store.end().await.unwrap();
    assert_eq!(new.position, cursor.position);
    add(&store, "0", vec![note("x", "x")]).await.unwrap();
    assert_eq!(store.feed(new, 10).await.unwrap().entries.len(), 1);
    store.close().await;
}

#[tokio::test]
async fn durability_full_keeps_its_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    let epoch = store.end().await.unwrap().epoch;
    store.close().await;
    let other = tempfile::tempdir().unwrap();
    assert_eq!(open(&db).end().await.unwrap().epoch, epoch);
    assert_ne!(open(&other.path().join("store.db")).end().await.unwrap().epoch, epoch);
}

/// A process that writes once and ends need not checkpoint; what it wrote is there for the next.
#[tokio::test]
async fn a_small_wal_can_be_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let brief = || SqliteStore::open(&db, SqliteOptions { checkpoint_on_close: false, ..options() }).unwrap();
    for n in 0..3_u8 {
        let store = brief();
        store.append(list(&n.to_string()), Expected::Absent, vec![header()]).await.unwrap();
        store.close().await;
        drop(store);
        assert!(folder.path().join("store.db-wal").exists());
    }
    let store = open(&db);
    assert_eq!(store.end().await.unwrap().position, 3);
    add(&store, "0", vec![note("x", "x")]).await.unwrap();
    store.close().await;
    assert!(!folder.path().join("store.db-wal").exists());
}

/// A reader that leaves keeps no snapshot: the WAL starts over, however long the process lives.
#[tokio::test]
async fn the_wal_stays_small_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    for round in 0..40 {
        let batch = (0..50).map(|n| note(&format!("{round} {n}"), &"x".repeat(10_000))).collect();
        add(&store, "0", batch).await.unwrap();
        let select = Select { limit: 10, ..Select::from(round * 50) };
        assert!(store.read(list("0"), select).await.unwrap().more);
    }
    let wal = std::fs::metadata(folder.path().join("store.db-wal")).unwrap().len();
    // 20 MB were written.
    assert!(wal <= 16 << 20, "{wal} bytes");
    store.close().await;
}
