//! Reading JSON as JavaScript does, in slices of the text: nothing is copied but strings with escapes, and nothing
//! recurses with the nesting of the text.
//!
//! `serde_json::Value` would do neither: it sorts keys, refuses a lone surrogate, and takes many times the memory.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Result};

/// Levels of objects and arrays in a text that is valid JSON.
pub(super) fn depth(json: &RawValue) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in json.get().bytes() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => in_string = false,
            (true, _) => {}
            (false, b'"') => in_string = true,
            (false, b'[' | b'{') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            (false, _) => {}
        }
    }
    deepest
}

/// The elements of an array and how many there are; no more than `keep` are kept.
///
/// # Errors
/// The text is no array.
pub(super) fn elements(json: &RawValue, keep: usize) -> Result<(Vec<&RawValue>, usize)> {
    Deserializer::from_str(json.get()).deserialize_seq(Elements { keep })
}

/// The members of an object, in the order written, each given to `member` with its key; a key may come twice.
///
/// # Errors
/// The text is no object.
pub(super) fn members<'a>(json: &'a RawValue, member: impl FnMut(Cow<'_, str>, &'a RawValue)) -> Result<()> {
    Deserializer::from_str(json.get()).deserialize_map(Members { member })
}

/// A string.
///
/// # Errors
/// The text is no string.
pub(super) fn string(json: &RawValue) -> Result<Cow<'_, str>> {
    Deserializer::from_str(json.get()).deserialize_bytes(Text)
}

struct Elements {
    keep: usize,
}

impl<'de> Visitor<'de> for Elements {
    type Value = (Vec<&'de RawValue>, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Self::Value, A::Error> {
        let mut kept = Vec::new();
        while kept.len() < self.keep {
            let Some(element) = seq.next_element()? else { break };
            kept.push(element);
        }
        let mut count = kept.len();
        while seq.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok((kept, count))
    }
}

struct Members<F> {
    member: F,
}

impl<'de, F: FnMut(Cow<'_, str>, &'de RawValue)> Visitor<'de> for Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Text)? {
            (self.member)(key, map.next_value()?);
        }
        Ok(())
    }
}

/// A string read as bytes: serde_json gives a lone surrogate that way, and as text an error.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> std::result::Result<Self::Value, E> {
        Ok(std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(well_formed(bytes)), Cow::Borrowed))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> std::result::Result<Self::Value, E> {
        Ok(Cow::Owned(well_formed(bytes)))
    }
}

/// UTF-8 with U+FFFD for each lone surrogate, as `String.prototype.toWellFormed` makes it. Nothing else can be wrong
/// with bytes that came out of a `str`.
fn well_formed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        // A surrogate is ED A0..BF 80..BF: three invalid bytes, of which the first stands for all.
        if chunk.invalid().first() == Some(&0xed) {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}
