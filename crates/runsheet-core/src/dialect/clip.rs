//! Foreign text inside answers, kept short: an answer goes into the model's context and must not grow with its mistake.

use std::borrow::Cow;

/// The text whole up to a number of bytes, else what fits into them and an ellipsis.
pub(super) fn clip(text: &str, max_bytes: usize) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(max_bytes);
    Cow::Owned(format!("{}…", &text[..end]))
}
