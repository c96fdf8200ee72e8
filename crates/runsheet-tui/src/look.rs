//! How text looks. A colour never says what a glyph or a word does not say too.

use ratatui::style::{Color, Modifier, Style};
use runsheet_core::{projection::SessionState, todo::Status};

/// What the terminal and the person allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether there are colours. They are the terminal's own sixteen, so that they fit its background.
    pub colour: bool,
    /// Whether only ASCII can be shown.
    pub ascii: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { colour: true, ascii: false }
    }
}

impl Look {
    fn coloured(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// The accent.
    #[must_use]
    pub fn accent(self) -> Style {
        self.coloured(Color::Blue).add_modifier(Modifier::BOLD)
    }

    /// What failed.
    #[must_use]
    pub fn bad(self) -> Style {
        self.coloured(Color::Red)
    }

    /// What somebody should see.
    #[must_use]
    pub fn warn(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// What is less important.
    #[must_use]
    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What stands out.
    #[must_use]
    pub fn bold(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is selected: in the pane that keys act on, and elsewhere.
    #[must_use]
    pub fn selected(self, focused: bool) -> Style {
        Style::new().add_modifier(if focused { Modifier::REVERSED } else { Modifier::UNDERLINED })
    }

    /// A session's state.
    #[must_use]
    pub fn state(self, state: SessionState) -> Style {
        match state {
            SessionState::Working => self.accent(),
            SessionState::Waiting | SessionState::Stalled => self.warn().add_modifier(Modifier::BOLD),
            SessionState::Done => self.coloured(Color::Green),
            SessionState::Paused | SessionState::Idle | SessionState::Unknown => self.dim(),
        }
    }

    /// An item's glyph, and its text.
    #[must_use]
    pub fn item(self, status: Status) -> (Style, Style) {
        match status {
            Status::Pending => (self.dim(), Style::new()),
            Status::InProgress => (self.accent(), self.bold()),
            Status::Completed => (self.coloured(Color::Green), self.dim()),
            Status::Cancelled => (self.dim(), self.dim().add_modifier(Modifier::CROSSED_OUT)),
        }
    }
}
