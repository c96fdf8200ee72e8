//! The MCP server of Runsheet, over stdio and streamable HTTP.
//!
//! An edge: it alone knows MCP's wire, and it knows nothing else. A tool call becomes a [`Caller`] and a piece of JSON
//! text for [`Engine::call_tool`], whose outcome becomes the result; a resource is one of the engine's reports. Both
//! protocol eras are served by one handler: 2026-07-28 (stateless, `server/discover`, `subscriptions/listen`) and the
//! versions with a handshake before it.
//!
//! [`Caller`]: runsheet_engine::Caller
//! [`Engine::call_tool`]: runsheet_engine::Engine::call_tool

#![warn(missing_docs)]

mod call;
mod caller;
mod connection;
mod error;
mod handler;
mod http;
mod hub;
mod listen;
mod offer;
mod options;
mod resources;
mod server;
mod stdio;
mod subscribe;
mod ticket;
mod wire;

pub use error::McpError;
pub use http::http_router;
pub use options::{HttpOptions, McpOptions, StdioProcess};
pub use server::McpServer;
pub use stdio::{StdioReader, StdioWriter, open_stdio, serve_stdio};
