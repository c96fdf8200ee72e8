//! What output goes to: a terminal with colours and a width, or a file or program that wants neither.

use std::{
    borrow::Cow,
    io::{self, IsTerminal},
};

/// A look of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Dim,
    Bold,
    Red,
    Green,
    Yellow,
    Blue,
}

impl Look {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Dim => "2",
            Self::Bold => "1",
            Self::Red => "31",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Blue => "34",
        }
    }
}

/// Where text goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    colour: bool,
    /// The columns there are; `None` where lines may be as long as they like.
    pub(crate) columns: Option<usize>,
}

impl Term {
    /// Standard output.
    pub(crate) fn stdout() -> Self {
        let terminal = io::stdout().is_terminal();
        let size = || rustix::termios::tcgetwinsize(io::stdout()).ok();
        let columns = terminal.then(size).flatten().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
        Self { colour: terminal && wants_colour(), columns }
    }

    /// What wants no looks.
    pub(crate) const fn plain() -> Self {
        Self { colour: false, columns: None }
    }

    /// Standard error.
    pub(crate) fn stderr() -> Self {
        Self { colour: io::stderr().is_terminal() && wants_colour(), columns: None }
    }

    /// The text in a look, where looks are wanted.
    pub(crate) fn paint<'a>(&self, look: Look, text: &'a str) -> Cow<'a, str> {
        if !self.colour || look == Look::Plain || text.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(format!("\x1b[{}m{text}\x1b[0m", look.code()))
    }
}

/// <https://no-color.org>: a variable that is set and not empty.
pub(crate) fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether the terminal shows more than ASCII, as the locale says; one that says nothing is taken for a modern one.
pub(crate) fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os).find(|set| !set.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
