//! Keys, the mouse and the terminal's size.

use std::{io, thread};

use ratatui::crossterm::event::{self, Event as Input};
use tokio::sync::mpsc;

use crate::model::Event;

/// Reads on a thread of its own, which ends with the program: a read cannot be called off.
pub(crate) fn start(events: mpsc::Sender<Event>) -> io::Result<()> {
    let read = move || {
        while let Ok(input) = event::read() {
            let event = match input {
                Input::Key(key) => Event::Key(key),
                Input::Mouse(mouse) => Event::Mouse(mouse),
                Input::Resize(columns, rows) => Event::Resize(columns, rows),
                _ => continue,
            };
            if events.blocking_send(event).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("runsheet-keys".into()).spawn(read).map(drop)
}
