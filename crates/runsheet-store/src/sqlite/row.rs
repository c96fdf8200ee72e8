//! Rows of events, and what makes a damaged one recognisable.

use std::{collections::HashMap, sync::Arc};

use runsheet_core::log::{Event, EventId, Recorded, Seq, Time, Vocabulary};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::fault::Trouble;
use crate::error::StoreError;

/// The columns [`Rows::decode`] reads, in its order.
pub(super) const COLUMNS: &str = "pos, seq, id, time, tid, bid, sum, data";

/// A type in a version, as the file numbers it.
#[derive(Clone, Debug)]
pub(super) struct TypeRow {
    pub(super) name: std::borrow::Cow<'static, str>,
    pub(super) v: u32,
    pub(super) ignorable: bool,
}

/// The numbers that stand for types and writers. They are only ever added, so what was read once stays true.
#[derive(Debug, Default)]
pub(super) struct Rows {
    types: HashMap<i64, TypeRow>,
    writers: HashMap<i64, Arc<str>>,
    tids: HashMap<(String, u32, bool), i64>,
    bids: HashMap<Arc<str>, i64>,
}

/// SQLite's integers are signed; positions and seqs never reach the sign.
pub(super) fn int(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(super) fn uint(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

impl Rows {
    /// The number of an event's type, made if need be.
    pub(super) fn tid(&mut self, conn: &Connection, event: &Event) -> rusqlite::Result<i64> {
        let key = (event.ty.to_string(), event.v, event.ignorable);
        if let Some(tid) = self.tids.get(&key) {
            return Ok(*tid);
        }
        conn.prepare_cached("INSERT OR IGNORE INTO types(name, v, ignorable) VALUES (?1, ?2, ?3)")?
            .execute(params![key.0, key.1, key.2])?;
        let tid = conn
            .prepare_cached("SELECT tid FROM types WHERE name = ?1 AND v = ?2 AND ignorable = ?3")?
            .query_row(params![key.0, key.1, key.2], |row| row.get(0))?;
        self.tids.insert(key, tid);
        Ok(tid)
    }

    /// The number of a writer's version, made if need be.
    pub(super) fn bid(&mut self, conn: &Connection, by: &Arc<str>) -> rusqlite::Result<i64> {
        if let Some(bid) = self.bids.get(by) {
            return Ok(*bid);
        }
        conn.prepare_cached("INSERT OR IGNORE INTO writers(by) VALUES (?1)")?.execute([&**by])?;
        let bid = conn.prepare_cached("SELECT bid FROM writers WHERE by = ?1")?.query_row([&**by], |row| row.get(0))?;
        self.bids.insert(Arc::clone(by), bid);
        Ok(bid)
    }

    /// Forgets numbers made by a transaction that was rolled back.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(super) fn ty(&mut self, conn: &Connection, vocabulary: &Vocabulary, tid: i64) -> Result<TypeRow, Trouble> {
        if let Some(ty) = self.types.get(&tid) {
            return Ok(ty.clone());
        }
        let ty = conn
            .prepare_cached("SELECT name, v, ignorable FROM types WHERE tid = ?1")?
            .query_row([tid], |row| {
                let name = vocabulary.intern(row.get_ref(0)?.as_str()?);
                Ok(TypeRow { name, v: row.get(1)?, ignorable: row.get(2)? })
            })
            .optional()?
            .ok_or_else(|| StoreError::Damaged { what: format!("type number {tid} is missing") })?;
        self.types.insert(tid, ty.clone());
        Ok(ty)
    }

    pub(super) fn by(&mut self, conn: &Connection, bid: i64) -> Result<Arc<str>, Trouble> {
        if let Some(by) = self.writers.get(&bid) {
            return Ok(Arc::clone(by));
        }
        let by: Arc<str> = conn
            .prepare_cached("SELECT by FROM writers WHERE bid = ?1")?
            .query_row([bid], |row| Ok(row.get_ref(0)?.as_str()?.into()))
            .optional()?
            .ok_or_else(|| StoreError::Damaged { what: format!("writer number {bid} is missing") })?;
        self.writers.insert(bid, Arc::clone(&by));
        Ok(by)
    }

    /// The event of a row with [`COLUMNS`], and its position; damage is an error that names the place.
    pub(super) fn decode(
        &mut self,
        conn: &Connection,
        vocabulary: &Vocabulary,
        stream: &str,
        row: &Row<'_>,
    ) -> Result<(u64, Recorded), Trouble> {
        let seq = row.get::<_, i64>(1).map_err(|_| damaged(stream, "an event", "its seq is no number"))?;
        let at = || format!("event {seq}");
        let fault = |_| damaged(stream, &at(), "a column has another type than was written");
        let pos: i64 = row.get(0).map_err(fault)?;
        let id = EventId::new(Uuid::from_bytes(row.get(2).map_err(fault)?));
        let time: i64 = row.get(3).map_err(fault)?;
        let ty = self.ty(conn, vocabulary, row.get(4).map_err(fault)?)?;
        let by = self.by(conn, row.get(5).map_err(fault)?)?;
        let sum: i64 = row.get(6).map_err(fault)?;
        let data =
            row.get_ref(7).map_err(fault)?.as_str().map_err(|_| damaged(stream, &at(), "its data is no text"))?;
        let (pos, seq) = (uint(pos), uint(seq));
        let place = Place { stream, pos, seq };
        let fields =
            Fields { id, time: Time::from_ms(time), ty: &ty.name, v: ty.v, by: &by, ignorable: ty.ignorable, data };
        if i64::from(checksum(&place, &fields)) != sum {
            return Err(damaged(stream, &at(), "its checksum is wrong").into());
        }
        let data =
            RawValue::from_string(data.to_owned()).map_err(|_| damaged(stream, &at(), "its data is no JSON"))?.into();
        let TypeRow { name, v, ignorable } = ty;
        let event = Recorded { seq, id, time: Time::from_ms(time), ty: name, v, by, data, ignorable };
        Ok((pos, event))
    }
}

fn damaged(stream: &str, at: &str, what: &str) -> StoreError {
    StoreError::Damaged { what: format!("`{stream}`, {at}: {what}") }
}

/// Where a row stands.
pub(super) struct Place<'a> {
    pub(super) stream: &'a str,
    pub(super) pos: u64,
    pub(super) seq: Seq,
}

/// What a row holds.
pub(super) struct Fields<'a> {
    id: EventId,
    time: Time,
    ty: &'a str,
    v: u32,
    by: &'a str,
    ignorable: bool,
    data: &'a str,
}

impl<'a> From<&'a Event> for Fields<'a> {
    fn from(event: &'a Event) -> Self {
        let Event { id, time, ty, v, by, data, ignorable } = event;
        Self { id: *id, time: *time, ty, v: *v, by, ignorable: *ignorable, data: data.get() }
    }
}

/// The checksum of all of a row and its place. Texts are preceded by their length, so that no byte can move from one to
/// the next unseen.
pub(super) fn checksum(place: &Place<'_>, fields: &Fields<'_>) -> u32 {
    let mut hash = crc32fast::Hasher::new();
    let mut text = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    text(place.stream.as_bytes());
    text(&place.pos.to_le_bytes());
    text(&place.seq.to_le_bytes());
    text(fields.id.uuid().as_bytes());
    text(&fields.time.as_ms().to_le_bytes());
    text(fields.ty.as_bytes());
    text(&fields.v.to_le_bytes());
    text(fields.by.as_bytes());
    text(&[u8::from(fields.ignorable)]);
    text(fields.data.as_bytes());
    hash.finalize()
}
