//! What the tests have in common.

use std::{path::Path, sync::Arc};

use runsheet_core::log::{Event, EventId, Recorded, StreamId, Time};
use runsheet_store::{
    Cursor, Decision, EventLog, Expected, Select, SqliteOptions, SqliteStore, StoreError, Transacted,
    testkit::{Header, Note, script, vocabulary},
};
use tempfile::TempDir;

pub(crate) fn options() -> SqliteOptions {
    SqliteOptions::new(vocabulary())
}

pub(crate) fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, options()).expect("it opens")
}

/// A folder, and a store in it.
pub(crate) fn fresh() -> (TempDir, Arc<SqliteStore>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(&folder.path().join("store.db"));
    (folder, Arc::new(store))
}

pub(crate) fn note(name: &str, text: &str) -> Event {
    vocabulary().event(script::id(name), Time::from_ms(1), &Note { text: text.into(), volume: 1 })
}

pub(crate) fn header() -> Event {
    vocabulary().event(script::id("h"), Time::from_ms(1), &Header {})
}

pub(crate) fn list(name: &str) -> StreamId {
    StreamId::Tasks(name.into())
}

pub(crate) async fn make_list(store: &SqliteStore, name: &str) {
    store.append(list(name), Expected::Absent, vec![header()]).await.expect("it is made");
}

/// Appends after whatever is there.
pub(crate) async fn add(store: &SqliteStore, name: &str, batch: Vec<Event>) -> Result<Transacted, StoreError> {
    let decide = move |_: &dyn runsheet_store::Tail| Decision { batch: batch.clone(), cache: Vec::new() };
    store.transact(list(name), Some(u64::MAX - 1), Box::new(decide)).await
}

/// All events of a stream.
pub(crate) async fn all(store: &SqliteStore, stream: StreamId) -> Result<Vec<Recorded>, StoreError> {
    let mut events = Vec::new();
    loop {
        let page = store.read(stream.clone(), Select::from(events.len() as u64)).await?;
        events.extend(page.events);
        if !page.more {
            return Ok(events);
        }
    }
}

pub(crate) async fn feed_length(store: &SqliteStore) -> usize {
    let mut cursor = Cursor { position: 0, ..store.end().await.expect("there is an end") };
    loop {
        let page = store.feed(cursor, 1_000).await.expect("the feed can be read");
        cursor = page.next;
        if !page.more {
            return usize::try_from(cursor.position).expect("it fits");
        }
    }
}

pub(crate) fn ids(events: &[Recorded]) -> Vec<EventId> {
    events.iter().map(|event| event.id).collect()
}

/// A small generator: the tests print its seed, and the same seed repeats them.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }
}
