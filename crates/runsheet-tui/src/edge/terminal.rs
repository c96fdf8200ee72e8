//! The terminal: taken over, and given back however the program ends.

use std::{
    io::{self, Stdout, Write},
    sync::Once,
    thread::{self, ThreadId},
};

use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor::{Hide, Show},
        event::{DisableMouseCapture, EnableMouseCapture},
        execute, queue,
        style::Print,
        terminal::{
            BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, SetTitle,
            disable_raw_mode, enable_raw_mode,
        },
    },
};

use crate::{model::Model, view};

/// Puts the terminal's title on its stack, and takes it back. Terminals without a stack pass over it.
const KEEP_TITLE: &str = "\x1b[22;0t";
const GIVE_TITLE_BACK: &str = "\x1b[23;0t";

/// The terminal while it is ours.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    title: String,
}

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn open(mouse: bool) -> io::Result<Self> {
        restore_on_panic(thread::current().id());
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        enable_raw_mode()?;
        // From here on, leaving this function gives the terminal back.
        let screen = Self { terminal, title: String::new() };
        let mut out = io::stdout();
        execute!(out, Print(KEEP_TITLE), EnterAlternateScreen, Hide)?;
        if mouse {
            execute!(out, EnableMouseCapture)?;
        }
        Ok(screen)
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        self.terminal.size().map(|size| (size.width, size.height))
    }

    /// Draws what has changed.
    pub(crate) fn draw(&mut self, model: &Model) -> io::Result<()> {
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        let title = model.title();
        if title != self.title {
            queue!(io::stdout(), SetTitle(&title))?;
            self.title = title;
        }
        self.terminal.draw(|frame| view::draw(model, frame.area(), frame.buffer_mut()))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back. One that is gone cannot be told so.
fn restore() {
    let mut out = io::stdout();
    _ = execute!(out, DisableMouseCapture, EndSynchronizedUpdate, LeaveAlternateScreen, Show, Print(GIVE_TITLE_BACK));
    _ = out.flush();
    _ = disable_raw_mode();
}

/// A panic of the thread that draws gives the terminal back before it is told. Others are handled where they happen.
fn restore_on_panic(drawing: ThreadId) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == drawing {
                restore();
            }
            before(panic);
        }));
    });
}
