//! What a session is held to, as the configuration says.

use std::sync::Arc;

use runsheet_core::dialect::{self, Dialect, ListBounds, Rules, ToolSpec};
use tokio::sync::watch;

/// The settings of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The dialect offered.
    pub dialect: &'static str,
    /// `todo.allow_parallel_in_progress`; `None` is unset.
    pub allow_parallel_in_progress: Option<bool>,
    /// How big a list may be.
    pub bounds: ListBounds,
    /// `mcp.anonymous = share`: calls over stateless HTTP that name no session share one.
    pub share_anonymous: bool,
    /// `mcp.structured`: results carry structured content beside their text.
    pub structured: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dialect: dialect::DEFAULT,
            allow_parallel_in_progress: None,
            bounds: ListBounds::default(),
            share_anonymous: false,
            structured: false,
        }
    }
}

/// Where settings come from; they may change while the program runs.
pub trait SettingsSource: Send + Sync {
    /// The settings of a session in a folder.
    fn settings(&self, cwd: Option<&str>) -> Arc<Settings>;

    /// Counts up whenever settings changed.
    fn changed(&self) -> watch::Receiver<u64>;
}

/// Settings that never change.
#[derive(Debug)]
pub struct FixedSettings(Arc<Settings>, watch::Sender<u64>);

impl FixedSettings {
    /// The same settings everywhere.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self(Arc::new(settings), watch::Sender::new(0))
    }
}

impl SettingsSource for FixedSettings {
    fn settings(&self, _: Option<&str>) -> Arc<Settings> {
        Arc::clone(&self.0)
    }

    fn changed(&self) -> watch::Receiver<u64> {
        self.1.subscribe()
    }
}

/// The tools a session was offered. A call is judged by the tools its session last listed, whatever the settings became
/// since.
#[derive(Clone)]
pub struct Toolset {
    /// The settings they were made from.
    pub settings: Arc<Settings>,
    /// Their dialect.
    pub dialect: &'static dyn Dialect,
    /// What lists are held to.
    pub rules: Rules,
}

impl Toolset {
    /// The tools under some settings.
    ///
    /// # Panics
    /// When the settings name no dialect; whoever makes settings checks the name.
    #[must_use]
    pub fn new(settings: Arc<Settings>) -> Self {
        let dialect = dialect::dialect(settings.dialect).expect("the configuration refuses names that are no dialect");
        let rules = Rules { parallel: dialect.parallel(settings.allow_parallel_in_progress), bounds: settings.bounds };
        Self { settings, dialect, rules }
    }

    /// The tools as the model is offered them.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.dialect.tools(&self.rules)
    }
}

impl std::fmt::Debug for Toolset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Toolset").field("dialect", &self.dialect.name()).field("rules", &self.rules).finish()
    }
}
