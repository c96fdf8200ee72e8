//! The commands, one a file.

use std::sync::Arc;

use runsheet_engine::{Engine, FixedSettings};
use runsheet_mcp::McpOptions;

use crate::{
    config::{Config, LiveSettings},
    descriptors,
    fault::Fault,
    principal, resolve,
    store_open::{self, Use},
};

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod log;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod screen;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod statusline;
pub(crate) mod verify;
pub(crate) mod watch;

/// An engine for a command that reads; a fault where there is no store.
fn reading(config: &Config) -> Result<Engine, Fault> {
    if !store_open::is_there(&config.store) {
        return Err(store_open::missing(&config.store.path));
    }
    Ok(brief(config, Use::Read))
}

/// An engine for a command that is soon over, so that no setting changes meanwhile.
fn brief(config: &Config, r#use: Use) -> Engine {
    store_open::engine(&config.store, r#use, Arc::new(FixedSettings::new(config.settings.clone())))
}

/// An engine for a command that goes on: its settings follow their files. And what its MCP server is told.
fn long(context: resolve::Context) -> (Engine, McpOptions) {
    let resolve::Context { resolved, loader, folder } = context;
    let mut options = McpOptions::new(principal::principal());
    options.max_line_bytes = resolved.config.max_body_bytes;
    let settings = LiveSettings::new(loader, folder.as_deref(), &resolved);
    settings.watch();
    let engine = store_open::engine(&resolved.config.store, Use::Write, settings);
    // Each session served takes one; the other half is for connections and the store.
    engine.serve_at_once(descriptors::raise() / 2);
    (engine, options)
}
