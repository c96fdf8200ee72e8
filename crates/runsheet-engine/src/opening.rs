//! The opening of the store: on a thread of its own, so that hosts answer what needs no store meanwhile, and once more
//! for whoever asks after it failed.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use runsheet_store::{Store, StoreError};
use tokio::sync::watch;

/// Opens a store. It is called again when it failed: what was in the way (a full disk, a lock, a file that is not ours)
/// may be gone by then.
pub type Opener = Box<dyn FnMut() -> Result<Arc<dyn Store>, StoreError> + Send>;

/// How long an end waits for an opening: nothing is written by then, so there is nothing to lose.
const LAST_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone)]
enum State {
    Opening,
    Open(Arc<dyn Store>),
    Failed(Arc<StoreError>),
    /// It never opened, and nobody is to open it any more.
    GivenUp,
}

/// A store that is open, or is being opened, or can be tried again.
#[derive(Clone)]
pub(crate) struct Opening(Arc<Shared>);

struct Shared {
    state: watch::Sender<State>,
    opener: Mutex<Opener>,
}

impl Opening {
    /// Begins to open a store.
    pub(crate) fn begin(opener: Opener) -> Self {
        let opening = Self(Arc::new(Shared { state: watch::Sender::new(State::Opening), opener: Mutex::new(opener) }));
        opening.attempt();
        opening
    }

    /// The store. Where the last attempt failed there is another, which all who ask meanwhile wait for.
    pub(crate) async fn store(&self) -> Result<Arc<dyn Store>, Arc<StoreError>> {
        let again = self.0.state.send_if_modified(|state| {
            let failed = matches!(state, State::Failed(_));
            if failed {
                *state = State::Opening;
            }
            failed
        });
        if again {
            self.attempt();
        }
        match self.settled().await {
            State::Open(store) => Ok(store),
            State::Failed(error) => Err(error),
            State::Opening | State::GivenUp => Err(Arc::new(StoreError::Closed)),
        }
    }

    /// The store, to be closed; `None` when there is none. From now on none is opened.
    pub(crate) async fn last(&self) -> Option<Arc<dyn Store>> {
        // When it still opens after this, it is let go again.
        let _ = tokio::time::timeout(LAST_WAIT, self.settled()).await;
        let mut found = None;
        self.0.state.send_if_modified(|state| match state {
            State::Open(store) => {
                found = Some(Arc::clone(store));
                false
            }
            _ => {
                *state = State::GivenUp;
                true
            }
        });
        found
    }

    async fn settled(&self) -> State {
        let mut state = self.0.state.subscribe();
        // The sender is ours: it cannot be gone.
        state.wait_for(|state| !matches!(state, State::Opening)).await.map_or(State::GivenUp, |state| state.clone())
    }

    fn attempt(&self) {
        let shared = Arc::clone(&self.0);
        let attempt = move || {
            let mut opener = shared.opener.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever waits must not wait for ever, whatever became of the thread.
            let outcome = catch_unwind(AssertUnwindSafe(&mut *opener)).unwrap_or(Err(StoreError::Closed));
            shared.settle(outcome);
        };
        if let Err(error) = thread::Builder::new().name("runsheet-open".into()).spawn(attempt) {
            self.0.settle(Err(StoreError::Medium { operation: "start a thread", reason: error.to_string() }));
        }
    }
}

impl Shared {
    fn settle(&self, outcome: Result<Arc<dyn Store>, StoreError>) {
        self.state.send_if_modified(|state| {
            let wanted = matches!(state, State::Opening);
            if wanted {
                *state = outcome.map_or_else(|error| State::Failed(Arc::new(error)), State::Open);
            }
            wanted
        });
    }
}
