//! Export and import of events as JSON lines, lossless both ways.

use std::{
    collections::{HashMap, HashSet},
    io::{BufRead, Seek, SeekFrom, Write},
};

use runsheet_core::log::{
    Bounds, Event, EventData, EventId, Lifecycle, Parent, Recorded, Seq, SessionCreated, StreamId, TurnStart, Turns,
    read,
};
use runsheet_store::{AppendOutcome, Expected, Select, Store, StoreError, StreamKind};
use serde::{Deserialize, Serialize};

use crate::{engine::Engine, error::EngineError, verify::Finding};

/// How many events are appended at once.
const BATCH: usize = 1_000;
/// The longest line of an import, in bytes.
const MAX_LINE: u64 = 4 << 20;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One line: an event and its stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The stream.
    pub stream: StreamId,
    /// The event.
    pub event: Recorded,
}

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Streams in the file.
    pub streams: usize,
    /// Events appended.
    pub appended: usize,
    /// Events that were here before.
    pub known: usize,
}

/// What an export wrote.
#[derive(Clone, Debug, Default)]
pub struct ExportReport {
    /// Events written.
    pub events: u64,
    /// What was left out because it is damaged: for each stream, how much of it was written, and why not the rest.
    pub left_out: Vec<Finding>,
}

/// How far a stream of the file has been followed.
struct Followed {
    next: Seq,
    lifecycle: Lifecycle,
    /// A fork's first turn goes on from its parent's, which may be in another file: its number is taken as it comes.
    inherits: bool,
    /// The ids of its events: a second one would stop the import when half of it is appended.
    ids: HashSet<EventId>,
}

impl Engine {
    /// Writes streams, each after the one it was forked from, as JSON lines. Damage costs the stream it is in what comes
    /// after it, and its forks; all others are written, and what is written can be imported.
    ///
    /// # Errors
    /// When the store or the writer fails.
    pub async fn export(
        &self,
        streams: Option<Vec<StreamId>>,
        out: &mut (dyn Write + Send),
    ) -> Result<ExportReport, EngineError> {
        let store = self.store().await?;
        let mut report = ExportReport::default();
        let streams = match streams {
            Some(streams) => streams,
            None => self.all_streams(&*store, &mut report).await?,
        };
        // How many events of each stream stand in the export, or in its parents'.
        let mut done: HashMap<StreamId, Seq> = HashMap::new();
        for stream in streams {
            let mut line = vec![stream];
            // A header that cannot be read names no parent; its own export says what is wrong with it.
            while let Ok(Some(parent)) = self.parent_of(&*store, &line[line.len() - 1]).await {
                line.push(StreamId::Session(parent.session));
            }
            for stream in line.into_iter().rev() {
                if !done.contains_key(&stream) {
                    let length = self.export_one(&*store, &stream, &done, out, &mut report).await?;
                    done.insert(stream, length);
                }
            }
        }
        Ok(report)
    }

    async fn all_streams(&self, store: &dyn Store, report: &mut ExportReport) -> Result<Vec<StreamId>, EngineError> {
        let mut all = Vec::new();
        for kind in [StreamKind::Sessions, StreamKind::Tasks] {
            let listing = store.streams(kind, usize::MAX).await.map_err(EngineError::store("exporting"))?;
            all.extend(listing.streams.into_iter().rev().map(|info| info.stream));
            for what in listing.damaged {
                if report.left_out.iter().all(|known| known.what != what) {
                    report.left_out.push(Finding { stream: None, what });
                }
            }
        }
        Ok(all)
    }

    async fn parent_of(&self, store: &dyn Store, stream: &StreamId) -> Result<Option<Parent>, EngineError> {
        let select = Select { limit: 1, ..Select::from(0) };
        let page = store.read(stream.clone(), select).await.map_err(EngineError::store("exporting"))?;
        let header = page.events.first().ok_or_else(|| EngineError::NoSession(stream.to_string()))?;
        Ok(read::<SessionCreated>(header).and_then(|header| header.parent))
    }

    /// Writes one stream, as far as it can be read; gives how far that is.
    async fn export_one(
        &self,
        store: &dyn Store,
        stream: &StreamId,
        done: &HashMap<StreamId, Seq>,
        out: &mut (dyn Write + Send),
        report: &mut ExportReport,
    ) -> Result<Seq, EngineError> {
        let failed = || EngineError::store("exporting");
        let left_out = |what: String| Finding { stream: Some(stream.clone()), what };
        let parent = match self.parent_of(store, stream).await {
            Ok(parent) => parent,
            Err(error) if error.is_of_one_session() => {
                report.left_out.push(left_out(format!("nothing of it was written: {}", error.cause())));
                return Ok(0);
            }
            Err(error) => return Err(error),
        };
        let inherited = parent.map(|parent| (StreamId::Session(parent.session), parent.seq));
        if let Some((parent, seq)) = &inherited
            && done.get(parent).is_none_or(|length| length <= seq)
        {
            let what =
                format!("nothing of it was written: it is a fork of `{parent}` at {seq}, which is damaged before");
            report.left_out.push(left_out(what));
            return Ok(0);
        }
        let (mut from, mut limit) = (0, Select::from(0).limit);
        loop {
            let page = match store.read(stream.clone(), Select { limit, ..Select::from(from) }).await {
                Ok(page) => page,
                // Somewhere on this page: what stands before it is read one by one.
                Err(StoreError::Damaged { .. }) if limit > 1 => {
                    limit = 1;
                    continue;
                }
                Err(StoreError::Damaged { what }) => {
                    report.left_out.push(left_out(format!("its first {from} events were written: {what}")));
                    return Ok(from);
                }
                Err(error) => return Err(failed()(error)),
            };
            for event in &page.events {
                from = event.seq + 1;
                // A fork's inherited events stand in its parent's export.
                if event.seq > 0 && inherited.as_ref().is_some_and(|(_, last)| event.seq <= *last) {
                    continue;
                }
                serde_json::to_writer(&mut *out, &Line { stream: stream.clone(), event: event.clone() })
                    .map_err(std::io::Error::from)
                    .and_then(|()| out.write_all(b"\n"))
                    .map_err(|error| StoreError::Medium { operation: "write the export", reason: error.to_string() })
                    .map_err(failed())?;
                report.events += 1;
            }
            if !page.more {
                return Ok(from);
            }
        }
    }

    /// Takes the events of an export. All lines are checked before the first is appended, so a bad file changes
    /// nothing; what is here already is passed over, so an import may be repeated.
    ///
    /// # Errors
    /// When a line is no event, its stream may not go on with it, or it differs from what is here.
    pub async fn import<R: BufRead + Seek + Send>(&self, input: &mut R) -> Result<ImportReport, EngineError> {
        let store = self.store().await?;
        let mut report = ImportReport { streams: self.check_import(&*store, input).await?, ..ImportReport::default() };
        rewind(input)?;
        let mut lines = Lines::new(input);
        let mut batch: Vec<Line> = Vec::new();
        loop {
            let line = lines.next()?;
            let full = batch.len() >= BATCH
                || line.as_ref().is_none_or(|line| batch.first().is_some_and(|first| first.stream != line.stream));
            // A fork's own events do not follow its header's seq: they go with it, in one append, or after it.
            if full && !batch.is_empty() {
                self.append(&*store, std::mem::take(&mut batch), &mut report).await?;
            }
            match line {
                Some(line) => batch.push(line),
                None => return Ok(report),
            }
        }
    }

    /// The first pass: everything that can be wrong with a file, without changing anything.
    async fn check_import<R: BufRead + Seek + Send>(
        &self,
        store: &dyn Store,
        input: &mut R,
    ) -> Result<usize, EngineError> {
        let mut followed: HashMap<StreamId, Followed> = HashMap::new();
        let mut lines = Lines::new(input);
        while let Some(Line { stream, event }) = lines.next()? {
            let line = lines.number;
            let fault = |fault: String| EngineError::Line { line, fault };
            let known = match followed.entry(stream.clone()) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(vacant) => vacant.insert(Followed {
                    next: 0,
                    lifecycle: Lifecycle::default(),
                    inherits: false,
                    ids: HashSet::new(),
                }),
            };
            if event.seq != known.next {
                let fault = format!("`{stream}` goes on with event {}, not {}", known.next, event.seq);
                return Err(EngineError::Misplaced { line, fault });
            }
            if !known.ids.insert(event.id) {
                let fault = format!("`{stream}` has an event with id {} before", event.id);
                return Err(EngineError::Misplaced { line, fault });
            }
            known.next += 1;
            self.vocabulary()
                .check(event.seq, &event.clone().into_event(), &Bounds::default())
                .map_err(|source| fault(source.to_string()))?;
            if known.inherits
                && let Some(start) = read::<TurnStart>(&event)
            {
                known.inherits = false;
                let turns = Turns { last: start.turn - 1, ..known.lifecycle.turns().clone() };
                known.lifecycle = Lifecycle::from(turns);
            }
            known.lifecycle.next(self.vocabulary(), &event).map_err(|source| EngineError::Lifecycle {
                line,
                stream: stream.clone(),
                source,
            })?;
            if let Some(parent) = read::<SessionCreated>(&event).and_then(|header| header.parent) {
                known.inherits = true;
                known.next = parent.seq + 1;
                let of = StreamId::Session(parent.session);
                let in_file = followed.get(&of).is_some_and(|of| of.next > parent.seq);
                let here = store.head(of.clone()).await.map_err(EngineError::store("importing"))?;
                if !in_file && here.is_none_or(|head| head.seq < parent.seq) {
                    return Err(fault(format!("`{stream}` is a fork of {of} at {}, which is not here", parent.seq)));
                }
            }
            self.check_known(store, &stream, &event).await?;
        }
        Ok(followed.len())
    }

    /// An event of the file that stands here already must be the same.
    async fn check_known(&self, store: &dyn Store, stream: &StreamId, event: &Recorded) -> Result<(), EngineError> {
        let select = Select { to: event.seq, limit: 1, ..Select::from(event.seq) };
        let page = store.read(stream.clone(), select).await.map_err(EngineError::store("importing"))?;
        match page.events.first() {
            Some(here) if !event.clone().into_event().same(here) => {
                Err(EngineError::Differs { stream: stream.clone(), seq: event.seq })
            }
            _ => Ok(()),
        }
    }

    async fn append(&self, store: &dyn Store, batch: Vec<Line>, report: &mut ImportReport) -> Result<(), EngineError> {
        let stream = batch[0].stream.clone();
        let failed = || EngineError::store("importing");
        let head = store.head(stream.clone()).await.map_err(failed())?.map(|head| head.seq);
        let (known, new): (Vec<_>, Vec<_>) =
            batch.into_iter().partition(|line| head.is_some_and(|head| line.event.seq <= head));
        report.known += known.len();
        if new.is_empty() {
            return Ok(());
        }
        let seq = new[0].event.seq;
        let events: Vec<Event> = new.into_iter().map(|line| line.event.into_event()).collect();
        let count = events.len();
        let expected = head.map_or(Expected::Absent, Expected::Seq);
        match store.append(stream.clone(), expected, events).await.map_err(failed())? {
            AppendOutcome::Appended(_) => report.appended += count,
            AppendOutcome::Duplicate { .. } => report.known += count,
            AppendOutcome::Conflict { .. } => return Err(EngineError::Differs { stream, seq }),
        }
        Ok(())
    }
}

fn rewind(input: &mut impl Seek) -> Result<(), EngineError> {
    input.seek(SeekFrom::Start(0)).map(drop).map_err(unreadable)
}

fn unreadable(error: impl std::fmt::Display) -> EngineError {
    EngineError::store("importing")(StoreError::Medium { operation: "read the import", reason: error.to_string() })
}

/// The lines of an import, bounded in length; blank ones are passed over.
struct Lines<'a, R> {
    input: &'a mut R,
    number: usize,
    text: Vec<u8>,
}

impl<'a, R: BufRead> Lines<'a, R> {
    const fn new(input: &'a mut R) -> Self {
        Self { input, number: 0, text: Vec::new() }
    }

    fn next(&mut self) -> Result<Option<Line>, EngineError> {
        use std::io::Read;
        loop {
            self.text.clear();
            self.number += 1;
            let read = (&mut *self.input).take(MAX_LINE).read_until(b'\n', &mut self.text).map_err(unreadable)?;
            let fault = |fault: String| EngineError::Line { line: self.number, fault };
            // What some editors and shells put before a text.
            if self.number == 1 && self.text.starts_with(BYTE_ORDER_MARK) {
                self.text.drain(..BYTE_ORDER_MARK.len());
            }
            match read {
                0 => return Ok(None),
                _ if read as u64 == MAX_LINE => return Err(fault(format!("it is longer than {MAX_LINE} bytes"))),
                _ if self.text.trim_ascii().is_empty() => {}
                _ => return serde_json::from_slice(&self.text).map(Some).map_err(|error| fault(error.to_string())),
            }
        }
    }
}

// A header is what makes a stream; the import relies on it standing first.
const _: () = assert!(matches!(SessionCreated::PLACEMENT, runsheet_core::log::Placement::Header));
