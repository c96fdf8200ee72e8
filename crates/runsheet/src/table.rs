//! Aligned columns, by the columns their text takes on a terminal.

use std::io::{self, Write};

use crate::{
    escape,
    term::{Look, Term},
};

/// One cell: foreign text, escaped as it comes in.
pub(crate) struct Cell {
    text: String,
    look: Look,
}

impl Cell {
    /// Plain text.
    pub(crate) fn new(text: &str) -> Self {
        Self::looking(text, Look::Plain)
    }

    /// Text in a look.
    pub(crate) fn looking(text: &str, look: Look) -> Self {
        Self { text: escape::line(text).into_owned(), look }
    }
}

/// Rows of equally many cells.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    /// The column that gives way where the terminal is too narrow.
    yielding: Option<usize>,
}

/// Between columns.
const GAP: usize = 2;
/// What a yielding column keeps at least.
const LEAST: usize = 10;

impl Table {
    /// A table of which one column gives way.
    pub(crate) fn yielding(column: usize) -> Self {
        Self { rows: Vec::new(), yielding: Some(column) }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Writes it, without blanks at line ends.
    pub(crate) fn write(&self, out: &mut dyn Write, term: &Term, indent: &str) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..columns)
            .map(|at| self.rows.iter().filter_map(|row| row.get(at)).map(|cell| escape::width(&cell.text)).max())
            .map(Option::unwrap_or_default)
            .collect();
        if let (Some(room), Some(at)) = (term.columns, self.yielding) {
            let gaps = widths.iter().filter(|width| **width > 0).count().saturating_sub(1) * GAP;
            let taken = indent.len() + gaps + widths.iter().sum::<usize>();
            widths[at] = widths[at].min((widths[at] + room).saturating_sub(taken).max(LEAST));
        }
        for row in &self.rows {
            let mut pad = 0;
            write!(out, "{indent}")?;
            for (cell, width) in row.iter().zip(&widths) {
                if *width == 0 {
                    continue;
                }
                let text = escape::clip(&cell.text, *width);
                if !text.is_empty() {
                    write!(out, "{:pad$}{}", "", term.paint(cell.look, &text))?;
                    pad = 0;
                }
                pad += width - escape::width(&text) + GAP;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
