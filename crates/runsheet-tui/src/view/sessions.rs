//! The list of sessions.

use ratatui::{buffer::Buffer, layout::Rect, style::Modifier, text::Span};
use runsheet_core::projection::SessionState;
use runsheet_engine::{age, escape, words};

use super::{
    areas,
    line::{Spread, row},
};
use crate::model::{Focus, Line, Model, Row, project_name};

/// The least columns that have room for agent and age beside what runs.
const WIDE: u16 = 64;

/// The first line shown.
pub(crate) fn top(model: &Model, rows: u16) -> usize {
    let lines = model.sessions.lines();
    let selected = model.sessions.selected();
    let chosen = |line: &Line<'_>| matches!(line, Line::Session(row) if Some(row.session) == selected);
    let at = lines.iter().position(chosen).unwrap_or(0);
    areas::top(lines.len(), at, usize::from(rows))
}

/// Draws the list.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let look = model.setup.look;
    let lines = model.sessions.lines();
    if lines.is_empty() {
        let text = format!("Nothing matches “{}”.", model.sessions.filter());
        return Spread { first: vec![Span::raw(" ")], text: &text, style: look.dim(), last: Vec::new() }
            .draw(row(area, 0), buffer);
    }
    let selected = model.sessions.selected();
    let shown = lines.iter().skip(top(model, area.height)).take(usize::from(area.height));
    let progress = shown.clone().filter_map(|line| match line {
        Line::Session(row) => Some(words::progress(&row.counts).len()),
        Line::Project(_) => None,
    });
    let columns = progress.max().unwrap_or(0).max(3);
    for (at, line) in (0..).zip(shown) {
        let area = row(area, at);
        match line {
            Line::Project(cwd) => project(model, cwd, area, buffer),
            Line::Session(row) => {
                session(model, row, columns, area, buffer);
                if Some(row.session) == selected {
                    buffer.set_style(area, look.selected(model.focus == Focus::Sessions));
                }
            }
        }
    }
}

fn project(model: &Model, cwd: &str, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    let folder = words::folder(cwd, model.setup.home.as_deref());
    let name = project_name(cwd);
    // Two folders of one name are told apart where there is room.
    let first = escape::line(name).into_owned();
    let text = if folder == name || cwd.is_empty() { String::new() } else { format!("  {folder}") };
    let first = vec![Span::raw(" "), Span::styled(first, look.bold())];
    let fits = usize::from(area.width) >= 4 + escape::width(name) + escape::width(&text);
    let text = if fits { &text } else { "" };
    Spread { first, text, style: look.dim(), last: Vec::new() }.draw(area, buffer);
}

fn session(model: &Model, of: &Row, progress: usize, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    let columns = usize::from(area.width);
    let state = look.state(of.state);
    let mut last = Vec::new();
    let aged = age(model.now, of.updated);
    if area.width >= WIDE {
        let agent = escape::line(&of.agent).into_owned();
        last.push(Span::styled(format!(" {:<11} {aged:>4}", escape::clip(&agent, 11)), look.dim()));
    }
    last.push(Span::raw(" "));
    let name = escape::line(&of.name()).into_owned();
    let inner = columns.saturating_sub(4 + progress);
    let room = if area.width >= WIDE { inner * 3 / 10 } else { inner * 45 / 100 };
    let name = escape::clip(&name, room).into_owned();
    let pad = room.saturating_sub(escape::width(&name));
    let bold = if matches!(of.state, SessionState::Working) || of.needs_somebody() { look.bold() } else { look.dim() };
    let first = vec![
        Span::styled(format!(" {} ", of.state.glyph()), state),
        Span::styled(format!("{name}{:pad$} ", ""), bold.remove_modifier(Modifier::DIM)),
        Span::raw(format!("{:>progress$} ", words::progress(&of.counts))),
    ];
    let others = of.others();
    if !others.is_empty() {
        last.insert(0, Span::styled(others.trim().to_owned(), look.accent()));
    }
    let (text, style) = match (of.state, of.runs()) {
        (SessionState::Waiting | SessionState::Stalled | SessionState::Unknown, _) => {
            (words::state(of.state, &of.counts), state)
        }
        (_, Some(runs)) => (runs.to_owned(), look.accent()),
        (SessionState::Working, None) => ("working".into(), look.accent()),
        (SessionState::Done, None) if area.width < WIDE => (format!("done {aged}"), look.dim()),
        (SessionState::Idle, None) if area.width < WIDE => (format!("idle {aged}"), look.dim()),
        (SessionState::Paused, None) if area.width < WIDE => (format!("{} open {aged}", of.counts.open()), look.dim()),
        (_, None) => (words::state(of.state, &of.counts), look.dim()),
    };
    Spread { first, text: &text, style, last }.draw(area, buffer);
}
