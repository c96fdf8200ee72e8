//! What is shown where there is nothing yet: how to begin.

use ratatui::{buffer::Buffer, layout::Rect, style::Style, text::Line};

use crate::{model::Model, wrap::wrap};

/// Draws what to do first.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    let mut texts: Vec<(String, Style)> = Vec::new();
    if model.sessions.read {
        texts.push((String::new(), look.dim()));
        texts.push(("No session yet.".into(), look.bold()));
        texts.push((
            "Connect an agent, then ask it to plan a task. Its list shows here as it is written.".into(),
            look.dim(),
        ));
        texts.push((String::new(), look.dim()));
        texts.extend(model.setup.connect.iter().map(|line| (line.clone(), Style::new())));
        texts.push((String::new(), look.dim()));
        texts.push(("`runsheet demo` plays a session, without an agent.".into(), look.dim()));
    } else {
        texts.push(("Reading the sessions".into(), look.dim()));
    }
    let columns = usize::from(area.width).saturating_sub(2);
    let lines = texts.iter().flat_map(|(text, style)| wrap(text, columns, 4).into_iter().map(|line| (line, *style)));
    for (at, (line, style)) in (0..area.height).zip(lines) {
        buffer.set_line(
            area.x + 1.min(area.width),
            area.y + at,
            &Line::styled(line, style),
            area.width.saturating_sub(1),
        );
    }
}
