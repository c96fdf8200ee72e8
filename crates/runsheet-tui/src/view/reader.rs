//! A text in full, above everything else.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::Line,
    widgets::{Block, Clear, Widget},
};

use crate::{
    model::{Model, Reader},
    wrap::wrap,
};

/// Draws the text. Where it was scrolled beyond its end, its end is shown.
pub(super) fn draw(model: &Model, reader: &Reader, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    if area.is_empty() {
        return;
    }
    Clear.render(area, buffer);
    let block = Block::bordered().border_style(look.accent()).title(" j/k scroll · esc close ");
    let inner = block.inner(area);
    block.render(area, buffer);
    let (columns, rows) = (usize::from(inner.width), usize::from(inner.height));
    let wrapped = reader.lines.iter().flat_map(|(heading, line)| {
        let style = if *heading { look.bold() } else { ratatui::style::Style::new() };
        wrap(line, columns, usize::MAX).into_iter().map(move |line| Line::styled(line, style))
    });
    let lines: Vec<_> = wrapped.collect();
    let top = reader.top.min(lines.len().saturating_sub(rows));
    for (at, line) in (0..inner.height).zip(lines.into_iter().skip(top)) {
        buffer.set_line(inner.x, inner.y + at, &line, inner.width);
    }
}
