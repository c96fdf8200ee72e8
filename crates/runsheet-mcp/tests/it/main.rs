//! The server through its two transports, with clients of both eras.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod call;
mod files;
mod host;
mod hostile;
mod http;
mod http_bounds;
mod identity;
mod list_changed;
mod order;
mod peer;
mod resources;
mod tools;
mod web;
