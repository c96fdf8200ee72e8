//! Foreign text on a terminal: what models, clients and files wrote is data, never a command to the terminal.
//!
//! Control bytes, OSC and its kin, marks that turn the direction of text, and characters nobody can see are written out
//! as `\x1b` or `\u{202e}`. What is left cannot move the cursor, set a title, or read differently from what it is.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The text on one line: line breaks and tabs are written out too.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// The text with its line breaks and tabs, everything else as in [`line()`].
#[must_use]
pub fn block(text: &str) -> Cow<'_, str> {
    escape(text, |c| matches!(c, '\n' | '\t'))
}

/// The columns a text takes that has been escaped.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// At most `columns` of a text that has been escaped; what is cut shows as `…`. What a person sees as one character is
/// never cut in two.
#[must_use]
pub fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut used) = (String::new(), 0);
    for character in text.graphemes(true) {
        let next = width(character);
        if used + next + 1 > columns {
            break;
        }
        kept.push_str(character);
        used += next;
    }
    if columns > 0 {
        kept.push('…');
    }
    Cow::Owned(kept)
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let bad = |c: char| is_unsafe(c) && !keep(c);
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !bad(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) <= 0xff => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    Cow::Owned(out)
}

/// What a terminal would act on, or a person could not see.
const fn is_unsafe(c: char) -> bool {
    matches!(c,
        // C0, DEL, C1.
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        // The soft hyphen, fillers and joiners that take no column; the mark of the byte order.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200c}' | '\u{2060}'..='\u{2064}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        // Marks of direction: embedding, override, isolate.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
        // Separators a terminal may break a line at.
        | '\u{2028}' | '\u{2029}'
        // Tags and what else can carry hidden text.
        | '\u{e0000}'..='\u{e0fff}' | '\u{1d173}'..='\u{1d17a}' | '\u{1bca0}'..='\u{1bca3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line() {
        for (text, shown) in [
            ("plain", "plain"),
            ("进行中 😀 é", "进行中 😀 é"),
            // A family is one picture: the joiner U+200D between emoji stays.
            ("👨\u{200d}👩", "👨\u{200d}👩"),
            ("a\nb\r\tc", "a\\nb\\r\\tc"),
            ("\x1b[31mred", "\\x1b[31mred"),
            ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
            ("\u{9b}31m\u{9d}0;t\u{9c}", "\\x9b31m\\x9d0;t\\x9c"),
            ("\0\x08\x7f\u{80}", "\\x00\\x08\\x7f\\x80"),
            ("a\u{202e}cba\u{202c}", "a\\u{202e}cba\\u{202c}"),
            ("\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}", "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}"),
            ("pass\u{200b}word\u{feff}", "pass\\u{200b}word\\u{feff}"),
            ("a\u{2028}b", "a\\u{2028}b"),
            ("\u{e0041}", "\\u{e0041}"),
        ] {
            assert_eq!(line(text), shown, "{text:?}");
        }
    }

    #[test]
    fn several_lines() {
        assert_eq!(block("a\n\tb\x1b\r\n"), "a\n\tb\\x1b\\r\n");
    }

    #[test]
    fn clipped_by_columns() {
        for (text, columns, shown) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("进行中", 6, "进行中"),
            ("进行中", 5, "进行…"),
            ("进行中", 4, "进…"),
            ("👨\u{200d}👩\u{200d}👧ab", 3, "👨\u{200d}👩\u{200d}👧…"),
            ("❤\u{fe0f}ab", 3, "❤\u{fe0f}…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ] {
            assert_eq!(clip(text, columns), shown, "{text:?} in {columns}");
            assert!(width(&clip(text, columns)) <= columns);
        }
    }
}
