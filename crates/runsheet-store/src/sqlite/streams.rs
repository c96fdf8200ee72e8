//! Streams as the file knows them, and the rows a fork reads through to.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use runsheet_core::log::{EventId, Recorded, Seq, StreamId, Time, Vocabulary};
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::{
    fault::Trouble,
    row::{COLUMNS, Rows, int, uint},
};
use crate::error::StoreError;

/// A run of seqs whose rows lie under one stream's number.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) sid: i64,
    /// The stream's name, which the rows' checksums cover.
    pub(super) name: Arc<str>,
    pub(super) first: Seq,
    pub(super) last: Seq,
}

/// A stream that exists.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) sid: i64,
    pub(super) head: Seq,
    /// In the order of seqs; one part, unless it is a fork.
    pub(super) parts: Arc<[Part]>,
}

/// The layouts of streams already looked up: they never change once a stream exists.
#[derive(Debug, Default)]
pub(super) struct Streams {
    parts: HashMap<i64, Arc<[Part]>>,
    /// Whether the index of names was seen to miss a stream: then a name it does not find is looked for in the table.
    pub(super) scan: Arc<AtomicBool>,
}

/// More layouts than this are not kept; a process rarely serves as many streams.
const KEPT: usize = 4_096;

impl Streams {
    pub(super) fn forget(&mut self) {
        self.parts.clear();
    }

    pub(super) fn find(&mut self, conn: &Connection, stream: &StreamId) -> Result<Option<Known>, Trouble> {
        let name = stream.to_string();
        let look = |from: &str| {
            conn.prepare_cached(&format!("SELECT sid, head, parent, fork FROM {from} WHERE name = ?1"))?
                .query_row([&name], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?)))
                .optional()
        };
        let found = match look("streams")? {
            None if self.scan.load(Ordering::Relaxed) => look("streams NOT INDEXED")?,
            found => found,
        };
        let Some((sid, head, parent, fork)) = found else { return Ok(None) };
        let parts = match self.parts.get(&sid) {
            Some(parts) => Arc::clone(parts),
            None => {
                let parts: Arc<[Part]> = layout(conn, sid, name.into(), parent, fork)?.into();
                if self.parts.len() >= KEPT {
                    self.parts.clear();
                }
                self.parts.insert(sid, Arc::clone(&parts));
                parts
            }
        };
        Ok(Some(Known { sid, head: uint(head), parts }))
    }
}

/// The parts of a stream. A fork at N has its own header at 0, its parent's rows 1 to N, which may in turn be those of
/// the parent's parent, and its own from N + 1.
pub(super) fn layout(
    conn: &Connection,
    sid: i64,
    name: Arc<str>,
    mut parent: Option<i64>,
    fork: Option<i64>,
) -> Result<Vec<Part>, Trouble> {
    let Some(mut below) = fork.map(uint) else {
        return Ok(vec![Part { sid, name, first: 0, last: Seq::MAX }]);
    };
    let mut parts = vec![Part { sid, name: Arc::clone(&name), first: below + 1, last: Seq::MAX }];
    // Newest rows first; `below` is the last seq still to be found further up.
    while let Some(ancestor) = parent {
        let (above, grandparent, fork): (String, Option<i64>, Option<i64>) = conn
            .prepare_cached("SELECT name, parent, fork FROM streams WHERE sid = ?1")?
            .query_row([ancestor], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?
            .ok_or_else(|| StoreError::Damaged {
                what: format!("`{name}`: the stream it was forked from is missing"),
            })?;
        let first = fork.map_or(1, |fork| uint(fork) + 1);
        if first <= below {
            parts.push(Part { sid: ancestor, name: above.into(), first, last: below });
        }
        below = below.min(first - 1);
        // A parent is made before its child: anything else would walk in circles.
        parent = grandparent.filter(|next| *next < ancestor);
    }
    parts.push(Part { sid, name, first: 0, last: 0 });
    parts.reverse();
    Ok(parts)
}

/// The event with an id in the rows of some parts.
pub(super) fn event_by_id(
    conn: &Connection,
    rows: &mut Rows,
    vocabulary: &Vocabulary,
    parts: &[Part],
    id: EventId,
) -> Result<Option<Recorded>, Trouble> {
    let sql = format!("SELECT {COLUMNS} FROM events WHERE sid = ?1 AND id = ?2");
    // Latest first: a repeated append is most often of late.
    for (index, part) in parts.iter().enumerate().rev() {
        // A fork's own rows are the first part and the last: one look is enough.
        if index == 0 && parts.len() > 1 {
            break;
        }
        let mut statement = conn.prepare_cached(&sql)?;
        let mut found = statement.query(params![part.sid, id.uuid().as_bytes()])?;
        let Some(row) = found.next()? else { continue };
        let seq = uint(row.get(1)?);
        let own_header = seq == 0 && part.sid == parts[0].sid;
        if own_header || (part.first..=part.last).contains(&seq) {
            return rows.decode(conn, vocabulary, &part.name, row).map(|(_, event)| Some(event));
        }
    }
    Ok(None)
}

/// Whether the rows of some parts hold an id.
pub(super) fn holds(conn: &Connection, parts: &[Part], id: EventId) -> rusqlite::Result<bool> {
    let mut statement = conn.prepare_cached("SELECT seq FROM events WHERE sid = ?1 AND id = ?2")?;
    for part in parts {
        let seq = statement.query_row(params![part.sid, id.uuid().as_bytes()], |row| row.get(0)).optional()?.map(uint);
        if seq.is_some_and(|seq| (part.first..=part.last).contains(&seq)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The id and the time of the event at a seq.
pub(super) fn id_at(conn: &Connection, parts: &[Part], seq: Seq) -> rusqlite::Result<Option<(EventId, Time)>> {
    let Some(part) = parts.iter().find(|part| (part.first..=part.last).contains(&seq)) else { return Ok(None) };
    conn.prepare_cached("SELECT id, time FROM events WHERE sid = ?1 AND seq = ?2")?
        .query_row(params![part.sid, int(seq)], |row| {
            Ok((EventId::new(Uuid::from_bytes(row.get(0)?)), Time::from_ms(row.get(1)?)))
        })
        .optional()
}
