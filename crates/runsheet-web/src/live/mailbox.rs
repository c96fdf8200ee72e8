//! What waits for one reader.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;
use runsheet_engine::store::Cursor;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{hub::Batch, wanted::Wanted};

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) events: usize,
    pub(super) bytes: usize,
    pub(super) values: usize,
}

/// What waits for one reader.
#[derive(Debug)]
pub(super) struct Mailbox {
    pub(super) wanted: Wanted,
    limits: Limits,
    waiting: Mutex<Waiting>,
    bell: Notify,
}

#[derive(Debug)]
struct Waiting {
    /// The latest value of each projection.
    values: HashMap<(Uuid, &'static str), Bytes>,
    /// Events, oldest first.
    events: VecDeque<Bytes>,
    bytes: usize,
    /// Everything up to here is in the mailbox, or was.
    at: Cursor,
    /// Too much waited: the reader is to start over, and what came since it was said is not kept.
    reset: bool,
    closed: bool,
}

/// What a reader takes out of its mailbox at once.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) values: Vec<Bytes>,
    pub(super) events: VecDeque<Bytes>,
    pub(super) at: Cursor,
    pub(super) reset: bool,
    pub(super) closed: bool,
}

/// What a delivery did to a mailbox.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delivered {
    pub(super) frames: u64,
    pub(super) coalesced: u64,
    pub(super) reset: bool,
}

impl Mailbox {
    /// A mailbox of what comes after `at`.
    pub(super) fn new(wanted: Wanted, limits: Limits, at: Cursor) -> Self {
        let waiting =
            Waiting { values: HashMap::new(), events: VecDeque::new(), bytes: 0, at, reset: false, closed: false };
        Self { wanted, limits, waiting: Mutex::new(waiting), bell: Notify::new() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts in what a batch has for the reader. What is at or before the reader's place it has already.
    pub(super) fn deliver(&self, batch: &Batch<'_>) -> Delivered {
        let mut delivered = Delivered::default();
        let mut waiting = self.lock();
        let known = if waiting.at.epoch == batch.next.epoch { waiting.at.position } else { 0 };
        if batch.reset {
            waiting.start_over();
            waiting.at = batch.next;
            delivered.reset = true;
            self.bell.notify_one();
            return delivered;
        }
        if known < batch.next.position {
            waiting.at = batch.next;
        }
        if waiting.reset {
            return delivered;
        }
        for item in &batch.events {
            if item.position > known && self.wanted.events(item.session) {
                let frame = item.frame(batch.next.epoch);
                waiting.bytes += frame.len();
                waiting.events.push_back(frame);
                delivered.frames += 1;
            }
        }
        for item in &batch.values {
            if self.wanted.value(item.session, item.change.key) {
                let replaced = waiting.values.insert((item.session, item.change.key), item.frame());
                delivered.coalesced += u64::from(replaced.is_some());
                delivered.frames += 1;
            }
        }
        let limits = &self.limits;
        if waiting.events.len() > limits.events || waiting.bytes > limits.bytes || waiting.values.len() > limits.values
        {
            waiting.start_over();
            delivered.reset = true;
        }
        if delivered.frames > 0 {
            self.bell.notify_one();
        }
        delivered
    }

    /// The reader is to start over.
    pub(super) fn start_over(&self) {
        self.lock().start_over();
        self.bell.notify_one();
    }

    /// Nothing will come any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.bell.notify_one();
    }

    /// Waits for something to come. It may come back for nothing.
    pub(super) async fn rings(&self) {
        self.bell.notified().await;
    }

    /// Takes all that waits.
    pub(super) fn take(&self) -> Taken {
        let mut waiting = self.lock();
        waiting.bytes = 0;
        Taken {
            values: waiting.values.drain().map(|(_, frame)| frame).collect(),
            events: std::mem::take(&mut waiting.events),
            at: waiting.at,
            reset: std::mem::take(&mut waiting.reset),
            closed: waiting.closed,
        }
    }
}

impl Waiting {
    fn start_over(&mut self) {
        self.values = HashMap::new();
        self.events = VecDeque::new();
        self.bytes = 0;
        self.reset = true;
    }
}
