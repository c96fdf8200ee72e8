//! How a [`Model`] looks.

mod areas;
mod ascii;
mod empty;
mod frame;
mod help;
mod line;
mod plan;
mod reader;
mod sessions;
mod timeline;

pub use areas::Areas;
use ratatui::{buffer::Buffer, layout::Rect};
pub(crate) use sessions::top as top_of_sessions;

use crate::model::{Model, Overlay};

/// Draws a model. The model's size and the area's are the same; where they differ for a moment, less is drawn.
pub fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let within = |part: Rect| part.intersection(area);
    let areas = Areas::of(model);
    frame::head(model, within(areas.head), buffer);
    frame::foot(model, within(areas.foot), buffer);
    if model.sessions.all().is_empty() && model.setup.only.is_none() {
        empty::draw(model, within(areas.body), buffer);
    } else {
        sessions::draw(model, within(areas.sessions), buffer);
        timeline::about(model, within(areas.about), buffer);
        timeline::draw(model, within(areas.timeline), buffer);
        plan::draw(model, within(areas.plan), buffer);
    }
    match &model.overlay {
        Some(Overlay::Help) => help::draw(model, within(areas.body), buffer),
        Some(Overlay::Reader(reader)) => reader::draw(model, reader, within(areas.body), buffer),
        None => {}
    }
    if model.setup.look.ascii {
        ascii::restrict(area, buffer);
    }
}
