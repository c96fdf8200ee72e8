//! Checking the whole file.

use std::{collections::HashMap, sync::Arc};

use rusqlite::params;

use super::{
    connection::Db,
    fault::Trouble,
    read::{NAME, Named, name_in, name_of},
    row::{COLUMNS, Rows, int, uint},
    streams::{Known, Part, layout},
};
use crate::error::StoreError;

/// How many rows are looked at in one transaction: no reader holds the WAL for longer than a page.
const STEP: i64 = 2_000;

/// The most sentences: a file that is damaged all over need not say so a million times.
const MAX_FAULTS: usize = 100;

/// A sentence for each fault found.
pub(super) fn check(db: &mut Db) -> Result<Vec<String>, Trouble> {
    let mut faults = Vec::new();
    pages(db, &mut faults)?;
    let found = streams(db, &mut faults)?;
    if found.values().any(|stream| stream.damaged) {
        // SQLite found the same, in words that say nothing to a person.
        faults.retain(|fault| !fault.contains("index sqlite_autoindex_streams_1"));
    }
    feed(db, &found, &mut faults)?;
    faults.truncate(MAX_FAULTS);
    Ok(faults)
}

/// Pages and indexes, as SQLite itself checks them.
fn pages(db: &Db, faults: &mut Vec<String>) -> Result<(), Trouble> {
    let mut statement = db.conn.prepare("PRAGMA integrity_check(100)")?;
    let mut rows = statement.query([])?;
    loop {
        match rows.next() {
            Ok(Some(row)) => {
                let sentence: String = row.get(0)?;
                if sentence != "ok" {
                    faults.push(format!("the file: {sentence}"));
                }
            }
            Ok(None) => return Ok(()),
            Err(error) => {
                faults.push(format!("the file: {error}"));
                return Ok(());
            }
        }
    }
}

/// What the table of streams says of one.
struct Stream {
    name: Arc<str>,
    head: u64,
    pos: u64,
    fork: Option<u64>,
    /// Its own row is damaged: what its events are checked against is not known.
    damaged: bool,
}

/// Each stream by itself: its rows follow each other without a gap, up to its head.
fn streams(db: &mut Db, faults: &mut Vec<String>) -> Result<HashMap<i64, Stream>, Trouble> {
    let mut found = HashMap::new();
    let (mut after, mut unindexed) = (0, 0);
    loop {
        let _snapshot = db.conn.unchecked_transaction()?;
        let mut statement = db.conn.prepare_cached(&format!(
            "SELECT {NAME}, head, pos, parent, fork FROM streams WHERE sid > ?1 ORDER BY sid LIMIT 100"
        ))?;
        let mut rows = statement.query([after])?;
        let before = after;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    faults.push(format!("the table of streams: {error}"));
                    return Ok(found);
                }
            };
            let sid: i64 = row.get(0)?;
            after = sid;
            let columns = || -> rusqlite::Result<(i64, i64, Option<i64>, Option<i64>)> {
                Ok((row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
            };
            let told = name_in(row).and_then(|Named { name, indexed, .. }| match columns() {
                Ok(columns) => Ok((Arc::<str>::from(name), indexed, columns)),
                Err(_) => Err(format!("`{name}`: one of its columns is no number")),
            });
            let (name, indexed, (head, pos, parent, fork)) = match told {
                Ok(told) => told,
                Err(what) => {
                    faults.push(what);
                    found.insert(sid, Stream { name: "".into(), head: 0, pos: 0, fork: None, damaged: true });
                    continue;
                }
            };
            let parts = match layout(&db.conn, sid, Arc::clone(&name), parent, fork) {
                Ok(parts) => parts,
                Err(trouble) => {
                    faults.push(sentence(trouble));
                    continue;
                }
            };
            let mut damaged = false;
            if !indexed {
                // Its events were written under the name it had: the first tells whether it still has it.
                match first(db, &parts) {
                    Ok(()) => unindexed += 1,
                    Err(trouble) => faults.push(sentence(trouble)),
                }
                damaged = true;
            }
            let known = Known { sid, head: uint(head), parts: parts.into() };
            one_stream(db, &name, &known, faults);
            found.insert(sid, Stream { name, head: uint(head), pos: uint(pos), fork: fork.map(uint), damaged });
        }
        if after == before {
            if unindexed > 0 {
                faults.push(format!("the index of names does not find {unindexed} of {} streams", found.len()));
            }
            return Ok(found);
        }
    }
}

/// Reads the first event of a stream.
fn first(db: &Db, parts: &[Part]) -> Result<(), Trouble> {
    let Some(part) = parts.first() else { return Ok(()) };
    let mut statement = db.conn.prepare_cached(&format!("SELECT {COLUMNS} FROM events WHERE sid = ?1 AND seq = 0"))?;
    let mut rows = statement.query([part.sid])?;
    match rows.next()? {
        Some(row) => Rows::default().decode(&db.conn, &db.vocabulary, &part.name, row).map(drop),
        None => Ok(()),
    }
}

fn one_stream(db: &Db, name: &str, known: &Known, faults: &mut Vec<String>) {
    let count = |part: &Part| {
        db.conn
            .prepare_cached("SELECT count(*), min(seq), max(seq) FROM events WHERE sid = ?1 AND seq BETWEEN ?2 AND ?3")?
            .query_row(params![part.sid, int(part.first), int(part.last)], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, Option<i64>>(2)?))
            })
    };
    for part in known.parts.iter() {
        let last = part.last.min(known.head);
        match count(part) {
            Err(error) => faults.push(format!("`{name}`: {error}")),
            Ok((rows, first, end)) => {
                let wanted = (last + 1).saturating_sub(part.first);
                let found_last = end.map(uint);
                if part.last > known.head && found_last.is_some_and(|end| end > known.head) {
                    let end = found_last.unwrap_or_default();
                    faults.push(format!("`{name}`, event {end}: it stands after the head, {}", known.head));
                } else if uint(rows) != wanted || (wanted > 0 && first.map(uint) != Some(part.first)) {
                    let (from, to) = (part.first, last);
                    faults.push(format!("`{name}`, events {from} to {to}: {rows} of {wanted} are there"));
                }
            }
        }
    }
}

/// Every row, in the feed's order: positions without a gap, checksums, and types that the stream's head knows of.
fn feed(db: &mut Db, streams: &HashMap<i64, Stream>, faults: &mut Vec<String>) -> Result<(), Trouble> {
    let mut last: HashMap<i64, (u64, u64)> = HashMap::new();
    let mut types: std::collections::HashSet<(i64, i64, i64)> = std::collections::HashSet::new();
    let mut after = 0;
    loop {
        let _snapshot = db.conn.unchecked_transaction()?;
        let mut statement = db
            .conn
            .prepare_cached(&format!("SELECT {COLUMNS}, sid FROM events WHERE pos > ?1 ORDER BY pos LIMIT ?2"))?;
        let mut rows = statement.query(params![after, STEP])?;
        let before = after;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    faults.push(format!("the feed after position {after}: {error}"));
                    return Ok(());
                }
            };
            let pos: i64 = row.get(0)?;
            if pos != after + 1 {
                faults.push(format!("the feed: positions {} to {} are missing", after + 1, pos - 1));
            }
            after = pos;
            let sid: i64 = row.get(8)?;
            let Some(stream) = streams.get(&sid) else {
                // A stream made since the first look is not at fault.
                if let Err(trouble) = name_of(&db.conn, sid) {
                    faults.push(format!("position {pos}: {}", sentence(trouble)));
                }
                continue;
            };
            if stream.damaged {
                continue;
            }
            match db.rows.decode(&db.conn, &db.vocabulary, &stream.name, row) {
                Err(trouble) => {
                    if faults.len() < MAX_FAULTS {
                        faults.push(sentence(trouble));
                    }
                    let seq = row.get::<_, i64>(1).map(uint).unwrap_or_default();
                    last.insert(sid, (seq, uint(pos)));
                }
                Ok((pos, event)) => {
                    last.insert(sid, (event.seq, pos));
                    let key = (sid, row.get(4)?, row.get(5)?);
                    if types.insert(key) && !knows_type(db, key)? {
                        let (name, seq, ty) = (&stream.name, event.seq, &event.ty);
                        faults.push(format!("`{name}`, event {seq}: the stream's types leave out `{ty}`"));
                    }
                }
            }
        }
        if after == before {
            break;
        }
    }
    heads(streams, &last, faults);
    Ok(())
}

fn knows_type(db: &Db, (sid, tid, bid): (i64, i64, i64)) -> rusqlite::Result<bool> {
    db.conn
        .prepare_cached("SELECT 1 FROM stream_types WHERE sid = ?1 AND tid = ?2 AND bid = ?3")?
        .exists([sid, tid, bid])
}

/// Damage in the words of whoever reads the same row.
fn sentence(trouble: Trouble) -> String {
    match trouble {
        Trouble::Request(StoreError::Damaged { what }) => what,
        trouble => trouble.into_error("".as_ref(), "read").to_string(),
    }
}

/// What streams say of their last event. One that was appended to since the first look is ahead of it, and not at fault.
fn heads(streams: &HashMap<i64, Stream>, last: &HashMap<i64, (u64, u64)>, faults: &mut Vec<String>) {
    let mut all: Vec<_> = streams.iter().collect();
    all.sort_by_key(|(sid, _)| **sid);
    for (sid, Stream { name, head, pos, fork, .. }) in all.into_iter().filter(|(_, stream)| !stream.damaged) {
        match last.get(sid) {
            None => faults.push(format!("`{name}`: it has a head, {head}, and no event")),
            Some((seq, at)) if (seq < head && fork.is_none_or(|fork| fork < *head)) || at < pos => {
                let inherited = fork.map_or_else(String::new, |fork| format!(" (a fork at {fork})"));
                faults.push(format!("`{name}`{inherited}: its head is {head}, its last event {seq}"));
            }
            Some(_) => {}
        }
    }
}
