//! A session's list.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Modifier,
    text::{Line, Span},
    widgets::{Block, Widget},
};
use runsheet_core::{
    log::{Scope, Time},
    todo::{ItemTimes, Status, TodoList},
};
use runsheet_engine::{age, escape, words};

use super::{
    areas,
    line::{Spread, row},
};
use crate::{
    model::{Focus, Model, Open, Plan},
    wrap::wrap,
};

/// The most lines of an item where there is room.
const MOST: usize = 3;

/// Draws the list, or says why there is none.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let (Some(open), look) = (&model.open, model.setup.look) else { return };
    if area.is_empty() {
        return;
    }
    let focused = model.focus == Focus::Plan;
    let plan = open.plan();
    let shown = plan.todos().filter(|_| !matches!(plan, Plan::Gone(_)) || model.tall_plan);
    let counts = shown.map(|todos| words::progress(&todos.counts())).unwrap_or_default();
    let heading = format!(" Plan {counts}{}", if counts.is_empty() { "" } else { " " });
    let note = match plan {
        Plan::Earlier(earlier) => format!(" as it was {} ago · ] later ", age(model.now, earlier.event.time)),
        Plan::Gone(main) if shown.is_some() => format!(" of turn {} ", main.turn),
        Plan::Standing(main) if main.todos.counts().open() == 0 && !main.todos.is_empty() => " all done ".into(),
        _ => String::new(),
    };
    let border = if focused { look.accent() } else { look.dim() };
    let mut block = Block::bordered().border_style(border).title(Line::styled(heading, look.bold()));
    if usize::from(area.width) > 14 + escape::width(&note) + counts.len() {
        block = block.title(Line::styled(note, look.dim()).right_aligned());
    }
    // Where a border would take all the room, there is none.
    let inner = if area.height < 3 { area } else { block.inner(area) };
    if inner != area {
        block.render(area, buffer);
    }
    match shown {
        Some(todos) if !todos.is_empty() => {
            let hidden = items(model, open, todos, inner, buffer);
            let mark = format!(" {} items · t all ", todos.len());
            let columns = u16::try_from(escape::width(&mark)).unwrap_or(0);
            if hidden && inner != area && !focused && area.width > columns + 2 {
                let at = (area.right() - 1 - columns, area.bottom() - 1);
                buffer.set_span(at.0, at.1, &Span::styled(mark, look.dim()), columns);
            }
        }
        _ => {
            let said = said(&plan, open);
            for (at, line) in (0..).zip(wrap(&said, usize::from(inner.width), usize::from(inner.height))) {
                buffer.set_line(inner.x, inner.y + at, &Line::styled(line, look.dim()), inner.width);
            }
            let below = Rect { y: inner.y + 1.min(inner.height), height: inner.height.saturating_sub(1), ..inner };
            agents(model, open, below, buffer);
        }
    }
}

/// Why no list is shown: each fact has its own answer.
fn said(plan: &Plan<'_>, open: &Open) -> String {
    match plan {
        Plan::Loading if open.trouble.is_some() => String::new(),
        Plan::Loading => "Loading".into(),
        Plan::NoTool => "No todo tool: this agent writes no list.".into(),
        Plan::Never => "No list was written yet.".into(),
        Plan::Gone(main) => {
            let (counts, progress) = (main.todos.counts(), words::progress(&main.todos.counts()));
            match counts.open() {
                0 => format!("A new turn, without a list yet. The last one was finished ({progress}); t shows it."),
                left => format!(
                    "A new turn, without a list yet. {left} of the last one stayed open ({progress}); t shows it."
                ),
            }
        }
        Plan::Standing(_) | Plan::Earlier(_) => "The list is empty: an empty one was written.".into(),
    }
}

/// Draws the items; says whether there are more than there is room for.
fn items(model: &Model, open: &Open, todos: &TodoList, area: Rect, buffer: &mut Buffer) -> bool {
    let (look, plan) = (model.setup.look, open.plan());
    let (times, focused) = (plan.times(), model.focus == Focus::Plan);
    if area.is_empty() {
        return false;
    }
    let gone = matches!(plan, Plan::Gone(_));
    let selected = open.item.min(todos.len() - 1);
    // Without the keys here, what runs is kept on the screen.
    let running = todos.iter().position(|item| item.status == Status::InProgress).unwrap_or(0);
    let at = if focused { selected } else { running };
    let agent_rows = open.agents().count();
    let rows = usize::from(area.height);
    let for_items = rows.saturating_sub(agent_rows.min(rows / 3)).max(1);
    let room = usize::from(area.width).saturating_sub(3 + 5);
    let most = if model.tall_plan { MOST } else { 1 };
    let from = if todos.len() <= for_items { 0 } else { at.saturating_sub(for_items) };
    let (mut lines, mut begins) = (Vec::new(), 0);
    for (index, item) in todos.iter().enumerate().skip(from).take(for_items * 2 + 1) {
        if index == at {
            begins = lines.len();
        }
        let texts = wrap(words::label(item).trim(), room, most);
        lines.extend(texts.into_iter().enumerate().map(|(nth, text)| (index, nth, item.status, text)));
    }
    let top = areas::top(lines.len(), begins, for_items);
    let hidden = lines.len() > for_items;
    let mut used = 0;
    for (index, nth, status, text) in lines.into_iter().skip(top).take(for_items) {
        let (glyph_style, mut style) = look.item(status);
        if gone {
            style = style.add_modifier(Modifier::DIM);
        }
        let glyph = if nth == 0 { words::glyph(status) } else { ' ' };
        let time = times.get(index).filter(|_| nth == 0).and_then(|times| took(model.now, status, *times));
        let last = vec![Span::styled(time.unwrap_or_default(), look.dim()), Span::raw(" ")];
        let area = row(area, used);
        Spread { first: vec![Span::styled(format!(" {glyph} "), glyph_style)], text: &text, style, last }
            .draw(area, buffer);
        if focused && index == selected {
            buffer.set_style(area, look.selected(true));
        }
        used += 1;
    }
    if agent_rows > 0 {
        let below = Rect { y: area.y + used, height: area.height.saturating_sub(used), ..area };
        agents(model, open, below, buffer);
    }
    hidden
}

/// How long an item runs, or ran.
fn took(now: Time, status: Status, times: ItemTimes) -> Option<String> {
    match (status, times) {
        (Status::InProgress, ItemTimes { started: Some(started), .. }) => Some(age(now, started)),
        (Status::Completed | Status::Cancelled, ItemTimes { started: Some(started), ended: Some(ended) }) => {
            Some(age(ended, started))
        }
        _ => None,
    }
}

/// The lists of sub-agents, one a line.
fn agents(model: &Model, open: &Open, area: Rect, buffer: &mut Buffer) {
    let look = model.setup.look;
    for (at, list) in (0..area.height).zip(open.agents()) {
        let Scope::Agent(id) = &list.scope else { continue };
        let id = escape::line(id).into_owned();
        let id = escape::clip(&id, usize::from(area.width) / 3).into_owned();
        let first = vec![
            Span::styled(format!(" ↳ {id} "), look.dim()),
            Span::raw(format!("{} ", words::progress(&list.counts))),
        ];
        let text = list.running.as_deref().unwrap_or(if list.counts.open() == 0 { "done" } else { "" });
        Spread { first, text, style: look.dim(), last: Vec::new() }.draw(row(area, at), buffer);
    }
}
