//! The engine: one per process, over one store.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use runsheet_core::log::{StreamId, Vocabulary};
use runsheet_store::Store;

use crate::{
    clock::Clock,
    error::{EngineError, OPENING},
    metrics::EngineMetrics,
    opening::{Opener, Opening},
    presence::Presence,
    session::Live,
    settings::{SettingsSource, Toolset},
};

/// The application layer over one store. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    opening: Opening,
    vocabulary: Arc<Vocabulary>,
    clock: Arc<dyn Clock>,
    settings: Arc<dyn SettingsSource>,
    sessions: Mutex<HashMap<StreamId, Arc<Live>>>,
    presence: Presence,
    metrics: EngineMetrics,
}

impl Engine {
    /// Starts an engine. The store is opened meanwhile.
    #[must_use]
    pub fn start(
        open: Opener,
        vocabulary: Arc<Vocabulary>,
        clock: Arc<dyn Clock>,
        settings: Arc<dyn SettingsSource>,
    ) -> Self {
        Self(Arc::new(Inner {
            opening: Opening::begin(open),
            vocabulary,
            clock,
            settings,
            sessions: Mutex::default(),
            presence: Presence::default(),
            metrics: EngineMetrics::default(),
        }))
    }

    /// The store, once it is open. A failure is not for ever: whoever asks next has it tried again.
    ///
    /// # Errors
    /// When it could not be opened.
    pub async fn store(&self) -> Result<Arc<dyn Store>, EngineError> {
        let failed = |source| EngineError::Store { operation: OPENING, source };
        self.0.opening.store().await.map_err(failed)
    }

    /// The types this program knows.
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.0.vocabulary
    }

    /// Time and fresh ids.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// Where settings come from.
    #[must_use]
    pub fn settings(&self) -> &dyn SettingsSource {
        &*self.0.settings
    }

    /// The tools a session in a folder is offered now.
    #[must_use]
    pub fn toolset(&self, cwd: Option<&str>) -> Toolset {
        Toolset::new(self.0.settings.settings(cwd))
    }

    /// What this process did.
    #[must_use]
    pub fn metrics(&self) -> &EngineMetrics {
        &self.0.metrics
    }

    /// Bounds how many sessions are served at once, each of which holds a descriptor. One more, and the one silent for
    /// longest is left; it is joined again when it is heard of.
    pub fn serve_at_once(&self, sessions: usize) {
        self.0.presence.bound(sessions);
    }

    pub(crate) fn presence(&self) -> &Presence {
        &self.0.presence
    }

    pub(crate) fn sessions(&self) -> std::sync::MutexGuard<'_, HashMap<StreamId, Arc<Live>>> {
        self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves every session this process serves, ending turns nobody else will, and closes the store. What was
    /// accepted is finished first.
    pub async fn close(&self) {
        // A store that never opened has nothing to close.
        let Some(store) = self.0.opening.last().await else { return };
        self.leave_all().await;
        store.close().await;
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}
