//! A session's history.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};
use runsheet_core::{
    log::Scope,
    todo::{Author, Counts},
};
use runsheet_engine::{age, escape, words};

use super::{
    areas,
    line::{Spread, row},
};
use crate::{
    model::{Changed, Entry, Focus, Kind, Model, Open, Outcome, Wrote},
    wrap::wrap,
};

/// The columns of an entry's first word.
const WORD: usize = 6;
/// The most columns of a longer one.
const LONGEST_WORD: usize = 20;

/// The line about the session: what it is called, its agent, and how old its last event is.
pub(super) fn about(model: &Model, area: Rect, buffer: &mut Buffer) {
    let (Some(open), look) = (&model.open, model.setup.look) else { return };
    let row = model.sessions.row(open.session).cloned();
    let row = row.or_else(|| open.catalogue().map(|entry| crate::model::Row::new(open.session, entry, false)));
    let Some(row) = row else {
        return Spread { first: Vec::new(), text: "Loading", style: look.dim(), last: Vec::new() }.draw(area, buffer);
    };
    let state = words::state(row.state, &row.counts);
    let first = vec![Span::styled(format!("{} ", row.state.glyph()), look.state(row.state))];
    let agent = words::agent(&row.agent, row.version.as_deref());
    let said = escape::line(&format!(" {agent} · {state} · {}", age(model.now, row.updated))).into_owned();
    let room = usize::from(area.width).saturating_sub(2 + escape::width(&row.name()));
    let last = if escape::width(&said) < room.max(24) { vec![Span::styled(said, look.dim())] } else { Vec::new() };
    Spread { first, text: &row.name(), style: look.bold(), last }.draw(area, buffer);
}

/// Draws the history, with the selected entry on the screen.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let (Some(open), look) = (&model.open, model.setup.look) else { return };
    if area.is_empty() {
        return;
    }
    if let Some(trouble) = &open.trouble {
        for (at, line) in (0..).zip(wrap(trouble, usize::from(area.width), usize::from(area.height))) {
            buffer.set_line(area.x, area.y + at, &Line::styled(line, look.warn()), area.width);
        }
        return;
    }
    let (lines, at) = lines(model, open, area);
    let rows = usize::from(area.height);
    let top =
        if open.timeline.follows() { lines.len().saturating_sub(rows) } else { areas::top(lines.len(), at, rows) };
    // What is short stands at the bottom, above the plan, where new lines come.
    let first = area.height.saturating_sub(u16::try_from(lines.len()).unwrap_or(u16::MAX));
    for (at, line) in (first..).zip(lines.into_iter().skip(top).take(rows)) {
        buffer.set_line(area.x, row(area, at).y, &line, area.width);
    }
    if !open.timeline.follows() && area.width > 12 {
        let below = open.timeline.entries().len().saturating_sub(open.timeline.at().unwrap_or(0) + 1);
        let more = if open.timeline.ends().1 { "" } else { "+" };
        let mark = format!(" {below}{more} below · G ");
        let columns = u16::try_from(escape::width(&mark)).unwrap_or(0);
        if below > 0 && columns < area.width {
            let at = area.x + area.width - columns;
            buffer.set_span(at, area.y + area.height - 1, &Span::styled(mark, look.selected(true)), columns);
        }
    }
}

/// The lines around the selected entry, and at which of them it begins.
fn lines<'a>(model: &Model, open: &'a Open, area: Rect) -> (Vec<Line<'a>>, usize) {
    let (entries, rows) = (open.timeline.entries(), usize::from(area.height));
    let at = open.timeline.at().unwrap_or(0);
    let from = at.saturating_sub(rows);
    let focused = model.focus == Focus::Timeline && !open.timeline.follows();
    let (mut lines, mut selected) = (Vec::new(), 0);
    if from == 0 && !open.timeline.ends().0 && !entries.is_empty() {
        lines.push(Line::styled("  … reading what was before", model.setup.look.dim()));
    }
    for (index, entry) in entries.iter().enumerate().skip(from).take(rows * 2 + 1) {
        if index == at {
            selected = lines.len();
        }
        let mark = focused && index == at;
        lines.extend(shape(model, entry).lines(model, area.width, mark));
    }
    (lines, selected)
}

/// The columns of what may stand beside a text that is wrapped.
const SHORT: usize = 14;

/// An entry, before it is laid out.
struct Shape {
    word: String,
    word_style: Style,
    text: String,
    style: Style,
    /// Never cut.
    right: String,
    right_style: Style,
    /// A line below it.
    below: Option<(String, Style)>,
    /// The most lines of the text.
    most: usize,
}

impl Shape {
    fn lines(self, model: &Model, width: u16, mark: bool) -> Vec<Line<'static>> {
        let look = model.setup.look;
        let columns = usize::from(width).saturating_sub(1);
        let word = escape::line(&self.word).into_owned();
        let word = escape::clip(&word, LONGEST_WORD.min(columns)).into_owned();
        let indent = (escape::width(&word) + 1).max(WORD).min(columns);
        let right = escape::line(&self.right).into_owned();
        let room = columns.saturating_sub(indent);
        let gap = if right.is_empty() { 0 } else { escape::width(&right) + 1 };
        // What is short stands beside the text; what is longer only where the text need not give way to it.
        let fits = room >= gap + escape::width(&escape::line(&self.text));
        let beside = gap == 0 || fits || (gap <= SHORT && room >= gap + 8);
        let texts = wrap(&self.text, if beside { room - gap } else { room }, self.most);
        let mut lines = Vec::new();
        let gutter = || Span::styled(if mark { "▌" } else { " " }, look.accent());
        for (at, text) in texts.into_iter().enumerate() {
            let pad = room.saturating_sub(gap + escape::width(&text)) + usize::from(gap > 0);
            let mut spans = vec![gutter()];
            match at {
                0 => {
                    let pad = indent.saturating_sub(escape::width(&word));
                    spans.push(Span::styled(format!("{word}{:pad$}", ""), self.word_style));
                }
                _ => spans.push(Span::raw(" ".repeat(indent))),
            }
            spans.push(Span::styled(text, self.style));
            if at == 0 && beside && gap > 0 {
                spans.push(Span::raw(" ".repeat(pad)));
                spans.push(Span::styled(right.clone(), self.right_style));
            }
            lines.push(Line::from(spans));
        }
        let below = if beside { None } else { Some((self.right, self.right_style)) };
        for (text, style) in below.into_iter().chain(self.below) {
            for text in wrap(&text, room, 2) {
                lines.push(Line::from(vec![gutter(), Span::raw(" ".repeat(indent)), Span::styled(text, style)]));
            }
        }
        lines
    }
}

fn shape(model: &Model, entry: &Entry) -> Shape {
    let look = model.setup.look;
    let plain = Style::new();
    let shape = |word: &str, word_style, text: String, style, most| Shape {
        word: word.to_owned(),
        word_style,
        text,
        style,
        right: String::new(),
        right_style: look.dim(),
        below: None,
        most,
    };
    let whose = match &entry.scope {
        Scope::Main => String::new(),
        Scope::Agent(id) => format!("↳ {id} "),
    };
    match &entry.kind {
        Kind::Turn(turn) => {
            let text = format!("{turn} · {} ago ─────", age(model.now, entry.time));
            shape("turn", look.bold(), text, look.dim(), 1)
        }
        Kind::Ended(turn, reason) => {
            let reason = serde_json::to_value(reason).ok();
            let reason = reason.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
            shape("turn", look.dim(), format!("{turn} ended: {reason}"), look.dim(), 1)
        }
        Kind::Person(text) => shape("you", look.accent(), text.clone(), plain, 3),
        Kind::Agent(text) => shape("agent", look.bold(), text.clone(), plain, 4),
        Kind::Call { tool, arguments, outcome } => {
            let text = format!("{whose}{arguments}");
            let mut shape = shape(tool, look.bold(), text, look.dim(), 2);
            if let Some(outcome) = outcome {
                finish(&mut shape, outcome, look);
            }
            shape
        }
        Kind::Result(outcome) => {
            let word = if outcome.failed { "failed" } else { "result" };
            let mut shape = shape(word, look.dim(), whose, look.dim(), 1);
            shape.text.push_str(&outcome.text);
            finish(&mut shape, &Outcome { text: String::new(), ..outcome.clone() }, look);
            shape
        }
        Kind::Wrote(wrote) => list(shape("todo", look.bold(), whose, plain, 2), wrote, look),
        Kind::Other(word, text) => {
            let style = if matches!(*word, "asks" | "alert") { look.warn() } else { look.dim() };
            shape(word, style, text.clone(), style, 2)
        }
        Kind::Unknown(ty, data) => shape(ty, look.dim(), data.clone(), look.dim(), 1),
    }
}

/// What came of a call: its exit code and time at the right; what went wrong below.
fn finish(shape: &mut Shape, outcome: &Outcome, look: crate::look::Look) {
    let exit = outcome.exit.map(|exit| format!("exit {exit}"));
    let took = outcome.took_ms.filter(|took| *took >= 100).map(took);
    let failed = if outcome.failed && outcome.exit.is_none() { Some("failed".to_owned()) } else { None };
    shape.right = [failed, exit, took].into_iter().flatten().collect::<Vec<_>>().join(" ");
    if outcome.failed {
        shape.right_style = look.bad();
        if !outcome.text.is_empty() {
            shape.below = Some((format!("✗ {}", outcome.text), look.bad()));
        }
    }
}

/// A list: how much is done, what runs, and what the write changed.
fn list(mut shape: Shape, wrote: &Wrote, look: crate::look::Look) -> Shape {
    let Wrote { author, counts, running, changed } = wrote;
    if *author == Author::Human {
        (shape.word, shape.word_style) = ("you".into(), look.accent());
        shape.text.push_str("edited the list: ");
    }
    shape.text.push_str(&state(counts));
    if let Some(running) = running {
        shape.text.push_str(" · ");
        shape.text.push_str(running);
    }
    let others = counts.in_progress.saturating_sub(1);
    let others = if others > 0 { format!("+{others}") } else { String::new() };
    let changed = changed.map(changes).unwrap_or_default();
    shape.right = [others, changed].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    shape
}

fn state(counts: &Counts) -> String {
    match words::progress(counts) {
        progress if progress.is_empty() => "an empty list".into(),
        progress if counts.open() == 0 => format!("{progress} · all done"),
        progress => progress,
    }
}

fn changes(changed: Changed) -> String {
    let Changed { done, added, reopened, reworded, removed } = changed;
    let parts =
        [("done", done), ("added", added), ("reopened", reopened), ("reworded", reworded), ("removed", removed)];
    let parts: Vec<_> = parts.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{what} {n}")).collect();
    if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) }
}

/// How long something took.
fn took(ms: i64) -> String {
    match ms {
        ..10_000 => format!("{}.{}s", ms / 1_000, ms % 1_000 / 100),
        10_000..60_000 => format!("{}s", ms / 1_000),
        _ => format!("{}m", ms / 60_000),
    }
}
