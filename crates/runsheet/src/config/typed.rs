//! The values, typed: what the rest of the program is handed.

use std::{net::IpAddr, path::PathBuf};

use runsheet_core::dialect::{self, ListBounds};
use runsheet_engine::Settings;

use super::{
    error::{ConfigError, Fault},
    keys::Value,
    load::{Entry, Environment, Origin},
    paths,
};

/// The configuration of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// What sessions are held to.
    pub(crate) settings: Settings,
    /// The store.
    pub(crate) store: StoreConfig,
    /// The HTTP listener.
    pub(crate) serve: ServeConfig,
    /// The most MCP sessions over HTTP.
    pub(crate) max_sessions: usize,
    /// The longest MCP message.
    pub(crate) max_body_bytes: usize,
}

/// The store.
#[derive(Clone, Debug)]
pub(crate) struct StoreConfig {
    /// Where it is; empty where there is no place for it (see [`StoreConfig::placed`]).
    pub(crate) path: PathBuf,
    /// Whether a success survives a loss of power.
    pub(crate) full_durability: bool,
    /// Whether it is elsewhere than by default because a flag says so.
    pub(crate) by_flag: bool,
}

/// The HTTP listener.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServeConfig {
    /// Its address.
    pub(crate) bind: IpAddr,
    /// Its port.
    pub(crate) port: u16,
}

impl StoreConfig {
    /// Whether there is a place for the store: without a home folder, none is by default.
    pub(crate) fn placed(&self) -> Result<(), ConfigError> {
        match self.path.as_os_str().is_empty() {
            true => Err(ConfigError { origin: Origin::Default, fault: Fault::NoHome { name: "store.path" } }),
            false => Ok(()),
        }
    }
}

impl Config {
    /// The typed values. The table has checked each, so what a key leaves open is its default.
    pub(crate) fn new(entries: &[Entry], env: &Environment) -> Self {
        let entry = |name: &str| entries.iter().find(|entry| entry.key.name == name);
        let value = |name: &str| entry(name).and_then(|entry| entry.value.as_ref());
        let flag = |name: &str| matches!(value(name), Some(Value::Bool(true)));
        let text = |name: &str| match value(name) {
            Some(Value::Text(text)) => text.as_str(),
            _ => "",
        };
        let number = |name: &str| match value(name) {
            Some(Value::Integer(number)) => usize::try_from(*number).unwrap_or(usize::MAX),
            _ => 0,
        };
        let path = match text("store.path") {
            "" => paths::default_store(env),
            path => match path.strip_prefix("~/") {
                Some(below) => paths::home(env).map(|home| home.join(below)),
                None => Some(path.into()),
            },
        };
        Self {
            settings: Settings {
                dialect: dialect::dialect(text("todo.dialect")).map_or(dialect::DEFAULT, |dialect| dialect.name()),
                allow_parallel_in_progress: value("todo.allow_parallel_in_progress")
                    .map(|_| flag("todo.allow_parallel_in_progress")),
                bounds: ListBounds {
                    max_items: number("todo.max_items"),
                    max_item_bytes: number("todo.max_item_bytes"),
                    max_list_bytes: number("todo.max_list_bytes"),
                    max_depth: number("todo.max_depth"),
                },
                share_anonymous: text("mcp.anonymous") == "share",
                structured: flag("mcp.structured"),
            },
            store: StoreConfig {
                path: path.unwrap_or_default(),
                full_durability: text("store.durability") == "full",
                by_flag: entry("store.path").is_some_and(|entry| matches!(entry.origin, Origin::Flag(_))),
            },
            serve: ServeConfig {
                bind: text("serve.bind").parse().unwrap_or(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST)),
                port: u16::try_from(number("serve.port")).unwrap_or_default(),
            },
            max_sessions: number("mcp.max_sessions"),
            max_body_bytes: number("mcp.max_body_bytes"),
        }
    }
}
