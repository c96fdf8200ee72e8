//! `title`: what a session is called.

use serde::{Deserialize, Serialize};

use super::unit::Projection;
use crate::log::{ContentBlock, EventData, Recorded, SessionTitle, UserMessage, read};

/// The longest title, in characters.
const MAX_CHARS: usize = 120;

/// The projection `title`: the last `session/title`, until then the first line a person said.
#[derive(Debug)]
pub struct Title;

/// The state of [`Title`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TitleState {
    title: Option<String>,
    given: bool,
}

impl TitleState {
    /// The title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Folds one event; says whether the title changed.
    pub(super) fn apply(&mut self, event: &Recorded) -> bool {
        let before = self.title.clone();
        if let Some(SessionTitle { title }) = read(event) {
            self.title = line(&title);
            self.given = self.title.is_some();
        } else if !self.given
            && self.title.is_none()
            && let Some(UserMessage { content }) = read(event)
        {
            self.title = content.iter().find_map(|ContentBlock::Text { text }| line(text));
        }
        self.title != before
    }
}

/// The first line with something on it, bounded.
fn line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(MAX_CHARS).collect())
}

impl Projection for Title {
    const KEY: &'static str = "title";
    const VERSION: u32 = 1;
    const TYPES: &'static [&'static str] = &[SessionTitle::TYPE, UserMessage::TYPE];
    type State = TitleState;
    type View<'a> = Option<&'a str>;

    fn apply(state: &mut TitleState, event: &Recorded) -> bool {
        state.apply(event)
    }

    fn view(state: &TitleState) -> Option<Option<&str>> {
        Some(state.title())
    }
}
