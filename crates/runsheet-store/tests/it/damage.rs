//! A file that is no longer what was written.

use std::{collections::HashMap, fs, path::Path};

use runsheet_store::{EventLog, SqliteStore, StoreError};

use crate::support::{Dice, add, all, list, make_list, note, open, options};

/// Three lists of notes, closed: everything is in the database itself.
async fn written(db: &Path) -> HashMap<&'static str, Vec<String>> {
    let store = open(db);
    let mut told = HashMap::new();
    for name in ["a", "b", "c"] {
        make_list(&store, name).await;
        for n in 0..40 {
            let text = format!("{name}-{n}-{}", "x".repeat(150));
            add(&store, name, vec![note(&format!("{name}{n}"), &text)]).await.unwrap();
        }
        told.insert(name, texts(&store, name).await.unwrap());
    }
    store.close().await;
    assert!(!db.with_extension("db-wal").exists(), "the last to close checkpoints");
    told
}

async fn texts(store: &SqliteStore, name: &str) -> Result<Vec<String>, StoreError> {
    Ok(all(store, list(name)).await?.iter().map(|event| format!("{event:?}")).collect())
}

#[tokio::test]
async fn a_flipped_byte_is_reported_and_other_streams_open() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let told = written(&db).await;
    let mut bytes = fs::read(&db).unwrap();
    let at = bytes.windows(7).position(|window| window == b"b-17-xx").unwrap();
    bytes[at + 6] ^= 1;
    fs::write(&db, bytes).unwrap();
    let store = open(&db);
    let error = texts(&store, "b").await.unwrap_err().to_string();
    insta::assert_snapshot!(error, @"the store is damaged: `tasks/b`, event 18: its checksum is wrong");
    insta::assert_debug_snapshot!(store.check_medium().await.unwrap(), @r#"
    [
        "`tasks/b`, event 18: its checksum is wrong",
    ]
    "#);
    for name in ["a", "c"] {
        assert_eq!(texts(&store, name).await.unwrap(), told[name]);
    }
    add(&store, "a", vec![note("more", "more")]).await.expect("other streams go on");
    store.close().await;
}

/// Whatever byte is flipped: a stream is read as it was written, or not at all.
#[tokio::test]
async fn damage_is_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let told = written(&db).await;
    let sound = fs::read(&db).unwrap();
    let seed = 0xF11B;
    println!("seed {seed:#x}");
    let mut dice = Dice::new(seed);
    let (mut refused, mut unseen) = (0, 0);
    for _ in 0..150 {
        let at = usize::try_from(dice.below(sound.len() as u64)).unwrap();
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << dice.below(8);
        fs::write(&db, bytes).unwrap();
        let Ok(store) = SqliteStore::open(&db, options()) else {
            refused += 1;
            continue;
        };
        let mut wrong = false;
        for name in ["a", "b", "c"] {
            match texts(&store, name).await {
                Ok(found) if found == told[name] => {}
                // A lost name or head leaves nothing, or a beginning; the check below must say so.
                Ok(found) => {
                    assert!(told[name].starts_with(&found), "byte {at}: `{name}` shows what nobody wrote");
                    wrong = true;
                }
                Err(_) => refused += 1,
            }
        }
        let faults = store.check_medium().await;
        if wrong {
            assert!(faults.is_err() || faults.is_ok_and(|faults| !faults.is_empty()), "byte {at}: nothing was noticed");
        } else {
            unseen += 1;
        }
        store.close().await;
        drop(store);
        for suffix in ["db-wal", "db-shm"] {
            let _ = fs::remove_file(db.with_extension(suffix));
        }
    }
    println!("{refused} refused, {unseen} without effect");
}

#[tokio::test]
async fn what_the_check_finds() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    written(&db).await;
    let sound = fs::read(&db).unwrap();
    let mut found = Vec::new();
    for harm in [
        "DELETE FROM events WHERE pos = 50",
        "DELETE FROM events WHERE pos > 120",
        "UPDATE streams SET head = 12 WHERE name = 'tasks/a'",
        "UPDATE streams SET head = 99 WHERE name = 'tasks/c'",
        "DELETE FROM stream_types WHERE sid = 2",
        "UPDATE events SET time = 5 WHERE pos = 3",
        "UPDATE types SET v = 1 WHERE name = 'test/note'",
    ] {
        fs::write(&db, &sound).unwrap();
        let conn = rusqlite::Connection::open(&db).unwrap();
        conn.execute_batch(harm).unwrap();
        drop(conn);
        let store = open(&db);
        let mut faults = store.check_medium().await.unwrap();
        store.close().await;
        if faults.len() > 3 {
            faults.splice(2.., ["…".to_owned()]);
        }
        found.push(format!("{harm}\n  {}", faults.join("\n  ")));
    }
    insta::assert_snapshot!(found.join("\n"), @r"
    DELETE FROM events WHERE pos = 50
      `tasks/b`, events 0 to 40: 40 of 41 are there
      the feed: positions 50 to 50 are missing
    DELETE FROM events WHERE pos > 120
      `tasks/c`, events 0 to 40: 38 of 41 are there
      `tasks/c`: its head is 40, its last event 37
    UPDATE streams SET head = 12 WHERE name = 'tasks/a'
      `tasks/a`, event 40: it stands after the head, 12
    UPDATE streams SET head = 99 WHERE name = 'tasks/c'
      `tasks/c`, events 0 to 99: 41 of 100 are there
      `tasks/c`: its head is 99, its last event 40
    DELETE FROM stream_types WHERE sid = 2
      `tasks/b`, event 0: the stream's types leave out `test/header`
      `tasks/b`, event 1: the stream's types leave out `test/note`
    UPDATE events SET time = 5 WHERE pos = 3
      `tasks/a`, event 2: its checksum is wrong
    UPDATE types SET v = 1 WHERE name = 'test/note'
      `tasks/a`, event 1: its checksum is wrong
      `tasks/a`, event 2: its checksum is wrong
      …
    ");
}
