//! The configuration: defaults, the user's file, the project's file, the environment, flags; later ones win.
//!
//! [`keys`] is the one table of what can be set. A [`Loader`] reads the layers for a folder and gives a [`Resolved`]:
//! each key's value and where it came from, and the typed [`Config`] the rest of the program is handed.

mod error;
mod file;
pub(crate) mod keys;
mod live;
mod load;
mod nearest;
mod paths;
mod typed;

pub(crate) use error::ConfigError;
pub(crate) use live::LiveSettings;
pub(crate) use load::{Environment, Loader, Resolved};
pub(crate) use typed::{Config, StoreConfig};
