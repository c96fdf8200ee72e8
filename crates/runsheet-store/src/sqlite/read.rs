//! Reading: each function runs in one read transaction ([`Db::snapshot`]), and none is longer than a page.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    sync::atomic::Ordering,
};

use runsheet_core::log::{EventId, Recorded, Seq, StreamId, Time};
use rusqlite::{Connection, OptionalExtension, Row, params, types::ValueRef};
use uuid::Uuid;

use super::{
    connection::Db,
    fault::Trouble,
    row::{COLUMNS, int, uint},
    schema::SOUGHT,
    streams::{Known, Part, id_at},
};
use crate::{
    error::StoreError,
    event_log::{Cursor, FeedEntry, FeedPage, Head, Listing, Order, Page, Select, StreamInfo, StreamKind, TypeUse},
};

/// The most a page holds, whatever is asked for: a reader must not keep a transaction open for long.
const MAX_PAGE_EVENTS: usize = 10_000;
const MAX_PAGE_BYTES: usize = 4 << 20;

/// The position of the feed's end: how many events were committed.
pub(super) fn position(conn: &Connection) -> rusqlite::Result<u64> {
    conn.prepare_cached("SELECT max(pos) FROM events")?
        .query_row([], |row| row.get::<_, Option<i64>>(0))
        .map(|pos| uint(pos.unwrap_or(0)))
}

/// Both, as every write needs them.
pub(super) fn epoch_and_position(conn: &Connection) -> rusqlite::Result<(Uuid, u64)> {
    conn.prepare_cached("SELECT value, (SELECT max(pos) FROM events) FROM meta WHERE key = 'epoch'")?
        .query_row([], |row| Ok((Uuid::from_bytes(row.get(0)?), uint(row.get::<_, Option<i64>>(1)?.unwrap_or(0)))))
}

pub(super) fn end(db: &mut Db) -> Result<Cursor, Trouble> {
    let (epoch, position) = epoch_and_position(&db.conn)?;
    Ok(Cursor { epoch, position })
}

/// A page as it fills.
struct Filling {
    events: Vec<Recorded>,
    bytes: usize,
    limit: usize,
    more: bool,
}

impl Filling {
    fn new(limit: usize) -> Self {
        Self { events: Vec::new(), bytes: 0, limit: limit.min(MAX_PAGE_EVENTS), more: false }
    }

    /// How many rows to ask for: one more than fit says whether there are more.
    fn wanted(&self) -> i64 {
        int((self.limit - self.events.len()) as u64 + 1)
    }

    /// Whether another row fits; at least one always does.
    fn fits(&mut self) -> bool {
        self.more = self.events.len() >= self.limit || (self.bytes >= MAX_PAGE_BYTES && !self.events.is_empty());
        !self.more
    }

    fn push(&mut self, event: Recorded) {
        self.bytes += event.data.get().len();
        self.events.push(event);
    }
}

pub(super) fn page(db: &mut Db, stream: &StreamId, select: &Select) -> Result<Page, Trouble> {
    let Some(known) = db.streams.find(&db.conn, stream)? else { return Ok(Page::default()) };
    let mut page = Filling::new(select.limit);
    let tids = match &select.types {
        None => None,
        Some(types) => Some(tids(&db.conn, types)?),
    };
    let sought = select.types.as_ref().is_some_and(|types| types.iter().all(|ty| SOUGHT.contains(ty)));
    let mut parts: Vec<&Part> = known.parts.iter().collect();
    if select.order == Order::Backward {
        parts.reverse();
    }
    for part in parts {
        let (first, last) = (part.first.max(select.from), part.last.min(select.to).min(known.head));
        if first > last {
            continue;
        }
        let run = Part { first, last, ..part.clone() };
        match &tids {
            Some(tids) if tids.is_empty() => {}
            Some(tids) if sought => fill_sought(db, &run, tids, select.order, &mut page)?,
            tids => fill(db, &run, tids.as_deref(), select.order, &mut page)?,
        }
        if page.more {
            break;
        }
    }
    Ok(Page { events: page.events, head: Some(known.head), more: page.more })
}

fn tids(conn: &Connection, types: &[&str]) -> rusqlite::Result<Vec<i64>> {
    let mut statement = conn.prepare_cached("SELECT tid FROM types WHERE name = ?1")?;
    let mut tids = Vec::with_capacity(types.len());
    for ty in types {
        for tid in statement.query_map([ty], |row| row.get(0))? {
            tids.push(tid?);
        }
    }
    tids.sort_unstable();
    tids.dedup();
    Ok(tids)
}

const fn direction(order: Order) -> &'static str {
    match order {
        Order::Forward => "ASC",
        Order::Backward => "DESC",
    }
}

fn fill(db: &mut Db, run: &Part, tids: Option<&[i64]>, order: Order, page: &mut Filling) -> Result<(), Trouble> {
    let filter = tids.map_or_else(String::new, |tids| {
        let list: Vec<String> = tids.iter().map(i64::to_string).collect();
        format!("AND tid IN ({})", list.join(","))
    });
    let sql = format!(
        "SELECT {COLUMNS} FROM events WHERE sid = ?1 AND seq BETWEEN ?2 AND ?3 {filter} ORDER BY seq {} LIMIT ?4",
        direction(order)
    );
    let mut statement = db.conn.prepare_cached(&sql)?;
    let mut rows = statement.query(params![run.sid, int(run.first), int(run.last), page.wanted()])?;
    let mut run_of_all = tids.is_none().then(|| Contiguous::new(run, order));
    while let Some(row) = rows.next()? {
        if !page.fits() {
            return Ok(());
        }
        let (_, event) = db.rows.decode(&db.conn, &db.vocabulary, &run.name, row)?;
        if let Some(run) = &mut run_of_all {
            run.next(event.seq)?;
        }
        page.push(event);
    }
    run_of_all.map_or(Ok(()), Contiguous::end)
}

/// Watches that a run is read whole: a damaged index leaves rows out, and no checksum would tell.
struct Contiguous<'a> {
    run: &'a Part,
    order: Order,
    read: u64,
}

impl<'a> Contiguous<'a> {
    const fn new(run: &'a Part, order: Order) -> Self {
        Self { run, order, read: 0 }
    }

    fn due(&self) -> Seq {
        match self.order {
            Order::Forward => self.run.first + self.read,
            Order::Backward => self.run.last - self.read,
        }
    }

    fn next(&mut self, seq: Seq) -> Result<(), StoreError> {
        if seq != self.due() {
            return Err(missing(&self.run.name, self.due()));
        }
        self.read += 1;
        Ok(())
    }

    fn end(self) -> Result<(), Trouble> {
        if self.read <= self.run.last - self.run.first {
            return Err(missing(&self.run.name, self.due()).into());
        }
        Ok(())
    }
}

/// The rows of types with an index of their own: found there, in order, before any row is read.
fn fill_sought(db: &mut Db, run: &Part, tids: &[i64], order: Order, page: &mut Filling) -> Result<(), Trouble> {
    let sql = format!(
        "SELECT seq FROM events INDEXED BY events_sought \
         WHERE sid = ?1 AND tid = ?2 AND sought = 1 AND seq BETWEEN ?3 AND ?4 ORDER BY seq {} LIMIT ?5",
        direction(order)
    );
    let mut seqs: Vec<i64> = Vec::new();
    for tid in tids {
        let mut statement = db.conn.prepare_cached(&sql)?;
        let mut rows = statement.query(params![run.sid, tid, int(run.first), int(run.last), page.wanted()])?;
        while let Some(row) = rows.next()? {
            seqs.push(row.get(0)?);
        }
    }
    seqs.sort_unstable();
    if order == Order::Backward {
        seqs.reverse();
    }
    for seq in seqs {
        if !page.fits() {
            break;
        }
        let seq = uint(seq);
        fill_one(db, run, seq, page)?;
    }
    Ok(())
}

fn fill_one(db: &mut Db, run: &Part, seq: Seq, page: &mut Filling) -> Result<(), Trouble> {
    let mut statement = db.conn.prepare_cached(&format!("SELECT {COLUMNS} FROM events WHERE sid = ?1 AND seq = ?2"))?;
    let mut rows = statement.query(params![run.sid, int(seq)])?;
    let row = rows.next()?.ok_or_else(|| StoreError::Damaged {
        what: format!("`{}`, event {seq}: an index holds it, the table does not", run.name),
    })?;
    page.push(db.rows.decode(&db.conn, &db.vocabulary, &run.name, row)?.1);
    Ok(())
}

/// All events from a seq on, without a page's limits: what a decision sees as new.
pub(super) fn events_from(db: &mut Db, known: &Known, from: Seq) -> Result<Vec<Recorded>, Trouble> {
    let mut all = Vec::new();
    for part in known.parts.iter() {
        let (first, last) = (part.first.max(from), part.last.min(known.head));
        if first > last {
            continue;
        }
        let run = Part { first, last, ..part.clone() };
        let mut statement = db.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM events WHERE sid = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq"
        ))?;
        let mut rows = statement.query(params![run.sid, int(run.first), int(run.last)])?;
        let mut whole = Contiguous::new(&run, Order::Forward);
        while let Some(row) = rows.next()? {
            let (_, event) = db.rows.decode(&db.conn, &db.vocabulary, &run.name, row)?;
            whole.next(event.seq)?;
            all.push(event);
        }
        whole.end()?;
    }
    Ok(all)
}

pub(super) fn head(db: &mut Db, stream: &StreamId) -> Result<Option<Head>, Trouble> {
    let Some(known) = db.streams.find(&db.conn, stream)? else { return Ok(None) };
    let (id, time) =
        id_at(&db.conn, &known.parts, known.head)?.ok_or_else(|| missing(&stream.to_string(), known.head))?;
    Ok(Some(Head { seq: known.head, id, time, types: types(db, known.sid)? }))
}

fn missing(stream: &str, seq: Seq) -> StoreError {
    StoreError::Damaged { what: format!("`{stream}`, event {seq}: it is missing") }
}

/// The types of a stream, each in the latest version it holds.
fn types(db: &mut Db, sid: i64) -> Result<Vec<TypeUse>, Trouble> {
    let mut statement = db.conn.prepare_cached("SELECT tid, bid FROM stream_types WHERE sid = ?1")?;
    let mut rows = statement.query([sid])?;
    let mut types: Vec<TypeUse> = Vec::new();
    while let Some(row) = rows.next()? {
        let ty = db.rows.ty(&db.conn, &db.vocabulary, row.get(0)?)?;
        let by = db.rows.by(&db.conn, row.get(1)?)?;
        types.push(TypeUse { ty: ty.name.into(), v: ty.v, ignorable: ty.ignorable, by: by.as_ref().into() });
    }
    // Latest version first within a type; of one version, the form that may not be skipped: it is the stricter one.
    types.sort_by(|a, b| (&a.ty, b.v, a.ignorable, &a.by).cmp(&(&b.ty, a.v, b.ignorable, &b.by)));
    types.dedup_by(|later, first| later.ty == first.ty);
    Ok(types)
}

pub(super) fn feed(db: &mut Db, after: Cursor, limit: usize) -> Result<FeedPage, Trouble> {
    let (epoch, position) = epoch_and_position(&db.conn)?;
    let end = Cursor { epoch, position };
    if after.epoch != end.epoch || after.position > end.position {
        return Err(StoreError::ForeignEpoch.into());
    }
    let mut page = Filling::new(limit);
    let mut entries: Vec<FeedEntry> = Vec::new();
    let mut damaged: Vec<String> = Vec::new();
    let mut names: HashMap<i64, Result<(String, StreamId), String>> = HashMap::new();
    let mut last = after.position;
    let mut statement =
        db.conn.prepare_cached(&format!("SELECT {COLUMNS}, sid FROM events WHERE pos > ?1 ORDER BY pos LIMIT ?2"))?;
    let mut rows = statement.query(params![int(after.position), page.wanted()])?;
    while let Some(row) = rows.next()? {
        page.more =
            entries.len() + damaged.len() >= page.limit || (page.bytes >= MAX_PAGE_BYTES && !entries.is_empty());
        if page.more {
            break;
        }
        let position = uint(row.get(0)?);
        if position != last + 1 {
            damaged.push(match (last + 1, position - 1) {
                (one, same) if one == same => format!("the feed, position {one}: it is missing"),
                (first, last) => format!("the feed, positions {first} to {last}: they are missing"),
            });
        }
        last = position;
        let sid: i64 = row.get(8)?;
        let named = match names.entry(sid) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(reported(name_of(&db.conn, sid))?),
        };
        let decoded = match named {
            Ok((name, stream)) => {
                reported(db.rows.decode(&db.conn, &db.vocabulary, name, row))?.map(|(_, event)| (stream.clone(), event))
            }
            // Said once, not for each of its events.
            Err(what) if damaged.contains(what) => continue,
            Err(what) => Err(what.clone()),
        };
        match decoded {
            Ok((stream, event)) => {
                page.bytes += event.data.get().len();
                entries.push(FeedEntry { position, stream, event });
            }
            Err(what) => damaged.push(what),
        }
    }
    Ok(FeedPage { entries, damaged, next: Cursor { position: last, ..end }, more: page.more })
}

/// Takes damage of one row, or of one stream, out of the errors: a sentence, and the rest can be read.
pub(super) fn reported<T>(outcome: Result<T, Trouble>) -> Result<Result<T, String>, Trouble> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(Trouble::Request(StoreError::Damaged { what })) => Ok(Err(what)),
        Err(trouble) => Err(trouble),
    }
}

pub(super) fn name_of(conn: &Connection, sid: i64) -> Result<(String, StreamId), Trouble> {
    conn.prepare_cached(&format!("SELECT {NAME} FROM streams WHERE sid = ?1"))?
        .query_row([sid], |row| Ok(name_in(row)))
        .optional()?
        .unwrap_or_else(|| Err(format!("stream number {sid} is missing")))
        .map(|Named { name, stream, .. }| (name, stream))
        .map_err(|what| StoreError::Damaged { what }.into())
}

/// The columns [`name_in`] reads: a stream's number, its name, and the number under which the index has that name.
pub(super) const NAME: &str = "sid, name, (SELECT known.sid FROM streams AS known INDEXED BY sqlite_autoindex_streams_1 \
                               WHERE known.name = streams.name) AS known";

/// A stream, as its row says.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) stream: StreamId,
    /// Whether the index finds it. Where it does not, index or row are damaged: the checksums of its events tell which.
    pub(super) indexed: bool,
}

/// The name of a stream, from a row that begins with [`NAME`], or a sentence that says how it is damaged.
pub(super) fn name_in(row: &Row<'_>) -> Result<Named, String> {
    let sid: i64 = row.get(0).map_err(|_| "a stream's number is no number".to_owned())?;
    let Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = row.get_ref(1) else {
        return Err(format!("stream number {sid}: its name is no text"));
    };
    let name = String::from_utf8_lossy(bytes);
    let Some(stream) = name.parse().ok().filter(|_| matches!(name, Cow::Borrowed(_))) else {
        return Err(format!("stream number {sid}: its name is damaged, `{name}` names no stream"));
    };
    let indexed = row.get::<_, Option<i64>>(2) == Ok(Some(sid));
    Ok(Named { name: name.into_owned(), stream, indexed })
}

pub(super) fn streams(db: &mut Db, kind: StreamKind, limit: usize) -> Result<Listing, Trouble> {
    let like = match kind {
        StreamKind::Sessions => "session/*",
        StreamKind::Tasks => "tasks/*",
    };
    let mut listing = Listing::default();
    let mut statement = db.conn.prepare_cached(&format!(
        "SELECT {NAME}, head, created, updated FROM streams NOT INDEXED WHERE name GLOB ?1 ORDER BY pos DESC LIMIT ?2"
    ))?;
    let mut rows = statement.query(params![like, int(limit as u64)])?;
    while let Some(row) = rows.next()? {
        let number = |at| row.get::<_, i64>(at).map_err(|_| "one of its columns is no number");
        let info = name_in(row).and_then(|Named { name, stream, indexed }| {
            if !indexed {
                db.streams.scan.store(true, Ordering::Relaxed);
            }
            let told = (|| {
                let (created, updated) = (Time::from_ms(number(4)?), Time::from_ms(number(5)?));
                Ok(StreamInfo { stream, head: uint(number(3)?), created, updated })
            })();
            told.map_err(|what: &str| format!("`{name}`: {what}"))
        });
        match info {
            Ok(info) => listing.streams.push(info),
            Err(what) => listing.damaged.push(what),
        }
    }
    // A name that is of no kind any more would be missed by both listings.
    let mut strange = db.conn.prepare_cached(&format!(
        "SELECT {NAME} FROM streams NOT INDEXED WHERE NOT (name GLOB 'session/*' OR name GLOB 'tasks/*') LIMIT 100"
    ))?;
    let mut rows = strange.query([])?;
    while let Some(row) = rows.next()? {
        listing.damaged.extend(name_in(row).err());
    }
    Ok(listing)
}

/// Whether the event at a seq of a stream has an id.
pub(super) fn stands(db: &mut Db, known: &Known, seq: Seq, id: EventId) -> rusqlite::Result<bool> {
    Ok(seq <= known.head && id_at(&db.conn, &known.parts, seq)?.is_some_and(|(found, _)| found == id))
}
