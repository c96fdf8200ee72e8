//! The terminal UI of Runsheet: every session, its list and its timeline, live.
//!
//! A [`Model`] takes [`Event`]s and asks for [`Effect`]s; [`draw`] says how it looks. Both are pure. Around them is a thin
//! edge: the terminal, its keys, and a feed that reads the engine.

#![warn(missing_docs)]

mod edge;
mod look;
mod model;
mod view;
mod wrap;

pub use edge::watch;
pub use look::Look;
pub use model::{
    Changed, Earlier, Effect, Entry, Event, Focus, Kind, Line, MAX_ENTRIES, MAX_SESSIONS, Model, Open, Outcome,
    Overlay, Part, Plan, Reader, Row, Sessions, Setup, Timeline, Want, Wrote, is_main_list, project_name,
};
pub use view::{Areas, draw};
