//! What the mouse does, where it is switched on.

use ratatui::{
    crossterm::event::{MouseButton, MouseEvent, MouseEventKind},
    layout::Position,
};

use super::{Effect, Focus, Line, Model, Overlay};
use crate::view::Areas;

/// How far the wheel goes.
const WHEEL: isize = 3;

impl Model {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let by = match mouse.kind {
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::Down(MouseButton::Left) => 0,
            _ => return Vec::new(),
        };
        if let Some(overlay) = &mut self.overlay {
            match overlay {
                Overlay::Reader(reader) if by != 0 => reader.top = reader.top.saturating_add_signed(by),
                _ => self.overlay = None,
            }
            return Vec::new();
        }
        let (areas, at) = (Areas::of(self), Position::new(mouse.column, mouse.row));
        let Some(focus) = areas.at(at) else { return Vec::new() };
        if by != 0 {
            // The wheel moves what it is over; what keys act on stays.
            let kept = std::mem::replace(&mut self.focus, focus);
            let effects = self.step(by);
            self.focus = kept;
            return effects;
        }
        self.focus = focus;
        if focus == Focus::Sessions {
            let area = areas.sessions;
            let top = crate::view::top_of_sessions(self, area.height);
            let lines = self.sessions.lines();
            if let Some(Line::Session(row)) = lines.get(top + usize::from(at.y - area.y)) {
                let session = row.session;
                self.sessions.select(session);
            }
        }
        Vec::new()
    }
}
