//! One suite that every store passes.
//!
//! [`CASES`] are transcripts, replayed by [`check`] over a fresh store; [`laws`] are what a transcript cannot say. The
//! macro [`conformance!`](crate::conformance) makes a test of each.

mod cases;
pub mod laws;
pub mod script;
mod vocabulary;

use std::sync::Arc;

use runsheet_core::log::{Recorded, StreamId, Vocabulary};

pub use cases::{CASES, Case};
pub use vocabulary::{Header, Mark, Note, TYPES, vocabulary};

use crate::{EventLog, Select, Store};

/// Makes a fresh, empty store that checks against a vocabulary, with default bounds.
pub type Make<'a> = &'a dyn Fn(Arc<Vocabulary>) -> Arc<dyn Store>;

/// Replays every case, each over a fresh store.
///
/// # Panics
/// When an answer is another than its transcript says; names all such cases, with what the store said.
pub async fn check(make: Make<'_>) {
    let mut wrong = String::new();
    for Case { name, transcript } in CASES {
        let vocabulary = vocabulary();
        let mut script = script::Script::new(make(Arc::clone(&vocabulary)), vocabulary);
        let found = script.replay(transcript).await;
        if found != transcript.trim_start_matches('\n') {
            wrong.push_str(&format!("== {name}, as the store says it:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Reads a whole stream in pages and asserts that a fold's state never grows beyond a limit: `size_after` folds one
/// event and gives the size. Projections are bounded by what writes allow, not by how many there were.
///
/// # Panics
/// When it does, or when the stream cannot be read.
pub async fn stays_bounded(
    log: &dyn EventLog,
    stream: StreamId,
    limit: usize,
    mut size_after: impl FnMut(&Recorded) -> usize,
) {
    let mut from = 0;
    loop {
        let page = log.read(stream.clone(), Select::from(from)).await.expect("the stream can be read");
        for event in &page.events {
            let size = size_after(event);
            assert!(size <= limit, "after event {} (`{}`) the state has {size}, at most {limit}", event.seq, event.ty);
            from = event.seq + 1;
        }
        if !page.more {
            return;
        }
    }
}

/// Makes tests of the whole suite for a store: `conformance!(|vocabulary| …)`, with a function from a vocabulary to a
/// fresh `Arc<dyn Store>`. The tests need tokio with `macros` and `rt`.
#[macro_export]
macro_rules! conformance {
    ($make:expr) => {
        #[tokio::test]
        async fn transcripts() {
            $crate::testkit::check(&$make).await;
        }

        $crate::conformance!(@laws $make;
            nothing_comes_between a_decision_that_panics_harms_nobody the_doorbell_rings
            cursors_are_texts_and_foreign_ones_are_refused the_last_to_leave_is_told one_writer_owns_a_session
            a_closed_store_says_so many_at_once_leave_no_gap inherited_ids_are_known_to_a_decision
            caches_come_with_a_decision);
    };
    (@laws $make:expr; $($law:ident)*) => {
        $(
            #[tokio::test]
            async fn $law() {
                $crate::testkit::laws::$law(&$make).await;
            }
        )*
    };
}
