//! For terminals that show nothing but ASCII.

use ratatui::{buffer::Buffer, layout::Rect};

/// Replaces what such a terminal cannot show: our own glyphs by their stand-ins, anything else by `?`.
pub(super) fn restrict(area: Rect, buffer: &mut Buffer) {
    for position in area.positions() {
        let Some(cell) = buffer.cell_mut(position) else { continue };
        if cell.symbol().is_ascii() {
            continue;
        }
        let stand_in = match cell.symbol() {
            "○" => "o",
            "●" => "*",
            "✓" => "x",
            "⊘" => "-",
            "◆" | "✗" => "!",
            "▲" => "!",
            "‖" => "=",
            "·" => ".",
            "…" => "~",
            "▸" | "▌" | "↳" => ">",
            "─" => "-",
            "│" => "|",
            "┌" | "┐" | "└" | "┘" => "+",
            "—" => "-",
            _ => "?",
        };
        cell.set_symbol(stand_in);
    }
}
