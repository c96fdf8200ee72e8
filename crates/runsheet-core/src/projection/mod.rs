//! Projections: what people and programs read, folded from the events.
//!
//! A [`Projection`] is a pure fold with a version. [`UNITS`] lists them in erased form; [`Fold`] holds the state of all of
//! them at one event, so that a snapshot is one cut. A cached state is a shortcut and never the authority: it is
//! dropped when its projection's version changed.

mod activity;
mod catalogue;
mod fold;
mod messages;
mod stats;
mod title;
mod unit;

pub use activity::{ActiveCall, Activity, ActivityState, Child};
pub use catalogue::{AgentView, Catalogue, CatalogueEntry, CatalogueView, SessionState};
pub use fold::{Fold, Snapshot};
pub use messages::Messages;
pub use stats::{Stats, StatsState};
pub use title::{Title, TitleState};
pub use unit::{Cell, Projection, Unit};

use crate::{log::Turns, todo::Todos};

/// The projections of a session whose states are kept between openings. All of them are bounded by what writes allow.
/// The messages of a session are not among them: they are as long as the log, and are folded by page.
pub const UNITS: &[Unit] = &[
    Unit::of::<TurnsUnit>(),
    Unit::of::<Todos>(),
    Unit::of::<Title>(),
    Unit::of::<Stats>(),
    Unit::of::<Catalogue>(),
    Unit::of::<Activity>(),
];

/// `turns`: where the session stands. Every write needs it; no client sees it.
#[derive(Debug)]
pub struct TurnsUnit;

impl Projection for TurnsUnit {
    const KEY: &'static str = "turns";
    const VERSION: u32 = 1;
    const TYPES: &'static [&'static str] = Turns::TYPES;
    const VISIBLE: bool = false;
    type State = Turns;
    type View<'a> = &'a Turns;

    fn apply(state: &mut Turns, event: &crate::log::Recorded) -> bool {
        state.apply(event)
    }

    fn view(state: &Turns) -> Option<&Turns> {
        Some(state)
    }
}
