//! Foreign text in lines of a width: escaped, and never cut within what a person sees as one character.

use runsheet_engine::escape;
use unicode_segmentation::UnicodeSegmentation;

/// A text on lines of at most `columns`, broken between words where that is possible. At most `most` lines; where there
/// would be more, the last one ends in `…`.
pub(crate) fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if columns == 0 || most == 0 {
        return lines;
    }
    for line in text.split('\n') {
        let line = escape::line(line.trim_end_matches('\r'));
        for part in fill(&line, columns) {
            if lines.len() == most {
                let last: &mut String = &mut lines[most - 1];
                *last = escape::clip(&format!("{last}…"), columns).into_owned();
                return lines;
            }
            lines.push(part);
        }
    }
    lines
}

/// One line of escaped text, broken.
fn fill(text: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in words(text) {
        let width = escape::width(word);
        if used + width <= columns {
            line.push_str(word);
            used += width;
            continue;
        }
        if word.chars().all(char::is_whitespace) {
            lines.push(std::mem::take(&mut line));
            used = 0;
            continue;
        }
        // A word that fits on no line is cut; any other begins the next line.
        if width <= columns && used > 0 {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            line.push_str(word);
            used = width;
            continue;
        }
        for character in word.graphemes(true) {
            let width = escape::width(character);
            if used + width > columns && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            if width <= columns {
                line.push_str(character);
                used += width;
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The parts of a text that a line may end after. Marks stay with the word before them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut end = 0;
        for part in rest.split_word_bounds() {
            let blank = part.starts_with(char::is_whitespace);
            if end > 0 && (blank || part.contains(char::is_alphanumeric) || rest.starts_with(char::is_whitespace)) {
                break;
            }
            end += part.len();
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        for (text, columns, most, lines) in [
            ("", 5, 9, &[""][..]),
            ("one two", 9, 9, &["one two"]),
            ("one two", 5, 9, &["one", "two"]),
            ("one  two", 4, 9, &["one", "two"]),
            ("one two.", 7, 9, &["one", "two."]),
            ("one\ntwo", 9, 9, &["one", "two"]),
            ("abcdefgh", 3, 9, &["abc", "def", "gh"]),
            ("one two three", 5, 2, &["one", "two…"]),
            ("abcdefghij", 3, 2, &["abc", "de…"]),
            ("进行中的任务", 5, 9, &["进行", "中的", "任务"]),
            ("进", 1, 9, &[""]),
            ("\u{1b}[2J", 9, 9, &["\\x1b[2J"]),
            (
                "👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧",
                3,
                9,
                &["👨\u{200d}👩\u{200d}👧", "👨\u{200d}👩\u{200d}👧"],
            ),
            ("x", 0, 9, &[]),
            ("x", 9, 0, &[]),
        ] {
            assert_eq!(wrap(text, columns, most), lines, "{text:?} in {columns}");
        }
    }
}
