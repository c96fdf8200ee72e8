//! Escapes of half a surrogate pair.

use std::borrow::Cow;

const REPLACEMENT: &str = "\\ufffd";

/// JSON text with every escape of a lone surrogate replaced by that of U+FFFD.
pub(super) fn repair(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut out, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        let start = at + found;
        let Some(unit) = unit(bytes, start) else {
            // Any other escape is two bytes long as far as this is concerned: `\\` does not begin one.
            at = (start + 2).min(bytes.len());
            continue;
        };
        at = start + 6;
        match unit {
            0xD800..0xDC00 if matches!(self::unit(bytes, at), Some(0xDC00..0xE000)) => at += 6,
            0xD800..0xE000 => {
                out.push_str(&text[kept..start]);
                out.push_str(REPLACEMENT);
                kept = at;
            }
            _ => {}
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// The code unit of a `\uXXXX` at a place.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::repair;

    #[test]
    fn lone_halves_are_replaced_and_pairs_kept() {
        for (text, expected) in [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""cut \ud83d""#, r#""cut \ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ude00\u0041""#, r#""\ufffd\u0041""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83dé""#, r#""\\\ufffdé""#),
            (r#""\uD8"#, r#""\uD8"#),
            ("\"\\", "\"\\"),
        ] {
            assert_eq!(repair(text), expected);
        }
    }
}
