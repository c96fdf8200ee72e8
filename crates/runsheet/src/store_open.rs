//! The one place that knows which store the program uses.

use std::{io, path::Path, sync::Arc};

use runsheet_engine::{Engine, Opener, SettingsSource, SystemClock};
use runsheet_store::{Access, Durability, SqliteOptions, SqliteStore, Store};

use crate::{config::StoreConfig, fault::Fault};

/// What a command does to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It only reads; the store must be there.
    Read,
    /// It writes; the store is made where there is none.
    Write,
}

/// An engine over the configured store, which is opened meanwhile.
pub(crate) fn engine(store: &StoreConfig, r#use: Use, settings: Arc<dyn SettingsSource>) -> Engine {
    let vocabulary = runsheet_core::vocabulary();
    let options = SqliteOptions {
        access: if r#use == Use::Read { Access::ReadOnly } else { Access::Create },
        durability: if store.full_durability { Durability::Full } else { Durability::Normal },
        ..SqliteOptions::new(Arc::clone(vocabulary))
    };
    let path = store.path.clone();
    let opener: Opener =
        Box::new(move || SqliteStore::open(&path, options.clone()).map(|store| Arc::new(store) as Arc<dyn Store>));
    Engine::start(opener, Arc::clone(vocabulary), Arc::new(SystemClock), settings)
}

/// Whether there is a store to read. What cannot be told is left to the opening, which then says why.
pub(crate) fn is_there(store: &StoreConfig) -> bool {
    !matches!(store.path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound)
}

/// The failure of a command that needs a store where there is none.
pub(crate) fn missing(path: &Path) -> Fault {
    Fault::not_found(format!("there is no store at {}", path.display()))
        .hint("an agent's first list makes it; `runsheet` shows how to connect one")
}
