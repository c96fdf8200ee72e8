//! Where everything stands.

use ratatui::layout::{Position, Rect};

use crate::model::{Focus, Model, Plan};

/// The parts of the screen. What has no room has no area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// The first line.
    pub head: Rect,
    /// The list of sessions.
    pub sessions: Rect,
    /// The line about the session.
    pub about: Rect,
    /// Its history.
    pub timeline: Rect,
    /// Its list.
    pub plan: Rect,
    /// The last line.
    pub foot: Rect,
    /// Everything between the first line and the last.
    pub body: Rect,
}

impl Areas {
    /// The areas of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let (width, height) = model.size;
        let row = |y, rows| Rect { x: 0, y, width, height: rows };
        let head = row(0, u16::from(height >= 4));
        let foot_rows = u16::from(height >= 3);
        let foot = row(height - foot_rows.min(height), foot_rows);
        let body = row(head.height, height.saturating_sub(head.height + foot.height));
        let mut areas = Self { head, foot, body, ..Self::default() };
        if model.sessions.all().is_empty() && model.setup.only.is_none() {
            return areas;
        }
        let session = if model.side_by_side() {
            let left = (width / 5 * 2).clamp(30, 60);
            areas.sessions = Rect { width: left, ..body };
            Rect { x: left + 1, width: width.saturating_sub(left + 1), ..body }
        } else if model.shows_session() {
            body
        } else {
            areas.sessions = body;
            return areas;
        };
        let down = |y: u16, rows: u16| Rect { y: session.y + y, height: rows, ..session };
        let about = u16::from(session.height >= 3);
        areas.about = down(0, about);
        let rest = session.height - about;
        let plan = if model.tall_plan { rest } else { plan_rows(model, rest) };
        areas.timeline = down(about, rest - plan);
        areas.plan = down(session.height - plan, plan);
        areas
    }

    /// The pane at a place.
    #[must_use]
    pub const fn at(&self, at: Position) -> Option<Focus> {
        if self.sessions.contains(at) {
            Some(Focus::Sessions)
        } else if self.timeline.contains(at) {
            Some(Focus::Timeline)
        } else if self.plan.contains(at) {
            Some(Focus::Plan)
        } else {
            None
        }
    }
}

/// The rows of the plan: as many as it needs, and at most half of them.
fn plan_rows(model: &Model, rows: u16) -> u16 {
    let Some(open) = &model.open else { return 0 };
    let items = match open.plan() {
        Plan::Standing(_) | Plan::Earlier(_) => open.plan().todos().map_or(0, |todos| todos.len().max(1)),
        Plan::Gone(_) => 2,
        _ => 1,
    };
    let agents = open.agents().count();
    let wanted = u16::try_from(items + agents).unwrap_or(u16::MAX).saturating_add(2);
    let most = if rows < 6 { rows } else { (rows / 2).max(3) };
    if model.focus == Focus::Plan && rows < 6 { rows } else { wanted.min(most) }
}

/// The first line shown of some, so that one of them is in the middle where there are lines on both sides.
pub(super) fn top(lines: usize, at: usize, rows: usize) -> usize {
    at.saturating_sub(rows / 2).min(lines.saturating_sub(rows))
}
