//! The application layer of Runsheet: what every host calls.
//!
//! A host hands over a [`Caller`] and a tool call; the [`Engine`] finds whose call it is, decodes it in the session's
//! dialect, appends what came of it in one durable step and gives back what the model is told. Whoever watches gets
//! [`Change`]s once a change is durable, whichever process made it. The engine alone joins the pure core and a store.

#![warn(missing_docs)]

mod age;
mod call;
mod caller;
mod clock;
mod edit;
mod engine;
mod error;
pub mod escape;
mod feed;
mod fork;
mod hook;
mod identity;
mod metrics;
mod opening;
mod presence;
mod report;
mod session;
mod settings;
mod transfer;
mod verify;
pub mod words;

pub use age::age;
pub use call::ToolOutcome;
pub use caller::{Caller, Client, CodexThread, SessionHints, is_id};
pub use clock::{Clock, SystemClock};
pub use edit::{EditError, Edited};
pub use engine::Engine;
pub use error::EngineError;
pub use feed::{Change, Changes, Follower};
pub use hook::PreToolUse;
pub use identity::Owner;
pub use metrics::{BUCKETS_US, EngineMetrics, Histogram};
pub use opening::Opener;
pub use report::{AgentReport, ListEntry, ListReport, PlanReport, ScopeItem, ScopeList, ShowReport};
pub use runsheet_core as core;
pub use runsheet_store as store;
pub use settings::{FixedSettings, Settings, SettingsSource, Toolset};
pub use transfer::{ExportReport, ImportReport, Line};
pub use verify::{Finding, Verified};
