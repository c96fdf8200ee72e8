//! The store in an SQLite file.
//!
//! One desk of a process writes ([`desk`]), two threads read, and processes take turns in a [`turnstile`] of file locks, so
//! that SQLite's own locks are never contended. A success is answered after its commit is synced.

mod bell;
mod connection;
mod desk;
mod fault;
mod hints;
mod identity;
mod live;
mod open;
mod options;
mod place;
mod queue;
mod read;
mod readers;
mod row;
mod schema;
mod streams;
mod turnstile;
mod verify;
mod write;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use runsheet_core::log::{Event, Seq, StreamId};
use rusqlite::Connection;
use tokio::sync::{oneshot, watch};
use uuid::Uuid;

pub use options::{Access, Durability, SqliteOptions};
use queue::{Caller, Claim, Done, Message, Request, Work};

use crate::{
    aliases::{CallAlias, CallAliases},
    batch,
    cache::{CacheRow, ProjectionCache},
    error::StoreError,
    event_log::{
        AppendOutcome, BoxFuture, Cursor, Decide, EventLog, Expected, FeedPage, Head, Listing, Page, Select,
        StreamKind, Transacted,
    },
    locks::{Attachment, OwnerLock, SessionLocks},
};

/// How long closing waits for a writer that may be waiting itself.
const CLOSING: Duration = Duration::from_secs(1);

/// A store in an SQLite file, shared by any number of processes of one machine.
#[derive(Debug)]
pub struct SqliteStore {
    shared: Arc<Shared>,
    writer: Mutex<Option<WriterThread>>,
    readers: readers::Readers,
    live: live::Live,
    closed: AtomicBool,
}

#[derive(Debug)]
struct WriterThread {
    desk: Arc<desk::Desk>,
    queue: Sender<Message>,
    thread: JoinHandle<()>,
}

/// What the threads of a store have in common.
#[derive(Debug)]
struct Shared {
    path: PathBuf,
    options: SqliteOptions,
    writable: bool,
    /// The connection the file was checked with, for the first thread that needs one.
    spare: Mutex<Option<Connection>>,
    bell: bell::Bell,
    /// Whether readers look for names in the table that the index does not find.
    scan: Arc<AtomicBool>,
    /// Which file the store is.
    registration: open::Registration,
}

impl Shared {
    /// A connection without a role.
    fn connection(&self) -> rusqlite::Result<Connection> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        spare.map_or_else(|| connection::open(&self.path, self.writable), Ok)
    }

    /// A connection to read with, and whether it is one that must not be kept.
    fn reading_connection(&self, path: &Path) -> rusqlite::Result<(Connection, bool)> {
        if self.writable { Ok((self.connection()?, false)) } else { open::connect(path, false) }
    }
}

impl SqliteStore {
    /// Opens the store at a path, and makes it first if it is not there and may be. Quick: threads start when they are
    /// needed.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and [`StoreError::NewerFormat`] leave the file as it is; [`StoreError::Open`] says why
    /// a path cannot be a store. A file that can only be read opens, and writes fail with [`StoreError::ReadOnly`].
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
        let open::Opened { path, conn, writable, registration } = open::open(path.as_ref(), &options)?;
        let live = live::Live::new(&path);
        let shared = Arc::new(Shared {
            path,
            options,
            writable,
            spare: Mutex::new(conn),
            bell: bell::Bell::new(),
            scan: Arc::default(),
            registration,
        });
        let readers = readers::Readers::new(&shared);
        Ok(Self { shared, writer: Mutex::new(None), readers, live, closed: AtomicBool::new(false) })
    }

    /// The file, by its own path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Whether the file can be written.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.shared.writable
    }

    fn patience(&self) -> Duration {
        self.shared.options.patience
    }

    /// Whether another process holds the lock.
    fn is_kept_waiting(&self) -> bool {
        let holder = turnstile::holder(&self.shared.path);
        holder != 0 && holder != std::process::id()
    }

    fn check_open(&self) -> Result<(), StoreError> {
        if self.closed.load(Ordering::Acquire) { Err(StoreError::Closed) } else { Ok(()) }
    }

    fn check_writable(&self) -> Result<(), StoreError> {
        self.check_open()?;
        if self.shared.writable { Ok(()) } else { Err(StoreError::ReadOnly { path: self.shared.path.clone() }) }
    }

    /// The desk, if anything was written before.
    fn desk(&self) -> Option<Arc<desk::Desk>> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().map(|writer| Arc::clone(&writer.desk))
    }

    fn enqueue(&self, request: Request) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_open()?;
        if writer.is_none() {
            let (queue, receiver) = mpsc::channel();
            let desk = Arc::new(desk::Desk::new(&self.shared));
            let here = Arc::clone(&desk);
            let thread = thread::Builder::new()
                .name("runsheet-write".into())
                .spawn(move || here.run(&receiver))
                .map_err(|error| StoreError::Medium { operation: "start the writer", reason: error.to_string() })?;
            *writer = Some(WriterThread { desk, queue, thread });
        }
        let Some(writer) = &*writer else { return Err(StoreError::Closed) };
        writer.desk.expect();
        writer.queue.send(Message::Write(Box::new(request))).map_err(|_| StoreError::Closed)
    }

    /// Writes, at once or queued, and waits for the answer; gives it up when the writer does not get its turn in time.
    async fn write(&self, work: Work) -> Result<Done, StoreError> {
        self.check_writable()?;
        let mut work = Box::new(work);
        if let Some(desk) = self.desk() {
            match desk.at_once(work) {
                Ok(answer) => return answer,
                Err(back) => work = back,
            }
        }
        let claim = Arc::new(Claim::default());
        let (reply, mut answer) = oneshot::channel();
        let caller = Caller(Arc::clone(&claim));
        self.enqueue(Request { claim, work: Some(*work), reply: Some(reply) })?;
        let answer = match tokio::time::timeout(self.patience(), &mut answer).await {
            Ok(answer) => answer,
            Err(_) if caller.0.abandon() => {
                return Err(StoreError::Busy { pid: turnstile::holder(&self.shared.path) });
            }
            // Claimed: it is being carried out, and its outcome will be known.
            Err(_) => answer.await,
        };
        answer.unwrap_or(Err(StoreError::Closed))
    }
}

/// The writer answers a request with the outcome of its kind.
fn mismatch<T>(_: Done) -> Result<T, StoreError> {
    Err(StoreError::Medium { operation: "write", reason: "the writer answered another request".into() })
}

impl EventLog for SqliteStore {
    fn transact(
        &self,
        stream: StreamId,
        after: Option<Seq>,
        decide: Decide,
    ) -> BoxFuture<'_, Result<Transacted, StoreError>> {
        Box::pin(async move {
            match self.write(Work::Transact { stream, after, decide }).await? {
                Done::Transact(made) => Ok(made),
                other => mismatch(other),
            }
        })
    }

    fn append(
        &self,
        stream: StreamId,
        expected: Expected,
        batch: Vec<Event>,
    ) -> BoxFuture<'_, Result<AppendOutcome, StoreError>> {
        Box::pin(async move {
            self.check_writable()?;
            let options = &self.shared.options;
            let (head, fork) = match expected {
                Expected::Absent => (None, batch::parent(&stream, &batch)),
                Expected::Seq(seq) => (Some(seq), None),
            };
            batch::check(&options.vocabulary, &options.bounds, &stream, batch::seqs(head, fork), &batch)?;
            match self.write(Work::Append { stream, expected, fork, batch }).await? {
                Done::Append(outcome) => Ok(outcome),
                other => mismatch(other),
            }
        })
    }

    fn read(&self, stream: StreamId, select: Select) -> BoxFuture<'_, Result<Page, StoreError>> {
        Box::pin(self.readers.read("read a stream", move |db| read::page(db, &stream, &select)))
    }

    fn head(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<Head>, StoreError>> {
        Box::pin(self.readers.read("read a stream's head", move |db| read::head(db, &stream)))
    }

    fn feed(&self, after: Cursor, limit: usize) -> BoxFuture<'_, Result<FeedPage, StoreError>> {
        Box::pin(self.readers.read("read the feed", move |db| read::feed(db, after, limit)))
    }

    fn doorbell(&self) -> watch::Receiver<u64> {
        self.shared.bell.listen(&self.shared)
    }

    fn end(&self) -> BoxFuture<'_, Result<Cursor, StoreError>> {
        Box::pin(self.readers.read("read the feed's end", read::end))
    }

    fn streams(&self, kind: StreamKind, limit: usize) -> BoxFuture<'_, Result<Listing, StoreError>> {
        Box::pin(self.readers.read("list the streams", move |db| read::streams(db, kind, limit)))
    }

    fn check_medium(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        Box::pin(self.readers.run("check the store", verify::check))
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let writer = {
                let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
                self.closed.store(true, Ordering::Release);
                writer.take()
            };
            self.shared.bell.stop();
            for thread in self.readers.close() {
                // A reader finishes its page and ends; one that panicked has ended.
                let _ = thread.join();
            }
            drop(self.shared.spare.lock().unwrap_or_else(PoisonError::into_inner).take());
            let Some(WriterThread { queue, thread, .. }) = writer else { return };
            let (done, mut closed) = oneshot::channel();
            if queue.send(Message::Close(done)).is_err() {
                return;
            }
            let (patience, brief) = (self.patience(), self.patience().min(CLOSING));
            let mut ended = tokio::time::timeout(brief, &mut closed).await.is_ok();
            // A writer that waits for a process which does not let go is left behind: all it could do was given up. One
            // that writes is waited for.
            if !ended && !self.is_kept_waiting() {
                ended = tokio::time::timeout(patience - brief, closed).await.is_ok();
            }
            if ended {
                let _ = thread.join();
            } else {
                tracing::warn!("the store's writer still waits for its turn; leaving it behind");
            }
        })
    }
}

impl ProjectionCache for SqliteStore {
    fn cached(
        &self,
        stream: StreamId,
        projections: Vec<(&'static str, u32)>,
    ) -> BoxFuture<'_, Result<Vec<CacheRow>, StoreError>> {
        Box::pin(self.readers.read("read projection states", move |db| hints::cached(db, &stream, &projections)))
    }

    fn cache(&self, stream: StreamId, rows: Vec<CacheRow>) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move { self.write(Work::Cache { stream, rows }).await.map(drop) })
    }
}

impl CallAliases for SqliteStore {
    fn put_alias(&self, alias: CallAlias) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move { self.write(Work::Alias(alias)).await.map(drop) })
    }

    fn alias(&self, principal: String, call_id: String) -> BoxFuture<'_, Result<Option<CallAlias>, StoreError>> {
        Box::pin(self.readers.read("read an alias", move |db| hints::alias(db, principal.clone(), call_id.clone())))
    }
}

impl SessionLocks for SqliteStore {
    fn attach(&self, session: Uuid) -> Result<(Box<dyn Attachment>, bool), StoreError> {
        self.check_writable()?;
        self.live.attach(session, self.patience())
    }

    fn deserted(&self, session: Uuid) -> bool {
        self.live.deserted(session)
    }

    fn own(&self, session: Uuid) -> Result<Box<dyn OwnerLock>, StoreError> {
        self.check_writable()?;
        self.live.own(session)
    }
}
