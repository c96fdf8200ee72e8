//! A session on one line, as `ls` and the first screen show it.

use std::io::{self, Write};

use runsheet_core::{log::Time, projection::SessionState};
use runsheet_engine::{ListEntry, age, words};

use crate::{
    table::{Cell, Table},
    term::{Look, Term},
};

/// How many letters of an id are shown at least.
const LEAST_ID: usize = 8;

/// The look of a state. It never says more than the glyph and the word do.
pub(crate) const fn look(state: SessionState) -> Look {
    match state {
        SessionState::Working => Look::Blue,
        SessionState::Waiting | SessionState::Stalled => Look::Yellow,
        SessionState::Done => Look::Green,
        SessionState::Paused | SessionState::Idle | SessionState::Unknown => Look::Dim,
    }
}

/// A folder, from home on.
pub(crate) fn folder(cwd: &str) -> String {
    words::folder(cwd, std::env::home_dir().filter(|home| home.is_absolute()).as_deref())
}

/// Writes sessions as a table.
pub(crate) fn write(
    out: &mut dyn Write,
    term: &Term,
    now: Time,
    sessions: &[ListEntry],
    indent: &str,
) -> io::Result<()> {
    let ids: Vec<String> = sessions.iter().map(|entry| entry.session.to_string()).collect();
    let shown = shown_letters(&ids);
    let mut table = Table::yielding(3);
    for (entry, id) in sessions.iter().zip(&ids) {
        let runs = entry.running.as_deref().filter(|_| entry.counts.open() > 0);
        table.row(vec![
            Cell::looking(&entry.state.glyph().to_string(), look(entry.state)),
            Cell::looking(&words::state(entry.state, &entry.counts), look(entry.state)),
            Cell::new(&words::progress(&entry.counts)),
            Cell::new(runs.or(entry.title.as_deref()).unwrap_or_default()),
            Cell::new(&words::agent(&entry.agent.name, entry.agent.version.as_deref())),
            Cell::new(&entry.cwd.as_deref().map(folder).unwrap_or_default()),
            Cell::looking(&id[..shown], Look::Dim),
            Cell::looking(&age(now, entry.updated), Look::Dim),
        ]);
    }
    table.write(out, term, indent)
}

/// How many letters tell these ids apart.
fn shown_letters(ids: &[String]) -> usize {
    let mut sorted: Vec<&str> = ids.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let common = |pair: &[&str]| pair[0].bytes().zip(pair[1].bytes()).take_while(|(a, b)| a == b).count();
    let needed = sorted.windows(2).map(|pair| common(pair) + 1).max().unwrap_or(0).max(LEAST_ID);
    // A uuid is as long as any other; the end of one is not cut at its hyphen.
    needed.min(sorted.first().map_or(0, |id| id.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_shown_as_far_as_they_differ() {
        for (ids, letters) in [
            (&[][..], 0),
            (&["01a22e40-26dd-7a92-b3cb-23e13c9d2a29"], 8),
            (&["01a22e40-26dd-7a92-b3cb-23e13c9d2a29", "a1a22e40-26dd-7a92-b3cb-23e13c9d2a29"], 8),
            (&["01a22e40-26dd-7a92-b3cb-23e13c9d2a29", "01a22e40-26de-7a92-b3cb-23e13c9d2a29"], 13),
        ] {
            let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
            assert_eq!(shown_letters(&ids), letters, "{ids:?}");
        }
    }
}
