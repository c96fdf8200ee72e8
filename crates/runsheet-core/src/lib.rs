//! The pure domain of Runsheet.
//!
//! No clock, randomness, file system, network or runtime: time and ids come in as arguments. [`log`] is the spine; the
//! other modules are domains that register their event types with it, folds over it, and the language models speak.

#![warn(missing_docs)]

use std::sync::{Arc, LazyLock};

pub mod dialect;
pub mod log;
pub mod observe;
pub mod plan;
pub mod progress;
pub mod projection;
pub mod task;
pub mod todo;

/// What stands in the `by` of every event this version writes.
pub const BY: &str = concat!("runsheet/", env!("CARGO_PKG_VERSION"));

/// The event types of all domains.
pub const TYPES: &[&[log::TypeSpec]] = &[log::TYPES, todo::TYPES, plan::TYPES, progress::TYPES, task::TYPES];

static VOCABULARY: LazyLock<Arc<log::Vocabulary>> = LazyLock::new(|| Arc::new(log::Vocabulary::new(BY, TYPES)));

/// The vocabulary of this version.
#[must_use]
pub fn vocabulary() -> &'static Arc<log::Vocabulary> {
    &VOCABULARY
}
