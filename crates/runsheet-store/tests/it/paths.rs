//! What a path may lead to.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

use runsheet_store::{Access, EventLog, SessionLocks, SqliteOptions, SqliteStore, StoreError};

use crate::{
    child::command_of,
    support::{add, all, list, make_list, note, open, options},
};

fn refusal(path: &Path, options: SqliteOptions) -> String {
    let error = SqliteStore::open(path, options).expect_err("it does not open");
    let folder = path.parent().unwrap().to_str().unwrap().to_owned();
    let hint = error.hint().map_or_else(String::new, |hint| format!(" ({hint})"));
    format!("{error}{hint}").replace(&folder, "…")
}

/// What lies in a folder, by name and content.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.to_string_lossy().into_owned(), fs::read(&path).unwrap_or_default()))
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn what_is_no_store_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("text"), "not a database, and longer than the header of one would be. ".repeat(20)).unwrap();
    fs::write(path("short"), "short").unwrap();
    fs::write(path("empty"), "").unwrap();
    let foreign = rusqlite::Connection::open(path("foreign")).unwrap();
    foreign.execute_batch("PRAGMA journal_mode=WAL; CREATE TABLE t(x); PRAGMA application_id=5").unwrap();
    drop(foreign);
    let newer = open(&path("newer"));
    make_list(&newer, "0").await;
    newer.close().await;
    drop(newer);
    let conn = rusqlite::Connection::open(path("newer")).unwrap();
    conn.execute_batch("PRAGMA user_version=7").unwrap();
    drop(conn);
    let before = contents(folder.path());
    let existing = || SqliteOptions { access: Access::Existing, ..options() };
    let said = [
        refusal(&path("folder"), options()),
        refusal(&path("text"), options()),
        refusal(&path("short"), options()),
        refusal(&path("empty"), existing()),
        refusal(&path("foreign"), options()),
        refusal(&path("newer"), options()),
        refusal(&path("missing"), existing()),
        refusal(&path("missing"), SqliteOptions { access: Access::ReadOnly, ..options() }),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    cannot open the store `…/folder`: it is a folder (check the path, or give another with --store)
    `…/text` is not a store of runsheet (give another path with --store; the file was not touched)
    `…/short` is not a store of runsheet (give another path with --store; the file was not touched)
    `…/empty` is not a store of runsheet (give another path with --store; the file was not touched)
    `…/foreign` is not a store of runsheet (give another path with --store; the file was not touched)
    `…/newer` has store format 7; this version of runsheet reads up to 1 (upgrade runsheet, or give another store with --store)
    cannot open the store `…/missing`: it does not exist (check the path, or give another with --store)
    cannot open the store `…/missing`: it does not exist (check the path, or give another with --store)
    ");
    assert!(before == contents(folder.path()), "something was touched");
}

#[tokio::test]
async fn a_store_is_made_where_its_path_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    symlink("target.db", path("link.db")).unwrap();
    symlink("nowhere/target.db", path("lost.db")).unwrap();
    symlink("lost.db", path("twice.db")).unwrap();
    let store = open(&path("link.db"));
    make_list(&store, "0").await;
    store.close().await;
    assert!(path("link.db").is_symlink(), "the link still is one");
    assert!(path("target.db").is_file());
    let said = [
        refusal(&path("lost.db"), options()),
        refusal(&path("twice.db"), options()),
        refusal(&path("new/"), options()),
        refusal(&path("new/."), options()),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    cannot open the store `…/lost.db`: it is a link to …/nowhere/target.db, whose folder does not exist (check the path, or give another with --store)
    cannot open the store `…/twice.db`: it is a link to …/lost.db, which is a link to nothing (check the path, or give another with --store)
    cannot open the store `…/new/`: it names a folder that does not exist, and a store is a file (check the path, or give another with --store)
    cannot open the store `…/new/.`: it names a folder that does not exist, and a store is a file (check the path, or give another with --store)
    ");
    assert!(!path("nowhere").exists() && !path("new").exists());
}

#[tokio::test]
async fn a_file_that_is_not_there_any_more_takes_nothing() {
    for how in ["deleted", "moved", "replaced"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let store = open(&path);
        make_list(&store, "0").await;
        let away = folder.path().join("away.db");
        match how {
            "deleted" => fs::remove_file(&path).unwrap(),
            "moved" => fs::rename(&path, &away).unwrap(),
            _ => {
                fs::rename(&path, &away).unwrap();
                fs::write(&path, "another file").unwrap();
            }
        }
        let written = add(&store, "0", vec![note("n", "lost")]).await;
        assert!(matches!(written, Err(StoreError::Moved { .. })), "{how}: {written:?}");
        let read = store.head(list("0")).await;
        assert!(matches!(read, Err(StoreError::Moved { .. })), "{how}: {read:?}");
        if how == "moved" {
            fs::rename(&away, &path).unwrap();
            assert!(store.head(list("0")).await.unwrap().is_some(), "it was put back");
        }
        store.close().await;
    }
}

#[tokio::test]
async fn who_waits_for_events_learns_that_the_file_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    make_list(&store, "0").await;
    let mut bell = store.doorbell();
    bell.borrow_and_update();
    fs::remove_file(&path).unwrap();
    tokio::time::timeout(std::time::Duration::from_secs(10), bell.changed()).await.unwrap().unwrap();
    store.close().await;
}

#[tokio::test]
async fn files_are_for_us_alone() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("new/deep/store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    let attached = store.attach(uuid::Uuid::nil()).unwrap();
    let mut found = Vec::new();
    let mut folders = vec![folder.path().join("new")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            found.push(format!("{mode:o} {}", entry.file_name().to_string_lossy()));
        }
    }
    found.sort();
    insta::assert_snapshot!(found.join("\n"), @r"
    600 00000000-0000-0000-0000-000000000000
    600 store.db
    600 store.db-shm
    600 store.db-wal
    600 store.db.lock
    600 store.db.next
    700 deep
    700 store.db.live
    ");
    drop(attached);
    store.close().await;
}

#[tokio::test]
async fn two_names_of_a_file_are_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    symlink(&db, folder.path().join("link.db")).unwrap();
    let linked = open(&folder.path().join("link.db"));
    assert_eq!(linked.path(), store.path());
    add(&linked, "0", vec![note("x", "x")]).await.unwrap();
    assert_eq!(all(&store, list("0")).await.unwrap().len(), 2);
    store.close().await;
    linked.close().await;
}

#[tokio::test]
async fn an_empty_file_becomes_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    fs::write(&db, "").unwrap();
    make_list(&open(&db), "0").await;
    assert_eq!(all(&open(&db), list("0")).await.unwrap().len(), 1);
}

/// As another user, since root may write everything.
#[tokio::test]
async fn what_is_read_only_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    store.close().await;
    drop(store);
    let binary = folder.path().join("binary");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    for (path, mode) in [(&db, 0o444), (&binary, 0o555), (&folder.path().to_owned(), 0o555)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let starter: &[&str] = if root { &["setpriv", "--reuid", "65534", "--clear-groups"] } else { &[] };
    let said = crate::child::run(&mut command_of(&binary, starter, "read-only", &[db.to_str().unwrap()]));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    insta::assert_snapshot!(said.join("\n").replace(folder.path().canonicalize().unwrap().to_str().unwrap(), "…"), @r"
    1 event, writable: false
    the store `…/store.db` is read-only
    []
    ");
}

pub(crate) async fn look_at_what_is_read_only(db: &Path, say: impl Fn(&str)) {
    let store = SqliteStore::open(db, options()).expect("it opens");
    let events = all(&store, list("0")).await.expect("it can be read");
    say(&format!("{} event, writable: {}", events.len(), store.is_writable()));
    let outcome = add(&store, "0", vec![note("x", "x")]).await;
    say(&outcome.expect_err("it cannot be written").to_string());
    say(&store.check_medium().await.map_or_else(|error| error.to_string(), |faults| format!("{faults:?}")));
    assert!(matches!(store.attach(uuid::Uuid::nil()), Err(StoreError::ReadOnly { .. })));
    store.close().await;
}
