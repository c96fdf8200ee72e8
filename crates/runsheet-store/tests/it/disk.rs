//! A disk that takes no more, at every point where it can say so.
//!
//! Two loops stand for "the n-th write fails, for n = 1 until it succeeds". The first bounds the pages of the database
//! (`max_page_count`), so that the n-th page fails to be allocated, deep inside a statement: exact, in one process. The
//! second bounds the size of files in a child process (`RLIMIT_FSIZE`, with its signal ignored), so that the write of
//! the n-th block of the WAL, the shared memory or, in a checkpoint, the database itself fails with an I/O error. What
//! neither reaches is a failing sync. A real full disk, a tmpfs of 4 MiB, comes last.

use std::{fs, path::Path, process::Command};

use runsheet_store::{EventLog, Expected, SqliteOptions, SqliteStore, StoreError};

use crate::{
    child::{command_of, run},
    support::{add, all, feed_length, header, ids, list, make_list, note, open, options},
};

/// Appends of one event, of a new stream, and of a batch like an import's: each has no effect until it has all of it.
#[tokio::test]
async fn the_nth_page_cannot_be_had() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    store.close().await;
    drop(store);
    let pages = u32::try_from(fs::metadata(&db).unwrap().len() / 2_048).unwrap();
    let mut outcomes = Vec::new();
    for (what, batch, bytes) in [("one", 1, 30_000), ("import", 300, 900)] {
        let mut failed = 0;
        for n in 0.. {
            let limited = SqliteOptions { max_pages: Some(pages + n), ..options() };
            let store = SqliteStore::open(&db, limited).unwrap();
            let before = all(&store, list("0")).await.unwrap();
            let notes = (0..batch).map(|n| note(&format!("{what} {n}"), &"x".repeat(bytes))).collect();
            match add(&store, "0", notes).await {
                Ok(made) => {
                    assert_eq!(made.appended.len(), batch);
                    store.close().await;
                    break;
                }
                Err(StoreError::Full { .. }) => failed += 1,
                Err(error) => panic!("{what}, {n} pages more: {error}"),
            }
            assert_eq!(ids(&all(&store, list("0")).await.unwrap()), ids(&before), "{what}, {n} pages more");
            assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new());
            store.close().await;
        }
        outcomes.push(format!("{what}: {}", if failed > 0 { "failed, then succeeded" } else { "succeeded" }));
    }
    insta::assert_debug_snapshot!(outcomes, @r#"
    [
        "one: failed, then succeeded",
        "import: failed, then succeeded",
    ]
    "#);
}

/// One request that does not fit does not take its neighbours with it.
#[tokio::test]
async fn only_what_does_not_fit_fails() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    make_list(&open(&db), "0").await;
    let pages = u32::try_from(fs::metadata(&db).unwrap().len() / 2_048).unwrap();
    let store = SqliteStore::open(&db, SqliteOptions { max_pages: Some(pages + 40), ..options() }).unwrap();
    let big = (0..300).map(|n| note(&format!("big {n}"), &"x".repeat(4_000)));
    let big = std::iter::once(header()).chain(big).collect();
    let (small, big, other) = tokio::join!(
        add(&store, "0", vec![note("small", "x")]),
        store.append(list("1"), Expected::Absent, big),
        add(&store, "0", vec![note("other", "x")]),
    );
    assert!(small.is_ok() && other.is_ok(), "{small:?} {other:?}");
    assert!(matches!(big, Err(StoreError::Full { .. })), "{big:?}");
    assert_eq!(all(&store, list("0")).await.unwrap().len(), 3);
    assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new());
    store.close().await;
}

fn limited(db: &Path, bytes: u64, batches: usize, events: usize) -> Vec<String> {
    let limit = format!("--fsize={bytes}");
    // The signal must be ignored for the write to fail instead, and only a shell can do that without unsafe code.
    let starter = ["sh", "-c", "trap '' XFSZ; exec prlimit \"$@\"", "sh", &limit];
    let (db, batches, events) = (db.to_str().unwrap(), batches.to_string(), events.to_string());
    run(&mut command_of(&std::env::current_exe().unwrap(), &starter, "limited", &[db, &batches, &events]))
}

/// Writes that fail at every size a file can reach: small appends with the checkpoint of the last to close, and a batch
/// like an import's. What was acknowledged is there, what failed is not, and the file is sound.
#[tokio::test]
async fn the_nth_write_fails() {
    for (batches, events, step) in [(4, 1, 2_048), (1, 120, 24_576)] {
        let mut bytes = 0;
        let mut failures = 0;
        loop {
            let folder = tempfile::tempdir().unwrap();
            let db = folder.path().join("store.db");
            let store = open(&db);
            make_list(&store, "0").await;
            store.close().await;
            drop(store);
            let said = limited(&db, bytes, batches, events);
            let acknowledged = said.iter().filter(|said| said.starts_with("ack ")).count();
            let store = open(&db);
            assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new(), "{bytes} bytes: {said:?}");
            let found = all(&store, list("0")).await.unwrap().len();
            assert_eq!(found, 1 + acknowledged * events, "{bytes} bytes: {said:?}");
            add(&store, "0", vec![note("after", "after")]).await.expect("it goes on");
            store.close().await;
            if acknowledged == batches {
                // Beyond what appending needs, only the checkpoint fails: once more, where the database would grow.
                break;
            }
            failures += 1;
            bytes += step;
        }
        assert!(failures > 3, "{failures} failures: the limit had no effect");
    }
}

/// The checkpoint of the last to close fails at its n-th write: everything is still there, in the WAL.
#[tokio::test]
async fn the_nth_write_of_a_checkpoint_fails() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    store.close().await;
    drop(store);
    let before = fs::metadata(&db).unwrap().len();
    let (sound, wal) = (folder.path().join("sound"), |db: &Path| {
        let mut name = db.as_os_str().to_owned();
        name.push("-wal");
        std::path::PathBuf::from(name)
    });
    // A WAL as a killed process leaves it: everything acknowledged is only there.
    let store = open(&db);
    let notes = (0..60).map(|n| note(&format!("{n}"), &"x".repeat(2_000))).collect();
    add(&store, "0", notes).await.unwrap();
    fs::copy(wal(&db), wal(&sound)).unwrap();
    let reader = rusqlite::Connection::open(&db).unwrap();
    reader.query_row("SELECT count(*) FROM events", [], |_| Ok(())).unwrap();
    store.close().await;
    drop(store);
    let grown = {
        fs::copy(&db, &sound).unwrap();
        fs::metadata(&sound).unwrap().len()
    };
    drop(reader);
    let mut bytes = before;
    loop {
        let copy = folder.path().join(format!("copy-{bytes}"));
        fs::copy(&sound, &copy).unwrap();
        fs::copy(wal(&sound), wal(&copy)).unwrap();
        let said = limited(&copy, bytes, 0, 0);
        assert!(said == ["closed"] || said[0].starts_with("refused"), "{said:?}");
        let store = open(&copy);
        assert_eq!(all(&store, list("0")).await.unwrap().len(), 61, "{bytes} bytes");
        assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new(), "{bytes} bytes");
        store.close().await;
        if bytes > grown + 300_000 {
            return;
        }
        bytes += 16_384;
    }
}

/// In a tmpfs of its own: it fills up, says so, loses nothing, and goes on when there is room again.
#[test]
fn a_full_disk_is_said_and_survived() {
    let folder = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=4m tmpfs \"$0\" || { echo '> cannot mount a tmpfs'; exit 1; }; exec \"$@\"";
    let db = folder.path().join("store.db");
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let unshare = if root { "-m" } else { "-rm" };
    let starter = ["unshare", unshare, "sh", "-c", mount, folder.path().to_str().unwrap()];
    let said = run(&mut command_of(&std::env::current_exe().unwrap(), &starter, "fill", &[db.to_str().unwrap()]));
    insta::assert_snapshot!(said.join("\n"), @r"
    the disk that holds `…` is full; free some space and try again; what was acknowledged is safe
    []
    went on
    ");
}

pub(crate) async fn fill(db: &Path, say: impl Fn(&str)) {
    let store = open(db);
    make_list(&store, "0").await;
    let ballast = db.with_file_name("ballast");
    fs::write(&ballast, vec![1; 1 << 20]).unwrap();
    let mut acknowledged = 1;
    let error = loop {
        match add(&store, "0", vec![note(&format!("{acknowledged}"), &"x".repeat(8_000))]).await {
            Ok(_) => acknowledged += 1,
            Err(error) => break error,
        }
    };
    say(&format!("{error}; {}", error.hint().unwrap_or_default()).replace(db.to_str().unwrap(), "…"));
    assert!(acknowledged > 10, "{acknowledged}");
    assert_eq!(all(&store, list("0")).await.unwrap().len(), acknowledged);
    say(&format!("{:?}", store.check_medium().await.unwrap()));
    fs::remove_file(&ballast).unwrap();
    add(&store, "0", vec![note("after", "after")]).await.expect("there is room again");
    assert_eq!(feed_length(&store).await, acknowledged + 1);
    store.close().await;
    assert_eq!(all(&open(db), list("0")).await.unwrap().len(), acknowledged + 1);
    say("went on");
}
