//! One reader of the live feed.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use runsheet_engine::{
    core::{log::StreamId, projection::UNITS},
    store::{Cursor, FeedEntry, Store, StoreError},
};
use uuid::Uuid;

use super::{frame, hub::Hub, mailbox::Mailbox};

/// How many events are taken from the store at once.
const PAGE: usize = 500;

/// Where a reader begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// With the present values of the sessions it named.
    Present {
        /// The place they are of, or earlier.
        at: Cursor,
    },
    /// With what it missed.
    CatchUp {
        /// What it has.
        from: Cursor,
        /// Where its mailbox goes on.
        to: Cursor,
    },
    /// With what comes.
    Live {
        /// Where it stands.
        at: Cursor,
    },
}

/// What a reader is sent: the values of what changed while it was away, the events that came meanwhile, what comes.
/// Values go first: see the module.
enum Phase {
    Missed { from: Cursor, to: Cursor },
    Events { from: Cursor, to: Cursor },
    Live,
    Over,
}

/// A reader. Dropped, it is forgotten.
pub(crate) struct Reader {
    hub: Arc<Hub>,
    id: u64,
    mailbox: Arc<Mailbox>,
    keep_alive: Duration,
    phase: Phase,
    /// Sessions whose present values are sent before the phase begins.
    present: Vec<Uuid>,
    /// Everything up to here was sent, or waits in `out`.
    at: Cursor,
    out: VecDeque<Bytes>,
}

impl Reader {
    pub(super) fn new(hub: Arc<Hub>, (id, mailbox): (u64, Arc<Mailbox>), start: Start, keep_alive: Duration) -> Self {
        let mut out = VecDeque::from([frame::hello()]);
        let mut present = Vec::new();
        let (phase, at) = match start {
            Start::Present { at } => {
                present.extend(mailbox.wanted.sessions.iter().copied());
                (Phase::Events { from: at, to: at }, at)
            }
            Start::CatchUp { from, to } => (Phase::Missed { from, to }, from),
            Start::Live { at } => {
                out.push_back(frame::place(at));
                (Phase::Live, at)
            }
        };
        Self { hub, id, mailbox, keep_alive, phase, present, at, out }
    }

    /// The next bytes to send; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(bytes) = self.out.pop_front() {
                return Some(bytes);
            }
            if let Some(session) = self.present.pop() {
                self.values(session).await;
                continue;
            }
            match self.phase {
                Phase::Live => self.live().await,
                Phase::Missed { from, to } => self.missed(from, to).await,
                Phase::Events { from, to } => self.events(from, to).await,
                Phase::Over => return None,
            }
        }
    }

    async fn live(&mut self) {
        let rang = tokio::time::timeout(self.keep_alive, self.mailbox.rings()).await.is_ok();
        let taken = self.mailbox.take();
        if taken.closed {
            self.phase = Phase::Over;
        }
        if taken.reset {
            self.at = taken.at;
            self.out.push_back(frame::reset(taken.at));
            return;
        }
        let moved = taken.at.epoch != self.at.epoch || taken.at.position > self.at.position;
        if moved {
            self.at = taken.at;
        }
        let quiet = taken.values.is_empty() && taken.events.is_empty();
        self.out.extend(taken.values);
        self.out.extend(taken.events);
        if !rang && quiet {
            self.out.push_back(frame::alive(self.at));
        } else if moved && !quiet {
            self.out.push_back(frame::place(self.at));
        }
    }

    /// Which sessions changed while the reader was away.
    async fn missed(&mut self, from: Cursor, to: Cursor) {
        let mut changed = BTreeSet::new();
        let mut next = from;
        while next.position < to.position {
            let Some((entries, after)) = self.page(next, to).await else { return };
            let sessions = entries.iter().filter_map(|entry| entry.stream.session());
            changed.extend(sessions.filter(|session| self.mailbox.wanted.session(*session)));
            next = after;
        }
        self.phase = Phase::Events { from, to };
        self.present.extend(changed);
    }

    /// The events that came while the reader was away, a page at a time.
    async fn events(&mut self, from: Cursor, to: Cursor) {
        if from.position >= to.position {
            self.out.push_back(frame::place(to));
            self.phase = Phase::Live;
            return;
        }
        let Some((entries, next)) = self.page(from, to).await else { return };
        for entry in &entries {
            if let Some(session) = entry.stream.session()
                && self.mailbox.wanted.events(session)
            {
                self.out.push_back(frame::event(session, &entry.event, Cursor { position: entry.position, ..to }));
            }
        }
        self.at = next;
        self.phase = Phase::Events { from: next, to };
    }

    /// A page of what came after one place and not after another. When there is none, the reader starts over or ends.
    async fn page(&mut self, from: Cursor, to: Cursor) -> Option<(Vec<FeedEntry>, Cursor)> {
        let page = match self.store().await {
            Ok(store) => store.feed(from, PAGE).await,
            Err(()) => Err(StoreError::Closed),
        };
        match page {
            Ok(page) => {
                let next = if page.next.position > to.position || page.entries.is_empty() { to } else { page.next };
                let before = |entry: &FeedEntry| entry.position <= to.position;
                Some((page.entries.into_iter().filter(before).collect(), next))
            }
            Err(StoreError::ForeignEpoch) => {
                self.mailbox.start_over();
                self.phase = Phase::Live;
                None
            }
            // The browser comes back, with the place it has.
            Err(error) => {
                tracing::warn!(%error, "a reader of the live feed could not be brought up to date");
                self.phase = Phase::Over;
                None
            }
        }
    }

    async fn store(&self) -> Result<Arc<dyn Store>, ()> {
        self.hub.engine.store().await.map_err(drop)
    }

    /// The present values of a session. One that cannot be read is left out, like in the feed.
    async fn values(&mut self, session: Uuid) {
        let Ok(Some(fold)) = self.hub.engine.fold(&StreamId::Session(session)).await else { return };
        let Some(seq) = fold.seq() else { return };
        let wanted = &self.mailbox.wanted;
        let visible = UNITS.iter().filter(|unit| unit.visible && wanted.value(session, unit.key));
        let values = visible.filter_map(|unit| Some((unit.key, fold.view(unit.key)?)));
        self.out.extend(values.map(|(key, value)| frame::value(session, key, Some(&value), seq)));
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.hub.leave(self.id);
    }
}
