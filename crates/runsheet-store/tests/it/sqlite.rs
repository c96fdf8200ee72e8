//! The SQLite store passes the suite.

use std::sync::Arc;

use runsheet_core::log::Vocabulary;
use runsheet_store::{SqliteOptions, SqliteStore, Store};

/// Leaves the folder to the end of the process: the suite only has the store in hand.
fn make(vocabulary: Arc<Vocabulary>) -> Arc<dyn Store> {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = SqliteStore::open(folder.join("store.db"), SqliteOptions::new(vocabulary));
    Arc::new(store.expect("it opens"))
}

runsheet_store::conformance!(make);
