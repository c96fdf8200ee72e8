//! What a store in memory holds, and what its operations do to it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use runsheet_core::log::{Bounds, Event, EventId, Parent, Recorded, Seq, StreamId, Time, Vocabulary};
use uuid::Uuid;

use crate::{
    aliases::CallAlias,
    batch::{self, Plan, Standing},
    cache::CacheRow,
    error::StoreError,
    event_log::{
        AppendOutcome, Appended, Cursor, Decide, Decision, Expected, FeedEntry, FeedPage, Head, Listing, Order, Page,
        Select, StreamInfo, StreamKind, Tail, Transacted, TypeUse,
    },
};

#[derive(Debug)]
pub(super) struct State {
    epoch: Uuid,
    streams: HashMap<StreamId, Arc<Stream>>,
    /// All events, in the order appended: where each stands.
    feed: Vec<(StreamId, Seq)>,
    cache: HashMap<(StreamId, &'static str, u32), CacheRow>,
    pub(super) aliases: HashMap<(String, String), CallAlias>,
    pub(super) closed: bool,
}

/// A stream; a fork has its parent's events too, which costs pointers only.
#[derive(Clone, Debug, Default)]
struct Stream {
    events: Vec<Recorded>,
    ids: HashMap<EventId, Seq>,
    position: u64,
    /// When the last event appended here was written; a fork's own, not the last it inherited.
    updated: Time,
}

impl Stream {
    fn head(&self) -> Option<Seq> {
        (self.events.len() as Seq).checked_sub(1)
    }

    fn push(&mut self, event: Recorded) {
        self.ids.insert(event.id, event.seq);
        self.events.push(event);
    }

    /// The event with an id; in what a fork will inherit, event 0 is missing and the index is not the seq.
    fn find(&self, id: EventId) -> Option<&Recorded> {
        let seq = *self.ids.get(&id)?;
        let index = self.events.binary_search_by_key(&seq, |event| event.seq).ok()?;
        self.events.get(index)
    }

    fn at(&self, seq: Seq) -> Option<&Recorded> {
        self.events.get(usize::try_from(seq).ok()?)
    }
}

/// A stream as a write finds it: what exists, or what its fork will inherit.
struct Target {
    head: Option<Seq>,
    stream: Arc<Stream>,
    fork: Option<Parent>,
}

impl Standing<StoreError> for Target {
    fn head(&self) -> Option<Seq> {
        self.head
    }

    fn find(&mut self, event: &Event) -> Result<Option<Recorded>, StoreError> {
        Ok(self.stream.find(event.id).cloned())
    }
}

struct View<'a> {
    target: &'a Target,
    new: &'a [Recorded],
}

impl Tail for View<'_> {
    fn head(&self) -> Option<Seq> {
        self.target.head
    }

    fn new_events(&self) -> &[Recorded] {
        self.new
    }

    fn has(&self, id: EventId) -> bool {
        self.target.stream.ids.contains_key(&id)
    }
}

impl State {
    pub(super) fn new(epoch: Uuid) -> Self {
        Self {
            epoch,
            streams: HashMap::new(),
            feed: Vec::new(),
            cache: HashMap::new(),
            aliases: HashMap::new(),
            closed: false,
        }
    }

    pub(super) fn position(&self) -> u64 {
        self.feed.len() as u64
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor { epoch: self.epoch, position: self.position() }
    }

    fn target(&self, stream: &StreamId, fork: Option<Parent>) -> Result<Target, StoreError> {
        if let Some(found) = self.streams.get(stream) {
            return Ok(Target { head: found.head(), stream: Arc::clone(found), fork: None });
        }
        let Some(parent) = fork else { return Ok(Target { head: None, stream: Arc::default(), fork: None }) };
        let name = StreamId::Session(parent.session);
        let above = self
            .streams
            .get(&name)
            .filter(|above| above.head() >= Some(parent.seq))
            .ok_or_else(|| StoreError::NoParent { stream: stream.clone(), parent: name, seq: parent.seq })?;
        let mut inherited = Stream::default();
        for event in above.events.iter().filter(|event| (1..=parent.seq).contains(&event.seq)) {
            inherited.push(event.clone());
        }
        Ok(Target { head: None, stream: inherited.into(), fork })
    }

    pub(super) fn append(
        &mut self,
        stream: &StreamId,
        expected: Expected,
        fork: Option<Parent>,
        batch: &[Event],
    ) -> Result<AppendOutcome, StoreError> {
        let mut target = self.target(stream, fork)?;
        let fork = target.fork;
        match batch::expected(stream, &mut target, expected, fork, batch)? {
            Plan::Duplicate { first } => Ok(AppendOutcome::Duplicate { first }),
            Plan::Conflict { head } => Ok(AppendOutcome::Conflict { head }),
            Plan::Append(places) => {
                let (Some((first, _)), Some((last, _))) = (places.first(), places.last()) else {
                    return Ok(AppendOutcome::Conflict { head: target.head });
                };
                let (first, last) = (*first, *last);
                self.insert(stream, target, &places, batch);
                Ok(AppendOutcome::Appended(Appended { first, last, cursor: self.cursor() }))
            }
        }
    }

    pub(super) fn transact(
        &mut self,
        vocabulary: &Vocabulary,
        bounds: &Bounds,
        stream: &StreamId,
        after: Option<Seq>,
        decide: &mut Decide,
    ) -> Result<Transacted, StoreError> {
        let mut target = self.target(stream, None)?;
        let from = after.map_or(0, |after| after + 1);
        let known = usize::try_from(from).unwrap_or(usize::MAX);
        let before: Vec<_> = target.stream.events.iter().skip(known).cloned().collect();
        let Decision { batch, cache } = batch::decide(decide, &View { target: &target, new: &before })?;
        if target.head.is_none()
            && let Some(parent) = batch::parent(stream, &batch)
        {
            target = self.target(stream, Some(parent))?;
        }
        let fork = target.fork;
        batch::check(vocabulary, bounds, stream, batch::seqs(target.head, fork), &batch)?;
        let places = batch::decided(stream, &mut target, fork, &batch)?;
        if !places.is_empty() {
            self.insert(stream, target, &places, &batch);
        }
        self.cache(stream, cache);
        let appended: Vec<_> = places.into_iter().map(|(seq, index)| batch[index].clone().at(seq)).collect();
        let cursor = (!appended.is_empty()).then(|| self.cursor());
        Ok(Transacted { before, appended, cursor })
    }

    fn insert(&mut self, stream: &StreamId, target: Target, places: &[(Seq, usize)], batch: &[Event]) {
        let fork = target.fork.is_some();
        if target.head.is_none() {
            self.streams.insert(stream.clone(), target.stream);
        } else {
            // Ours would be a second owner, and the stream would be copied to be changed.
            drop(target);
        }
        let end = self.position() + places.len() as u64;
        let Some(whole) = self.streams.get_mut(stream).map(Arc::make_mut) else { return };
        for (seq, index) in places {
            whole.push(batch[*index].clone().at(*seq));
            self.feed.push((stream.clone(), *seq));
        }
        // A fork's header comes after what it inherits, and belongs before it.
        if fork {
            whole.events.sort_by_key(|event| event.seq);
        }
        whole.position = end;
        whole.updated = places.last().map_or(whole.updated, |(_, index)| batch[*index].time);
    }

    pub(super) fn read(&self, stream: &StreamId, select: &Select) -> Page {
        let Some(found) = self.streams.get(stream) else { return Page::default() };
        let mut chosen: Vec<_> = found
            .events
            .iter()
            .filter(|event| (select.from..=select.to).contains(&event.seq))
            .filter(|event| select.types.as_ref().is_none_or(|types| types.contains(&&*event.ty)))
            .collect();
        if select.order == Order::Backward {
            chosen.reverse();
        }
        let more = chosen.len() > select.limit;
        Page { events: chosen.into_iter().take(select.limit).cloned().collect(), head: found.head(), more }
    }

    pub(super) fn head(&self, stream: &StreamId) -> Option<Head> {
        let found = self.streams.get(stream)?;
        let last = found.events.last()?;
        let mut types: BTreeMap<&str, &Recorded> = BTreeMap::new();
        for event in &found.events {
            let kept = types.entry(&event.ty).or_insert(event);
            if (event.v, !event.ignorable) > (kept.v, !kept.ignorable) {
                *kept = event;
            }
        }
        let types = types
            .into_values()
            .map(|event| TypeUse {
                ty: event.ty.to_string(),
                v: event.v,
                ignorable: event.ignorable,
                by: event.by.to_string(),
            })
            .collect();
        Some(Head { seq: last.seq, id: last.id, time: last.time, types })
    }

    pub(super) fn feed(&self, after: Cursor, limit: usize) -> Result<FeedPage, StoreError> {
        let end = self.cursor();
        if after.epoch != end.epoch || after.position > end.position {
            return Err(StoreError::ForeignEpoch);
        }
        let mut entries = Vec::new();
        for (position, (stream, seq)) in
            (1..).zip(&self.feed).skip(usize::try_from(after.position).unwrap_or(usize::MAX))
        {
            if entries.len() == limit {
                break;
            }
            if let Some(event) = self.streams.get(stream).and_then(|found| found.at(*seq)) {
                entries.push(FeedEntry { position, stream: stream.clone(), event: event.clone() });
            }
        }
        let position = entries.last().map_or(after.position, |entry| entry.position);
        Ok(FeedPage { entries, damaged: Vec::new(), next: Cursor { position, ..end }, more: position < end.position })
    }

    pub(super) fn streams(&self, kind: StreamKind, limit: usize) -> Listing {
        let mut found: Vec<_> = self
            .streams
            .iter()
            .filter(|(id, _)| match kind {
                StreamKind::Sessions => matches!(id, StreamId::Session(_)),
                StreamKind::Tasks => matches!(id, StreamId::Tasks(_)),
            })
            .collect();
        found.sort_by_key(|(_, stream)| Reverse(stream.position));
        let streams = found
            .into_iter()
            .take(limit)
            .filter_map(|(id, stream)| {
                let (first, last) = (stream.events.first()?, stream.events.last()?);
                Some(StreamInfo { stream: id.clone(), head: last.seq, created: first.time, updated: stream.updated })
            })
            .collect();
        Listing { streams, damaged: Vec::new() }
    }

    pub(super) fn cached(&self, stream: &StreamId, projections: &[(&'static str, u32)]) -> Vec<CacheRow> {
        let Some(found) = self.streams.get(stream) else { return Vec::new() };
        projections
            .iter()
            .filter_map(|(key, version)| self.cache.get(&(stream.clone(), *key, *version)))
            .filter(|row| found.at(row.seq).is_some_and(|event| event.id == row.event_id))
            .cloned()
            .collect()
    }

    /// Keeps states, of a stream that exists.
    pub(super) fn cache(&mut self, stream: &StreamId, rows: Vec<CacheRow>) {
        if !self.streams.contains_key(stream) {
            return;
        }
        for row in rows {
            self.cache.insert((stream.clone(), row.key, row.version), row);
        }
    }
}
