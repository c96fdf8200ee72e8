//! What the model hears of, and what it asks for.

use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use runsheet_core::{
    log::{Recorded, Seq, Time},
    projection::Fold,
};
use uuid::Uuid;

use super::{
    sessions::Row,
    timeline::{Part, Want},
};

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// Time went on.
    Tick(Time),
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The terminal has another size.
    Resize(u16, u16),
    /// There is no store yet.
    NoStore,
    /// The list was read; whether there are more sessions than it holds.
    Listed(Vec<Row>, bool),
    /// Events were written.
    Happened {
        /// Their sessions, as they are now.
        rows: Vec<Row>,
        /// The events, in the order they were committed.
        events: Vec<(Uuid, Recorded)>,
    },
    /// A session's projections.
    Folded(Uuid, Box<Fold>),
    /// A part of a session's history.
    History(Uuid, Want, Part),
    /// A list as an earlier write left it; `None` where there is no further one.
    Write(Uuid, Option<Recorded>),
    /// Events, to be read in full.
    Details(Vec<Recorded>),
    /// A session cannot be read.
    Unreadable(Uuid, String),
    /// Nothing can be read at the moment, and why; `None` once all is well again.
    Trouble(Option<String>),
    /// Events may have been missed: what is held is read again.
    Reset,
}

/// Something to be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read the list.
    List,
    /// Read a session from its end: projections and history.
    Open(Uuid),
    /// Read a session's projections.
    Fold(Uuid),
    /// Read a part of a session's history.
    History(Uuid, Want),
    /// Read the write of a list before (or after) an event.
    Write {
        /// The session.
        session: Uuid,
        /// The event.
        from: Seq,
        /// Whether the write after it is wanted.
        later: bool,
    },
    /// Read events in full.
    Details(Uuid, Vec<Seq>),
    /// See whether anybody still serves these sessions.
    Look(Vec<Uuid>),
    /// The end.
    Quit,
}
