//! One follower for all readers.

use std::{
    cell::OnceCell,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering::Relaxed},
    time::Duration,
};

use bytes::Bytes;
use runsheet_engine::{
    Change, Changes, Engine, Follower,
    store::{Cursor, FeedEntry},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    frame,
    mailbox::{Limits, Mailbox},
    reader::{Reader, Start},
    wanted::Wanted,
};
use crate::{error::ApiError, metrics::WebMetrics, options::WebOptions};

/// How long the follower rests after a failure, the first time and at most.
const REST: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// The one follower and its readers.
pub(crate) struct Hub {
    pub(super) engine: Engine,
    options: Arc<WebOptions>,
    metrics: Arc<WebMetrics>,
    shutdown: CancellationToken,
    started: tokio::sync::Mutex<bool>,
    readers: Mutex<Readers>,
}

#[derive(Default)]
struct Readers {
    /// How far the follower is; absent before it runs.
    at: Option<Cursor>,
    mailboxes: HashMap<u64, Arc<Mailbox>>,
    next: u64,
}

/// What the follower found at once. Frames are rendered when the first reader wants them.
pub(super) struct Batch<'a> {
    pub(super) events: Vec<EventItem<'a>>,
    pub(super) values: Vec<ValueItem<'a>>,
    pub(super) next: Cursor,
    pub(super) reset: bool,
}

pub(super) struct EventItem<'a> {
    pub(super) session: Uuid,
    pub(super) position: u64,
    entry: &'a FeedEntry,
    frame: OnceCell<Bytes>,
}

pub(super) struct ValueItem<'a> {
    pub(super) session: Uuid,
    pub(super) change: &'a Change,
    frame: OnceCell<Bytes>,
}

impl EventItem<'_> {
    pub(super) fn frame(&self, epoch: Uuid) -> Bytes {
        let at = Cursor { epoch, position: self.position };
        self.frame.get_or_init(|| frame::event(self.session, &self.entry.event, at)).clone()
    }
}

impl ValueItem<'_> {
    pub(super) fn frame(&self) -> Bytes {
        let Change { key, value, seq, .. } = self.change;
        self.frame.get_or_init(|| frame::value(self.session, key, value.as_deref(), *seq)).clone()
    }
}

impl<'a> Batch<'a> {
    fn of(changes: &'a Changes) -> Self {
        let event = |entry: &'a FeedEntry| {
            let session = entry.stream.session()?;
            Some(EventItem { session, position: entry.position, entry, frame: OnceCell::new() })
        };
        let value =
            |change: &'a Change| Some(ValueItem { session: change.session.session()?, change, frame: OnceCell::new() });
        Self {
            events: changes.events.iter().filter_map(event).collect(),
            values: changes.changes.iter().filter_map(value).collect(),
            next: changes.next,
            reset: changes.reset,
        }
    }
}

impl Hub {
    pub(crate) fn new(
        engine: Engine,
        options: Arc<WebOptions>,
        metrics: Arc<WebMetrics>,
        shutdown: CancellationToken,
    ) -> Self {
        let (started, readers) = (tokio::sync::Mutex::new(false), Mutex::default());
        Self { engine, options, metrics, shutdown, started, readers }
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Readers> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the follower with the first reader.
    async fn start(self: &Arc<Self>) -> Result<(), ApiError> {
        let mut started = self.started.lock().await;
        if !*started {
            let follower = self.engine.follow(None).await?;
            self.readers().at = Some(follower.cursor());
            let hub = Arc::clone(self);
            tokio::spawn(async move { hub.follow(follower).await });
            *started = true;
        }
        Ok(())
    }

    /// A reader of what comes after a place; without one, of what comes from now on.
    pub(crate) async fn open(self: &Arc<Self>, wanted: Wanted, from: Option<Cursor>) -> Result<Reader, ApiError> {
        self.start().await?;
        let closed = || ApiError::new(http::StatusCode::SERVICE_UNAVAILABLE, "closing", "this host is closing");
        let options = &self.options;
        let limits = Limits {
            events: options.max_queue_events,
            bytes: options.max_queue_bytes,
            values: options.max_queue_values,
        };
        let (id, mailbox, at) = {
            let mut readers = self.readers();
            let at = readers.at.ok_or_else(closed)?;
            if self.shutdown.is_cancelled() {
                return Err(closed());
            }
            if readers.mailboxes.len() >= options.max_readers {
                let text = format!("{} readers follow this host already", options.max_readers);
                return Err(ApiError::new(http::StatusCode::SERVICE_UNAVAILABLE, "too_many_readers", text)
                    .hint("one connection serves a whole page; close others"));
            }
            // A reader may know more than the follower has seen: what it knows is not sent again.
            let known = from.filter(|from| from.epoch == at.epoch && from.position > at.position);
            let mailbox = Arc::new(Mailbox::new(wanted, limits, known.unwrap_or(at)));
            let id = readers.next;
            readers.next += 1;
            readers.mailboxes.insert(id, Arc::clone(&mailbox));
            self.metrics.readers.store(readers.mailboxes.len() as u64, Relaxed);
            (id, mailbox, at)
        };
        let reader = |start| Reader::new(Arc::clone(self), (id, Arc::clone(&mailbox)), start, options.keep_alive);
        let Some(from) = from else { return Ok(reader(Start::Present { at })) };
        let lost = if from.epoch != at.epoch {
            true
        } else if from.position > at.position {
            let end = match self.end().await {
                Ok(end) => end,
                Err(error) => {
                    self.leave(id);
                    return Err(error);
                }
            };
            from.epoch != end.epoch || from.position > end.position
        } else {
            at.position - from.position > options.max_behind
        };
        if lost {
            mailbox.start_over();
            self.metrics.resets.fetch_add(1, Relaxed);
        }
        Ok(reader(match from.position.cmp(&at.position) {
            _ if lost => Start::Live { at },
            std::cmp::Ordering::Less => Start::CatchUp { from, to: at },
            _ => Start::Live { at: from },
        }))
    }

    async fn end(&self) -> Result<Cursor, ApiError> {
        let store = self.engine.store().await?;
        let failed = |source| runsheet_engine::EngineError::Store {
            operation: "finding the feed's end",
            source: Arc::new(source),
        };
        Ok(store.end().await.map_err(failed)?)
    }

    /// Forgets a reader.
    pub(super) fn leave(&self, id: u64) {
        let mut readers = self.readers();
        readers.mailboxes.remove(&id);
        self.metrics.readers.store(readers.mailboxes.len() as u64, Relaxed);
    }

    /// Follows until the host closes. A failure is waited out: nothing is skipped.
    async fn follow(&self, mut follower: Follower) {
        let mut rest = REST.0;
        loop {
            match self.shutdown.run_until_cancelled(follower.next()).await {
                None => break,
                Some(Ok(changes)) => {
                    rest = REST.0;
                    self.deliver(&changes);
                }
                Some(Err(error)) => {
                    tracing::warn!(%error, "the live feed waits");
                    if self.shutdown.run_until_cancelled(tokio::time::sleep(rest)).await.is_none() {
                        break;
                    }
                    rest = (rest * 2).min(REST.1);
                }
            }
        }
        let mut readers = self.readers();
        readers.at = None;
        readers.mailboxes.values().for_each(|mailbox| mailbox.close());
    }

    fn deliver(&self, changes: &Changes) {
        let now = self.engine.clock().now().as_ms();
        if let Some(last) = changes.events.last() {
            let late = u64::try_from(now - last.event.time.as_ms()).unwrap_or_default();
            self.metrics.fan_out.observe(Duration::from_millis(late));
        }
        let batch = Batch::of(changes);
        let mut readers = self.readers();
        readers.at = Some(changes.next);
        for mailbox in readers.mailboxes.values() {
            let delivered = mailbox.deliver(&batch);
            self.metrics.frames.fetch_add(delivered.frames, Relaxed);
            self.metrics.coalesced.fetch_add(delivered.coalesced, Relaxed);
            self.metrics.resets.fetch_add(u64::from(delivered.reset), Relaxed);
        }
    }
}
