//! Runsheet over HTTP: the host API under `/api/v1`, its live feed as server-sent events, `/metrics`, and the web client.
//!
//! [`router`] gives all of it over one engine. Who may call what is decided in one place, `trust`; what changes reaches
//! every reader through one follower of the engine, `live`. Whoever accepts the connections tells what they know of the
//! peer with a [`Peer`] in the request's extensions; a request without one counts as remote.

#![warn(missing_docs)]

mod api;
mod app;
mod assets;
mod error;
mod live;
mod metrics;
mod openapi;
mod options;
mod paths;
mod trust;

pub use api::router;
pub use openapi::document as openapi;
pub use options::WebOptions;
pub use trust::{Logins, Peer};
