//! What the parser of the command line says of what was typed.

use clap::{
    Error,
    builder::StyledStr,
    error::{ContextKind, ContextValue},
};

use runsheet_engine::escape;

/// The error with what was typed escaped: arguments are pasted, and written by scripts and models.
pub(crate) fn escaped(mut error: Error) -> Error {
    let typed = |text: &str| escape::line(text).into_owned();
    let styled = |text: &StyledStr| StyledStr::from(typed(&text.to_string()));
    let shown: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(typed(text)),
                ContextValue::Strings(texts) => ContextValue::Strings(texts.iter().map(|text| typed(text)).collect()),
                ContextValue::StyledStrs(tips) => ContextValue::StyledStrs(tips.iter().map(styled).collect()),
                // The usage is ours.
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in shown {
        error.insert(kind, value);
    }
    error
}
