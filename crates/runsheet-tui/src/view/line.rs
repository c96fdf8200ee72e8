//! One line of a pane.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};
use runsheet_engine::escape;

/// A line: what stands first, a text that gives way where there is no room, and what stands at the right and is never
/// cut.
pub(super) struct Spread<'a> {
    pub(super) first: Vec<Span<'a>>,
    pub(super) text: &'a str,
    pub(super) style: Style,
    pub(super) last: Vec<Span<'a>>,
}

impl Spread<'_> {
    /// Draws it on the first row of an area. The text is foreign and is escaped here; the rest has been.
    pub(super) fn draw(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let columns = usize::from(area.width);
        let width = |spans: &[Span<'_>]| spans.iter().map(|span| escape::width(&span.content)).sum::<usize>();
        let (first, last) = (width(&self.first), width(&self.last));
        let gap = usize::from(last > 0);
        let room = columns.saturating_sub(first + last + gap);
        let text = escape::line(self.text);
        let text = escape::clip(&text, room);
        let pad = columns.saturating_sub(first + escape::width(&text) + last);
        let mut spans = self.first;
        spans.push(Span::styled(text, self.style));
        spans.push(Span::raw(" ".repeat(pad)));
        spans.extend(self.last);
        buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
    }
}

/// A row of an area.
pub(super) const fn row(area: Rect, at: u16) -> Rect {
    let rest = area.height.saturating_sub(at);
    Rect { y: area.y.saturating_add(at), height: if rest > 0 { 1 } else { 0 }, ..area }
}
