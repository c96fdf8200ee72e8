//! The harness of the end-to-end tests: a scripted model, launchers for the clients people run, and one
//! [`check`](check::check) that says what a run must leave in the store.
//!
//! Nothing here knows the inside of Runsheet: it starts the built binary and reads what its commands print.
//! A harness speaks by panicking with a sentence, because its only callers are tests.
#![expect(clippy::print_stderr, reason = "what a failed test leaves is named in its output")]

pub mod check;
pub mod client;
pub mod model;
pub mod namespace;
pub mod pins;
pub mod process;
pub mod runsheet;
pub mod sandbox;
pub mod testers;
pub mod tmux;
pub mod todos;
