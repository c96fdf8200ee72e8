//! Where all writes of a process come together: each waits for the process's turn, with all that queue up meanwhile.

use std::{
    io,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::Receiver,
    },
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{
    Shared,
    queue::{Done, Message, Request, Work},
    turnstile::Turnstile,
    writer::Writer,
};
use crate::error::StoreError;

/// The most requests of one commit: whoever came first should not wait for everyone.
const MAX_GROUP: usize = 512;

/// The longest wait for a group to come together.
const MAX_GATHER: Duration = Duration::from_millis(1);

/// A commit that takes longer is not made on its caller's thread.
const MAX_AT_ONCE: Duration = Duration::from_millis(1);

/// Where all writes of a process are carried out: by the writer's thread, or by their caller when that is quicker.
#[derive(Debug)]
pub(super) struct Desk {
    seat: Mutex<Seat>,
    /// Requests that were queued and have no answer yet.
    queued: AtomicUsize,
}

#[derive(Debug)]
struct Seat {
    writer: Writer,
    turnstile: Option<Turnstile>,
    rhythm: Rhythm,
}

impl Desk {
    pub(super) fn new(shared: &Arc<Shared>) -> Self {
        let seat = Seat { writer: Writer::new(shared), turnstile: None, rhythm: Rhythm::default() };
        Self { seat: Mutex::new(seat), queued: AtomicUsize::new(0) }
    }

    /// Counts a request that is about to be queued.
    pub(super) fn expect(&self) {
        self.queued.fetch_add(1, Ordering::AcqRel);
    }

    /// Carries a write out on the caller's own thread, when nobody else writes and the disk is quick: to wake another
    /// thread and be woken by it takes a third of the time of such a commit. Otherwise gives the work back, to be queued.
    pub(super) fn at_once(&self, work: Box<Work>) -> Result<Result<Done, StoreError>, Box<Work>> {
        // Whatever was queued before comes first.
        if self.queued.load(Ordering::Acquire) > 0 {
            return Err(work);
        }
        match self.seat.try_lock() {
            Ok(mut seat) => seat.at_once(work),
            Err(_) => Err(work),
        }
    }

    /// The writer's thread, until it is told to close or nobody can reach it any more.
    pub(super) fn run(&self, queue: &Receiver<Message>) {
        let mut closing = None;
        while closing.is_none() {
            let mut group = match queue.recv() {
                Ok(Message::Write(request)) => vec![*request],
                Ok(Message::Close(done)) => {
                    closing = Some(done);
                    break;
                }
                Err(_) => break,
            };
            let mut seat = self.seat();
            closing = seat.round(queue, &mut group);
            drop(seat);
            self.queued.fetch_sub(group.len(), Ordering::AcqRel);
        }
        self.seat().writer.finish();
        if let Some(done) = closing {
            let _ = done.send(());
        }
    }

    fn seat(&self) -> MutexGuard<'_, Seat> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    fn at_once(&mut self, work: Box<Work>) -> Result<Result<Done, StoreError>, Box<Work>> {
        let Self { writer, turnstile: Some(turnstile), rhythm } = self else { return Err(work) };
        if !writer.is_open() || !rhythm.is_lone_and_quick() {
            return Err(work);
        }
        let begun = Instant::now();
        let Ok(Some(turn)) = turnstile.try_now() else { return Err(work) };
        let mut answers = writer.serve(&mut [*work]);
        writer.tell(&answers, turn);
        *rhythm = Rhythm { group: 1, commit: begun.elapsed() };
        Ok(answers.all.pop().unwrap_or(Err(StoreError::Closed)))
    }

    /// Commits a group, and whatever queues up until its turn comes, and answers; gives the word to close when it comes.
    fn round(&mut self, queue: &Receiver<Message>, group: &mut Vec<Request>) -> Option<oneshot::Sender<()>> {
        let closing = self.rhythm.gather(queue, group);
        let begun = Instant::now();
        let turn = match open_once(&mut self.turnstile, self.writer.path()).and_then(|turnstile| turnstile.wait()) {
            Ok(turn) => turn,
            Err(error) => {
                refuse(group, &error);
                return closing;
            }
        };
        // Whatever queued up while we waited is part of the group.
        let closing = closing.or_else(|| take(queue, group, MAX_GROUP, |queue| queue.try_recv().ok()));
        let (mut works, replies): (Vec<_>, Vec<_>) = group
            .iter_mut()
            .filter(|request| request.claim.claim())
            .filter_map(|request| request.work.take().zip(request.reply.take()))
            .unzip();
        let answers = self.writer.serve(&mut works);
        self.writer.tell(&answers, turn);
        self.rhythm = Rhythm { group: works.len(), commit: begun.elapsed() };
        for (reply, answer) in replies.into_iter().zip(answers.all) {
            // A caller that went away after its request was claimed does not want to know.
            let _ = reply.send(answer);
        }
        closing
    }
}

/// How the last commit went. Those it answered tend to come back at once, and whoever comes first would be committed
/// alone while all others wait for the next commit: so as many are waited for as there were, for a fraction of the time a
/// commit takes. A lone writer waits for nobody.
#[derive(Debug, Default)]
struct Rhythm {
    group: usize,
    commit: Duration,
}

impl Rhythm {
    /// Whether the next write, too, may be expected to be the only one, and done before an executor would miss its thread.
    fn is_lone_and_quick(&self) -> bool {
        self.group <= 1 && self.commit <= MAX_AT_ONCE
    }

    /// Adds to a group; gives the word to close when it comes.
    fn gather(&self, queue: &Receiver<Message>, group: &mut Vec<Request>) -> Option<oneshot::Sender<()>> {
        let until = Instant::now() + (self.commit / 2).min(MAX_GATHER);
        take(queue, group, self.group, |queue| queue.recv_timeout(until.saturating_duration_since(Instant::now())).ok())
    }
}

/// Takes from the queue until the group is full or nothing comes; gives the word to close when it comes.
fn take(
    queue: &Receiver<Message>,
    group: &mut Vec<Request>,
    full: usize,
    next: impl Fn(&Receiver<Message>) -> Option<Message>,
) -> Option<oneshot::Sender<()>> {
    while group.len() < full {
        match next(queue)? {
            Message::Write(request) => group.push(*request),
            Message::Close(done) => return Some(done),
        }
    }
    None
}

fn open_once<'a>(turnstile: &'a mut Option<Turnstile>, path: &Path) -> io::Result<&'a Turnstile> {
    let open = match turnstile.take() {
        Some(open) => open,
        None => Turnstile::open(path)?,
    };
    Ok(turnstile.insert(open))
}

fn refuse(group: &mut [Request], error: &io::Error) {
    for request in group {
        if request.claim.claim()
            && let Some(reply) = request.reply.take()
        {
            let operation = "lock the store for writing";
            let _ = reply.send(Err(StoreError::Medium { operation, reason: error.to_string() }));
        }
    }
}
