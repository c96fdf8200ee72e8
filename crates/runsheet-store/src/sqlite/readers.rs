//! The threads that read.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
};

use tokio::sync::oneshot;

use super::{
    Shared,
    connection::{self, Db},
    fault::{Trouble, fault},
    identity,
};
use crate::error::StoreError;

/// Two: a long page must not keep a short look-up waiting, and more would only contend for the disk.
const THREADS: usize = 2;

type Job = Box<dyn FnOnce(&mut Reader) + Send>;

/// A pool of reading threads, started when they are needed.
#[derive(Debug)]
pub(super) struct Readers {
    shared: Arc<Shared>,
    pool: Mutex<Option<Pool>>,
}

#[derive(Debug)]
struct Pool {
    jobs: Sender<Job>,
    queue: Arc<Mutex<Receiver<Job>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn new(shared: &Arc<Shared>) -> Self {
        let (jobs, queue) = mpsc::channel();
        let pool = Pool { jobs, queue: Arc::new(Mutex::new(queue)), threads: Vec::new() };
        Self { shared: Arc::clone(shared), pool: Mutex::new(Some(pool)) }
    }

    /// Runs a read of one state of the file on one of the threads.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        operation: &'static str,
        read: impl Fn(&mut Db) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run(operation, move |db| db.snapshot(&read)).await
    }

    /// Runs something on one of the threads that makes its own transactions.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: &'static str,
        run: impl Fn(&mut Db) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.submit(Box::new(move |reader| {
            let _ = reply.send(reader.run(operation, run));
        }))?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    fn submit(&self, job: Job) -> Result<(), StoreError> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = pool.as_mut().ok_or(StoreError::Closed)?;
        if pool.threads.len() < THREADS {
            let (shared, queue) = (Arc::clone(&self.shared), Arc::clone(&pool.queue));
            let thread = thread::Builder::new()
                .name("runsheet-read".into())
                .spawn(move || serve(&shared, &queue))
                .map_err(|error| StoreError::Medium { operation: "start a reader", reason: error.to_string() })?;
            pool.threads.push(thread);
        }
        pool.jobs.send(job).map_err(|_| StoreError::Closed)
    }

    /// Lets the threads finish what was asked, and ends them.
    pub(super) fn close(&self) -> Vec<JoinHandle<()>> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.take().map(|pool| pool.threads).unwrap_or_default()
    }
}

fn serve(shared: &Arc<Shared>, queue: &Mutex<Receiver<Job>>) {
    let mut reader = Reader { shared: Arc::clone(shared), db: None, immutable: false };
    loop {
        // The lock is held while waiting: the other idle thread then waits for the lock instead.
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(&mut reader),
            Err(_) => return,
        }
        if reader.immutable {
            // Nobody tells such a connection of changes, so it lives for one read.
            reader.db = None;
        }
    }
}

/// One reading thread's connection.
pub(super) struct Reader {
    shared: Arc<Shared>,
    db: Option<Db>,
    immutable: bool,
}

impl Reader {
    fn run<T>(
        &mut self,
        operation: &'static str,
        read: impl Fn(&mut Db) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let path = self.shared.path.clone();
        let outcome = self.attempt(&path, &read);
        match outcome {
            Err(Trouble::Medium(error)) => {
                // The connection may be at fault, so the next read gets a new one.
                self.db = None;
                Err(fault(&path, operation, &error))
            }
            outcome => outcome.map_err(|trouble| trouble.into_error(&path, operation)),
        }
    }

    fn attempt<T>(&mut self, path: &Path, read: &impl Fn(&mut Db) -> Result<T, Trouble>) -> Result<T, Trouble> {
        identity::check(&self.shared)?;
        if self.db.is_none() {
            let (conn, immutable) = self.shared.reading_connection(path)?;
            connection::into_reader(&conn)?;
            self.immutable = immutable;
            let mut db = Db::new(conn, &self.shared.options.vocabulary);
            db.streams.scan = Arc::clone(&self.shared.scan);
            self.db = Some(db);
        }
        let Some(db) = &mut self.db else { return Err(StoreError::Closed.into()) };
        read(db)
    }
}
