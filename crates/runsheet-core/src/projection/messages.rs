//! `messages`: what the model sees.

use super::unit::Projection;
use crate::log::{Message, Recorded, Surface};

/// The projection `messages`: as long as the log, so it is never cached and no client gets it whole. A host folds it from
/// the last compaction on and serves it by page.
#[derive(Debug)]
pub struct Messages;

impl Projection for Messages {
    const KEY: &'static str = "messages";
    const VERSION: u32 = 1;
    const TYPES: &'static [&'static str] = Surface::TYPES;
    const VISIBLE: bool = false;
    type State = Surface;
    type View<'a> = Vec<&'a Message>;

    fn apply(state: &mut Surface, event: &Recorded) -> bool {
        state.apply(event)
    }

    fn view(state: &Surface) -> Option<Vec<&Message>> {
        Some(state.messages().collect())
    }
}
