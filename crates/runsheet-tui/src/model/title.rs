//! The terminal's title.

use runsheet_engine::{escape, words};

use super::{Model, Plan};

/// The most columns of it.
const COLUMNS: usize = 80;

impl Model {
    /// `n/m · what runs` of the open session, else how many sessions work. Escaped: no text of anybody ends the title
    /// and begins a command.
    #[must_use]
    pub fn title(&self) -> String {
        let open = self.open.as_ref().filter(|_| self.shows_session());
        let said = open.and_then(|open| match open.plan() {
            Plan::Standing(main) if !main.todos.is_empty() => {
                let (glance, others) = words::glance(&main.todos);
                let glance = glance.replacen(' ', " · ", 1);
                let glance = escape::line(&glance).into_owned();
                Some(format!("{}{others}", escape::clip(&glance, COLUMNS - escape::width(&others))))
            }
            _ => None,
        });
        said.unwrap_or_else(|| "runsheet".into())
    }
}
