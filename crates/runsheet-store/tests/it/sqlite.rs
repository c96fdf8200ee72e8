//! The SQLite store passes the suite.

use std::{path::Path, sync::Arc};

use runsheet_core::log::Vocabulary;
use runsheet_store::{SqliteOptions, SqliteStore, Store};

/// Leaves the folder to the end of the process: the suite only has the store in hand.
fn make(vocabulary: Arc<Vocabulary>) -> Arc<dyn Store> {
    let folder = tempfile::tempdir().expect("a folder").keep();
    Arc::new(open(&folder.join("store.db"), vocabulary))
}

pub(crate) fn open(path: &Path, vocabulary: Arc<Vocabulary>) -> SqliteStore {
    SqliteStore::open(path, SqliteOptions::new(vocabulary)).expect("it opens")
}

runsheet_store::conformance!(make);
