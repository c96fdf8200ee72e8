//! Writing within a transaction: everything is decided and checked before the first row is written.

use std::{cell::RefCell, collections::HashSet, sync::Arc};

use runsheet_core::log::{Bounds, Event, EventId, Parent, Recorded, Seq, StreamId};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::{
    connection::Db,
    fault::Trouble,
    read,
    row::{Fields, Place, checksum, int},
    schema::SOUGHT,
    streams::{Known, Part, event_by_id, holds},
};
use crate::{
    batch::{self, Plan, Standing},
    cache::CacheRow,
    error::StoreError,
    event_log::{AppendOutcome, Appended, Cursor, Decide, Decision, Expected, Tail, Transacted},
};

/// A transaction of the writer.
pub(super) struct Writing<'a> {
    pub(super) db: &'a mut Db,
    pub(super) bounds: &'a Bounds,
    pub(super) epoch: Uuid,
    /// The feed's end, as it will be.
    pub(super) position: u64,
    /// What is in `stream_types` already, as far as this process knows.
    pub(super) seen: &'a mut HashSet<(i64, i64, i64)>,
    /// Whether there is anything to commit.
    pub(super) dirty: bool,
}

/// A stream a batch is to go to: it exists, or will begin as it says.
struct Target {
    known: Option<Known>,
    fork: Option<(Parent, i64)>,
    /// What it holds, or will inherit.
    parts: Arc<[Part]>,
}

impl Target {
    fn head(&self) -> Option<Seq> {
        self.known.as_ref().map(|known| known.head)
    }

    fn parent(&self) -> Option<Parent> {
        self.fork.map(|(parent, _)| parent)
    }
}

struct Stand<'a> {
    db: &'a mut Db,
    target: &'a Target,
}

impl Standing<Trouble> for Stand<'_> {
    fn head(&self) -> Option<Seq> {
        self.target.head()
    }

    fn find(&mut self, event: &Event) -> Result<Option<Recorded>, Trouble> {
        event_by_id(&self.db.conn, &mut self.db.rows, &self.db.vocabulary, &self.target.parts, event.id)
    }
}

/// What a decision sees.
struct View<'a> {
    conn: &'a Connection,
    head: Option<Seq>,
    parts: &'a [Part],
    new: &'a [Recorded],
    /// `has` cannot fail, but its look-up can: kept here, and the decision is then not carried out.
    trouble: RefCell<Option<rusqlite::Error>>,
}

impl Tail for View<'_> {
    fn head(&self) -> Option<Seq> {
        self.head
    }

    fn new_events(&self) -> &[Recorded] {
        self.new
    }

    fn has(&self, id: EventId) -> bool {
        holds(self.conn, self.parts, id).unwrap_or_else(|error| {
            *self.trouble.borrow_mut() = Some(error);
            false
        })
    }
}

impl Writing<'_> {
    pub(super) fn append(
        &mut self,
        stream: &StreamId,
        expected: Expected,
        fork: Option<Parent>,
        batch: &[Event],
    ) -> Result<AppendOutcome, Trouble> {
        let target = self.target(stream, fork)?;
        let plan =
            batch::expected(stream, &mut Stand { db: self.db, target: &target }, expected, target.parent(), batch)?;
        match plan {
            Plan::Duplicate { first } => Ok(AppendOutcome::Duplicate { first }),
            Plan::Conflict { head } => Ok(AppendOutcome::Conflict { head }),
            Plan::Append(places) => {
                let (Some((first, _)), Some((last, _))) = (places.first(), places.last()) else {
                    return Ok(AppendOutcome::Conflict { head: target.head() });
                };
                let (first, last) = (*first, *last);
                self.insert(stream, &target, &places, batch)?;
                Ok(AppendOutcome::Appended(Appended { first, last, cursor: self.cursor() }))
            }
        }
    }

    pub(super) fn transact(
        &mut self,
        stream: &StreamId,
        after: Option<Seq>,
        decide: &mut Decide,
    ) -> Result<Transacted, Trouble> {
        let target = self.target(stream, None)?;
        let before = match &target.known {
            Some(known) => read::events_from(self.db, known, after.map_or(0, |after| after + 1))?,
            None => Vec::new(),
        };
        let view = View {
            conn: &self.db.conn,
            head: target.head(),
            parts: &target.parts,
            new: &before,
            trouble: RefCell::default(),
        };
        let decided = batch::decide(decide, &view);
        if let Some(error) = view.trouble.into_inner() {
            return Err(error.into());
        }
        let Decision { batch, cache } = decided?;
        let appended = self.carry_out(stream, target, &batch)?;
        self.cache(stream, &cache)?;
        let cursor = (!appended.is_empty()).then(|| self.cursor());
        Ok(Transacted { before, appended, cursor })
    }

    fn carry_out(&mut self, stream: &StreamId, target: Target, batch: &[Event]) -> Result<Vec<Recorded>, Trouble> {
        let target = match (&target.known, batch::parent(stream, batch)) {
            (None, Some(parent)) => self.target(stream, Some(parent))?,
            _ => target,
        };
        let fork = target.parent();
        batch::check(&self.db.vocabulary, self.bounds, stream, batch::seqs(target.head(), fork), batch)?;
        let places = batch::decided(stream, &mut Stand { db: self.db, target: &target }, fork, batch)?;
        if !places.is_empty() {
            self.insert(stream, &target, &places, batch)?;
        }
        Ok(places.into_iter().map(|(seq, index)| batch[index].clone().at(seq)).collect())
    }

    fn cursor(&self) -> Cursor {
        Cursor { epoch: self.epoch, position: self.position }
    }

    fn target(&mut self, stream: &StreamId, fork: Option<Parent>) -> Result<Target, Trouble> {
        let known = self.db.streams.find(&self.db.conn, stream)?;
        if let Some(known) = known {
            let parts = Arc::clone(&known.parts);
            return Ok(Target { known: Some(known), fork: None, parts });
        }
        let Some(parent) = fork else { return Ok(Target { known: None, fork: None, parts: Arc::new([]) }) };
        let name = StreamId::Session(parent.session);
        let above = self
            .db
            .streams
            .find(&self.db.conn, &name)?
            .filter(|above| parent.seq <= above.head)
            .ok_or_else(|| StoreError::NoParent { stream: stream.clone(), parent: name, seq: parent.seq })?;
        let inherited = above.parts.iter().filter_map(|part| {
            let part = Part { first: part.first.max(1), last: part.last.min(parent.seq), ..part.clone() };
            (part.first <= part.last).then_some(part)
        });
        Ok(Target { known: None, fork: Some((parent, above.sid)), parts: inherited.collect() })
    }

    fn insert(
        &mut self,
        stream: &StreamId,
        target: &Target,
        places: &[(Seq, usize)],
        batch: &[Event],
    ) -> Result<(), Trouble> {
        let (Some(first), Some(last)) = (places.first(), places.last()) else { return Ok(()) };
        let name = stream.to_string();
        let end = self.position + places.len() as u64;
        let (created, updated) = (batch[first.1].time.as_ms(), batch[last.1].time.as_ms());
        // A fork that begins with its header alone ends where its parent left off.
        let head = last.0.max(target.parent().map_or(0, |parent| parent.seq));
        let conn = &self.db.conn;
        let sid = match &target.known {
            Some(known) => {
                conn.prepare_cached("UPDATE streams SET head = ?2, pos = ?3, updated = ?4 WHERE sid = ?1")?
                    .execute(params![known.sid, int(head), int(end), updated])?;
                known.sid
            }
            None => {
                let (parent, fork) = target.fork.map(|(parent, sid)| (sid, int(parent.seq))).unzip();
                conn.prepare_cached(
                    "INSERT INTO streams(name, head, pos, created, updated, parent, fork) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![name, int(head), int(end), created, updated, parent, fork])?;
                let sid = conn.last_insert_rowid();
                if target.fork.is_some() {
                    conn.prepare_cached(
                        "INSERT INTO stream_types SELECT ?1, tid, bid, seq FROM stream_types \
                         WHERE sid = ?2 AND seq BETWEEN 1 AND ?3",
                    )?
                    .execute(params![sid, parent, fork])?;
                }
                sid
            }
        };
        self.dirty = true;
        for (seq, index) in places {
            self.position += 1;
            self.insert_event(&name, sid, *seq, &batch[*index])?;
        }
        Ok(())
    }

    fn insert_event(&mut self, name: &str, sid: i64, seq: Seq, event: &Event) -> Result<(), Trouble> {
        let tid = self.db.rows.tid(&self.db.conn, event)?;
        let bid = self.db.rows.bid(&self.db.conn, &event.by)?;
        let sum = checksum(&Place { stream: name, pos: self.position, seq }, &Fields::from(event));
        self.db
            .conn
            .prepare_cached(
                "INSERT INTO events(pos, sid, seq, id, time, tid, bid, sought, sum, data) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                int(self.position),
                sid,
                int(seq),
                event.id.uuid().as_bytes(),
                event.time.as_ms(),
                tid,
                bid,
                SOUGHT.contains(&&*event.ty),
                sum,
                event.data.get(),
            ])?;
        if !self.seen.contains(&(sid, tid, bid)) {
            self.db
                .conn
                .prepare_cached("INSERT OR IGNORE INTO stream_types(sid, tid, bid, seq) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![sid, tid, bid, int(seq)])?;
            self.seen.insert((sid, tid, bid));
        }
        Ok(())
    }

    /// Keeps projection states of a stream; whether they are valid is asked when they are read.
    pub(super) fn cache(&mut self, stream: &StreamId, rows: &[CacheRow]) -> Result<(), Trouble> {
        if rows.is_empty() {
            return Ok(());
        }
        let Some(known) = self.db.streams.find(&self.db.conn, stream)? else { return Ok(()) };
        for row in rows {
            self.db
                .conn
                .prepare_cached(
                    "INSERT OR REPLACE INTO projections(sid, key, version, seq, id, sum, state) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    known.sid,
                    row.key,
                    row.version,
                    int(row.seq),
                    row.event_id.uuid().as_bytes(),
                    crc32fast::hash(&row.state),
                    row.state,
                ])?;
        }
        self.dirty = true;
        Ok(())
    }
}
