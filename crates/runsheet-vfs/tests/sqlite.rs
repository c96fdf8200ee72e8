//! Real databases through the VFS, compared with SQLite's own.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

const FLAGS: OpenFlags =
    OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_CREATE).union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

fn ours(path: &Path) -> Connection {
    runsheet_vfs::register().expect("SQLite takes the VFS");
    Connection::open_with_flags_and_vfs(path, FLAGS, runsheet_vfs::NAME).expect("the database opens")
}

fn theirs(path: &Path) -> Connection {
    Connection::open_with_flags(path, FLAGS).expect("the database opens")
}

fn prepare(conn: &Connection, pragmas: &str) {
    conn.execute_batch(&format!(
        "PRAGMA page_size=2048; PRAGMA journal_mode=WAL; {pragmas}; CREATE TABLE t(id INTEGER PRIMARY KEY, data BLOB)"
    ))
    .expect("the table is made");
}

fn insert(conn: &Connection, rows: i64, bytes: i64) {
    let transaction = conn.unchecked_transaction().expect("it begins");
    for _ in 0..rows {
        transaction.execute("INSERT INTO t(data) VALUES (randomblob(?1))", [bytes]).expect("a row is inserted");
    }
    transaction.commit().expect("it commits");
}

/// Transactions of all sizes, each seen at once and whole by a connection of SQLite's own, and still there after a reader
/// that knows only the files recovers them.
#[track_caller]
fn check(pragmas: &str, sizes: &[(i64, i64)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.db");
    let conn = ours(&path);
    prepare(&conn, pragmas);
    let other = theirs(&path);
    let mut expected = 0;
    for (rows, bytes) in sizes {
        insert(&conn, *rows, *bytes);
        expected += rows;
        let seen: i64 = other.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).expect("it reads");
        assert_eq!(seen, expected, "after {rows} rows of {bytes} bytes");
    }
    // What a crash would leave: the files as they are, without a close.
    let left = folder.path().join("left.db");
    for suffix in ["", "-wal"] {
        std::fs::copy(format!("{}{suffix}", path.display()), format!("{}{suffix}", left.display())).expect("a copy");
    }
    let left = theirs(&left);
    let whole: String = left.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it is checked");
    let found: i64 = left.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).expect("it reads");
    assert_eq!((whole.as_str(), found), ("ok", expected));
}

/// Around every size that some layer writes in one go: a page, 32 KiB of ours, 128 KiB of SQLite's own VFS, a cache that
/// spills.
const SIZES: [(i64, i64); 12] = [
    (1, 10),
    (1, 1_900),
    (15, 1_900),
    (16, 1_900),
    (63, 1_900),
    (64, 1_900),
    (65, 1_900),
    (200, 1_900),
    (1, 140_000),
    (3, 2_000_000),
    (2_000, 300),
    (1, 10),
];

#[test]
fn every_size_of_transaction_with_each_synced() {
    check("PRAGMA synchronous=FULL", &SIZES);
}

#[test]
fn every_size_of_transaction_without_a_sync() {
    check("PRAGMA synchronous=NORMAL", &SIZES);
}

#[test]
fn every_size_of_transaction_without_any_sync() {
    check("PRAGMA synchronous=OFF", &SIZES);
}

#[test]
fn a_cache_that_spills_before_the_end() {
    check("PRAGMA synchronous=FULL; PRAGMA cache_size=10; PRAGMA cache_spill=10", &SIZES);
    check("PRAGMA synchronous=NORMAL; PRAGMA cache_size=10; PRAGMA cache_spill=10", &SIZES);
}

#[test]
fn a_wal_that_starts_over_again_and_again() {
    check("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4", &[(3, 900); 60]);
    check("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4", &[(3, 900); 60]);
}

#[test]
fn a_transaction_rolled_back_after_it_spilled_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.db");
    let conn = ours(&path);
    prepare(&conn, "PRAGMA synchronous=FULL; PRAGMA cache_size=10; PRAGMA cache_spill=10");
    insert(&conn, 5, 900);
    let transaction = conn.unchecked_transaction().expect("it begins");
    for _ in 0..100 {
        transaction.execute("INSERT INTO t(data) VALUES (randomblob(900))", []).expect("a row is inserted");
    }
    transaction.execute("UPDATE t SET data = randomblob(900)", []).expect("rows are changed again");
    transaction.rollback().expect("it rolls back");
    insert(&conn, 2, 900);
    let seen: i64 = theirs(&path).query_row("SELECT count(*) FROM t", [], |row| row.get(0)).expect("it reads");
    assert_eq!(seen, 7);
}

#[test]
fn frames_written_twice_get_their_checksums_before_anyone_reads_them() {
    for pragmas in ["PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL"] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let conn = ours(&path);
        prepare(&conn, &format!("{pragmas}; PRAGMA cache_size=10; PRAGMA cache_spill=10"));
        insert(&conn, 200, 900);
        let transaction = conn.unchecked_transaction().expect("it begins");
        for _ in 0..3 {
            transaction.execute("UPDATE t SET data = randomblob(900)", []).expect("every page is written again");
        }
        transaction.commit().expect("it commits");
        let whole: String = theirs(&path).query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("checked");
        assert_eq!(whole, "ok");
        for suffix in ["", "-wal"] {
            let copy = folder.path().join(format!("left.db{suffix}"));
            std::fs::copy(format!("{}{suffix}", path.display()), copy).expect("a copy");
        }
        let left = theirs(&folder.path().join("left.db"));
        let changed: i64 = left.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).expect("it reads");
        let whole: String = left.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it is checked");
        assert_eq!((whole.as_str(), changed), ("ok", 200));
    }
}

#[test]
fn a_full_disk_fails_the_commit_and_loses_nothing_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.db");
    let conn = ours(&path);
    prepare(&conn, "PRAGMA synchronous=FULL; PRAGMA max_page_count=50");
    insert(&conn, 5, 900);
    let transaction = conn.unchecked_transaction().expect("it begins");
    let outcome =
        (0..200).try_for_each(|_| transaction.execute("INSERT INTO t(data) VALUES (randomblob(1900))", []).map(drop));
    assert!(outcome.and_then(|()| transaction.commit()).is_err());
    let seen: i64 = theirs(&path).query_row("SELECT count(*) FROM t", [], |row| row.get(0)).expect("it reads");
    assert_eq!(seen, 5);
}
