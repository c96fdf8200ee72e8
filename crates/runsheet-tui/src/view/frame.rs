//! The first line and the last.

use ratatui::{buffer::Buffer, layout::Rect, text::Span};
use runsheet_core::projection::SessionState;

use super::line::Spread;
use crate::model::{Focus, Model};

/// The first line: how many sessions there are, and how many of them need somebody.
pub(super) fn head(model: &Model, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    let sessions = model.sessions.all();
    let count = sessions.len();
    let more = if model.sessions.more { "+" } else { "" };
    let mut text = format!("· {count}{more} session{}", if count == 1 { "" } else { "s" });
    let working = sessions.iter().filter(|row| row.state == SessionState::Working).count();
    if working > 0 {
        text.push_str(&format!(" · {working} working"));
    }
    let mut last = Vec::new();
    match sessions.iter().filter(|row| row.needs_somebody()).count() {
        0 => {}
        1 => last.push(Span::styled("◆ 1 needs you ", look.warn())),
        need => last.push(Span::styled(format!("◆ {need} need you "), look.warn())),
    }
    if model.setup.only.is_some() || !model.sessions.read {
        text.clear();
    }
    Spread { first: vec![Span::styled(" runsheet ", look.bold())], text: &text, style: look.dim(), last }
        .draw(area, buffer);
}

/// The last line: what the keys do, or what is wrong, or what is looked for.
pub(super) fn foot(model: &Model, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    if model.filtering {
        let first = vec![Span::styled(" / ", look.accent())];
        let text = format!("{}_", model.sessions.filter());
        let last = vec![Span::styled("enter keep  esc clear ", look.dim())];
        return Spread { first, text: &text, style: look.bold(), last }.draw(area, buffer);
    }
    if let Some(trouble) = &model.trouble {
        let first = vec![Span::styled(" ▲ ", look.warn())];
        return Spread { first, text: trouble, style: look.warn(), last: Vec::new() }.draw(area, buffer);
    }
    let keys = match (model.focus, model.setup.only) {
        (Focus::Sessions, _) => "j/k move  enter open  t plan  / filter  ? help  q quit",
        (Focus::Timeline, None) => "j/k move  enter read  [ ] writes  t plan  esc back  ? help  q quit",
        (Focus::Timeline, Some(_)) => "j/k move  enter read  [ ] writes  t plan  ? help  q quit",
        (Focus::Plan, _) => "j/k move  enter read  [ ] writes  t timeline  esc back  ? help  q quit",
    };
    let filter = model.sessions.filter();
    let mut last = Vec::new();
    if !filter.is_empty() {
        let filter = runsheet_engine::escape::line(filter).into_owned();
        last.push(Span::styled(format!("/{} ", runsheet_engine::escape::clip(&filter, 20)), look.accent()));
    }
    Spread { first: vec![Span::raw(" ")], text: keys, style: look.dim(), last }.draw(area, buffer);
}
