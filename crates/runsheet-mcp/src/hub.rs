//! What changes in the store, for whoever is subscribed to a resource.

use std::time::Duration;

use runsheet_engine::{Changes, Engine};
use tokio::sync::{broadcast, watch};
use uuid::Uuid;

/// Updates kept for a subscriber that is behind; one that is further behind is told that everything changed.
const CAPACITY: usize = 256;
/// The pause before a feed that failed is followed again.
const RETRY: Duration = Duration::from_secs(1);

/// Something changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    /// A session.
    Session {
        /// Which.
        session: Uuid,
        /// Whether its list did.
        todos: bool,
    },
    /// Anything may have.
    Everything,
}

/// Whether the store's feed is followed. One task follows it for all connections, from the first subscription on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Starting,
    Following,
}

/// Follows the store for all subscribers.
#[derive(Clone, Debug)]
pub(crate) struct Hub {
    state: watch::Sender<State>,
    updates: broadcast::Sender<Update>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self { state: watch::Sender::new(State::Idle), updates: broadcast::Sender::new(CAPACITY) }
    }

    /// Subscribes to what changes from now on; whoever writes after this waits until the feed is followed.
    pub(crate) fn subscribe(&self, engine: &Engine) -> broadcast::Receiver<Update> {
        let receiver = self.updates.subscribe();
        let idle = self.state.send_if_modified(|state| {
            let idle = *state == State::Idle;
            if idle {
                *state = State::Starting;
            }
            idle
        });
        if idle {
            tokio::spawn(self.clone().follow(engine.clone()));
        }
        receiver
    }

    /// Waits while the feed begins to be followed, so that a write after a subscription is an update for it.
    pub(crate) async fn ready(&self) {
        if *self.state.borrow() == State::Starting {
            // The sender is ours: it cannot be gone.
            let _ = self.state.subscribe().wait_for(|state| *state != State::Starting).await;
        }
    }

    async fn follow(self, engine: Engine) {
        let mut silent = false;
        loop {
            let followed = engine.follow(None).await;
            // Nobody is kept waiting by a feed that cannot be followed.
            self.state.send_replace(State::Following);
            let mut follower = match followed {
                Ok(follower) => follower,
                Err(error) => {
                    if !std::mem::replace(&mut silent, true) {
                        tracing::warn!(%error, "the feed cannot be followed; subscriptions stay silent until it can");
                    }
                    if self.deserted() {
                        return;
                    }
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            };
            if std::mem::take(&mut silent) {
                let _ = self.updates.send(Update::Everything);
            }
            let failed = loop {
                match follower.next().await {
                    Ok(changes) => self.publish(&changes),
                    Err(error) => break error,
                }
                if self.deserted() {
                    return;
                }
            };
            tracing::warn!(error = %failed, "following the feed failed; trying again");
            tokio::time::sleep(RETRY).await;
            let _ = self.updates.send(Update::Everything);
        }
    }

    fn publish(&self, changes: &Changes) {
        // Without subscribers nothing is received, which is no fault.
        if changes.reset {
            let _ = self.updates.send(Update::Everything);
        }
        let mut told: Vec<Uuid> = Vec::new();
        for session in changes.events.iter().filter_map(|entry| entry.stream.session()) {
            if told.contains(&session) {
                continue;
            }
            told.push(session);
            let todos =
                |change: &runsheet_engine::Change| change.key == "todos" && change.session.session() == Some(session);
            let todos = changes.changes.iter().any(todos);
            let _ = self.updates.send(Update::Session { session, todos });
        }
    }

    /// Stops when nobody listens. Under the state's lock, so that a subscriber either is seen or starts anew.
    fn deserted(&self) -> bool {
        self.state.send_if_modified(|state| {
            let deserted = self.updates.receiver_count() == 0;
            if deserted {
                *state = State::Idle;
            }
            deserted
        })
    }
}
