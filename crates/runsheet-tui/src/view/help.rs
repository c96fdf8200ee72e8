//! What the keys do, and what the glyphs mean.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::{Block, Clear, Widget},
};
use runsheet_core::projection::SessionState;

use crate::model::Model;

const KEYS: &[(&str, &str)] = &[
    ("j k ↓ ↑", "move"),
    ("PgDn PgUp", "move by a page"),
    ("g G", "to the beginning, to the end"),
    ("enter", "open a session, read an entry in full"),
    ("esc h", "back"),
    ("tab", "next pane"),
    ("t", "the plan alone, with all its text"),
    ("[ ]", "the list as earlier writes left it"),
    ("/", "filter sessions"),
    ("? q", "this help, quit"),
];

const STATES: &[(SessionState, &str)] = &[
    (SessionState::Working, "working"),
    (SessionState::Waiting, "waiting for you"),
    (SessionState::Stalled, "no sign of life"),
    (SessionState::Paused, "ended, items open"),
    (SessionState::Done, "done"),
    (SessionState::Idle, "nothing open"),
    (SessionState::Unknown, "not enough facts"),
];

/// Draws the help above everything.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    let mut lines: Vec<Line<'_>> = KEYS
        .iter()
        .map(|(keys, what)| Line::from(vec![Span::styled(format!(" {keys:<10} "), look.bold()), Span::raw(*what)]))
        .collect();
    lines.push(Line::default());
    for pair in STATES.chunks(2) {
        let mut spans = Vec::new();
        for (state, word) in pair {
            spans.push(Span::styled(format!(" {} ", state.glyph()), look.state(*state)));
            spans.push(Span::raw(format!("{word:<20}")));
        }
        lines.push(Line::from(spans));
    }
    lines.push(Line::from(" items: ○ pending  ● in progress  ✓ done  ⊘ cancelled"));
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let columns = 58.min(area.width);
    let area = Rect {
        x: area.x + (area.width - columns) / 2,
        y: area.y + (area.height - rows) / 2,
        width: columns,
        height: rows,
    };
    Clear.render(area, buffer);
    let block = Block::bordered().border_style(look.accent()).title(" Keys ");
    let inner = block.inner(area);
    block.render(area, buffer);
    for (at, line) in (0..inner.height).zip(lines) {
        buffer.set_line(inner.x, inner.y + at, &line, inner.width);
    }
}
