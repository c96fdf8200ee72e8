//! The tables of a store file, format 1.

/// Stands in the file's header and says whose database it is: `rsht` in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x7273_6874;

/// The version of these tables.
pub(super) const FORMAT: u32 = 1;

/// The size of a page. An append writes four or five pages whatever its size, so small ones make it cheaper, down to
/// where rows no longer fit (measured, 8 processes with 8 sessions each: 6,700, 10,600 and 8,200 events a second with 4, 2
/// and 1 KiB).
pub(super) const PAGE_BYTES: u32 = 2_048;

/// The types that folds seek from the end of a stream; their rows are marked and have an index of their own. Part of the
/// format: rows written under another list would be missed, so a change of the list needs a new format.
pub(super) const SOUGHT: &[&str] = &["compaction/end", "todo/write", "turn/start"];

/// `events.pos` is the position in the feed: contiguous and in the order of commits, because there is one lock.
/// `events_id` begins with the id, not the stream: ids made now lie side by side, so that a commit of many sessions writes
/// one page of it and not one for each (measured: 8,200 against 5,900 events a second of 64 sessions on a slow disk).
/// `stream_types.seq` is where a type first stands in a stream, so that a fork inherits only what it reads.
pub(super) const CREATE: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE streams(
    sid INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    head INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    parent INTEGER,
    fork INTEGER
) STRICT;
CREATE TABLE types(
    tid INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    v INTEGER NOT NULL,
    ignorable INTEGER NOT NULL,
    UNIQUE(name, v, ignorable)
) STRICT;
CREATE TABLE writers(bid INTEGER PRIMARY KEY, by TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE stream_types(
    sid INTEGER NOT NULL,
    tid INTEGER NOT NULL,
    bid INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY(sid, tid, bid)
) WITHOUT ROWID, STRICT;
CREATE TABLE events(
    pos INTEGER PRIMARY KEY,
    sid INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id BLOB NOT NULL,
    time INTEGER NOT NULL,
    tid INTEGER NOT NULL,
    bid INTEGER NOT NULL,
    sought INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_seq ON events(sid, seq);
CREATE UNIQUE INDEX events_id ON events(id, sid);
CREATE INDEX events_sought ON events(sid, tid, seq) WHERE sought = 1;
CREATE TABLE projections(
    sid INTEGER NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id BLOB NOT NULL,
    sum INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY(sid, key, version)
) STRICT;
CREATE TABLE aliases(
    principal TEXT NOT NULL,
    call TEXT NOT NULL,
    stream TEXT NOT NULL,
    scope TEXT NOT NULL,
    key TEXT,
    client TEXT NOT NULL,
    native TEXT NOT NULL,
    cwd TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY(principal, call)
) STRICT;
CREATE INDEX aliases_at ON aliases(at);
";
