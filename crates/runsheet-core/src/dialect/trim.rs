//! Trimming as JavaScript does it.

/// The text without the white space around it, as `String.prototype.trim` sees white space. [`str::trim`] differs in two
/// characters: it keeps U+FEFF and takes U+0085.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `WhiteSpace` or `LineTerminator` of ECMAScript.
const fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::is_space;

    #[test]
    fn differs_from_rust_in_two_characters() {
        let different: Vec<char> = ('\0'..=char::MAX).filter(|c| is_space(*c) != c.is_whitespace()).collect();
        assert_eq!(different, ['\u{85}', '\u{feff}']);
    }
}
