//! The id of a request that cannot be read.

use rmcp::model::RequestId;

/// The longest id that is looked for.
const MAX_ID_BYTES: usize = 256;

/// Finds the member `id` of the outermost object in bytes that need not be JSON, nor be complete: whoever sent them
/// waits for an answer that carries it.
#[derive(Debug, Default)]
pub(crate) struct IdScanner {
    depth: usize,
    string: bool,
    escaped: bool,
    /// The text of the outermost object's current key or value.
    token: Vec<u8>,
    /// Whether the key of the current value is `id`.
    wanted: bool,
    found: Option<RequestId>,
}

impl IdScanner {
    /// The id in some bytes.
    pub(crate) fn id_of(bytes: &[u8]) -> Option<RequestId> {
        let mut scanner = Self::default();
        scanner.feed(bytes);
        scanner.finish()
    }

    /// Looks at further bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.found.is_some() {
                return;
            }
            self.step(*byte);
        }
    }

    /// The id, if there was one.
    pub(crate) fn finish(mut self) -> Option<RequestId> {
        self.settle();
        self.found
    }

    fn step(&mut self, byte: u8) {
        if self.string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.token.clear();
            }
            b'}' | b']' => {
                self.settle();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.wanted = self.token.trim_ascii() == b"\"id\"";
                self.token.clear();
            }
            b',' if self.depth == 1 => self.settle(),
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < MAX_ID_BYTES {
            self.token.push(byte);
        }
    }

    /// Ends a value of the outermost object.
    fn settle(&mut self) {
        if self.depth == 1 {
            if std::mem::take(&mut self.wanted) {
                self.found = serde_json::from_slice(self.token.trim_ascii()).ok();
            }
            self.token.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IdScanner;

    #[test]
    fn the_outermost_id_is_found_in_anything() {
        for (text, expected) in [
            (r#"{"id":7,"method":"x"}"#, Some("7")),
            (r#"{"method":"x","params":{"id":1},"id":"a\"b"}"#, Some("a\"b")),
            (r#"{"params":{"id":1,"t":"}\"id\":2"},"id": 3 }"#, Some("3")),
            (r#"{"id":7,"params":{"cut"#, Some("7")),
            (r#"{"id":7"#, Some("7")),
            (r#"{"id":"cut"#, None),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":null}"#, None),
            (r#"{"idx":1}"#, None),
            (r#"[{"id":1}]"#, None),
            ("", None),
            ("}}}", None),
        ] {
            assert_eq!(IdScanner::id_of(text.as_bytes()).map(|id| id.to_string()).as_deref(), expected, "{text}");
        }
    }
}
