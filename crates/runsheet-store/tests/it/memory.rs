//! The in-memory store passes the suite.

use std::sync::Arc;

use runsheet_core::log::Vocabulary;
use runsheet_store::{MemoryStore, Store};

fn make(vocabulary: Arc<Vocabulary>) -> Arc<dyn Store> {
    Arc::new(MemoryStore::new(vocabulary))
}

runsheet_store::conformance!(make);
