//! Checks arguments against a [`Shape`] and reads them in the same walk.
//!
//! What is wrong is told as dsh tells it: an object's missing properties, then what is wrong inside its properties in the
//! schema's order, then the properties it must not have in the order written; all of it in one line, joined by `; `.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::clip::clip;
use super::json;
use super::shape::{Object, Shape, list};

/// Violations that are listed; of more, only the number is told.
const MAX_LISTED: usize = 20;

/// Bytes of a foreign key that are repeated.
const MAX_KEY_BYTES: usize = 128;

/// What a value was read as.
pub(super) enum Value<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// Which of the names it is.
    OneOf(usize),
    /// The elements.
    List(Vec<Value<'a>>),
    /// The properties, in the shape's order.
    Object(Vec<Option<Value<'a>>>),
}

impl<'a> Value<'a> {
    pub(super) fn into_text(self) -> Option<Cow<'a, str>> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn into_choice(self) -> Option<usize> {
        if let Self::OneOf(which) = self { Some(which) } else { None }
    }

    pub(super) fn into_list(self) -> Option<Vec<Self>> {
        if let Self::List(elements) = self { Some(elements) } else { None }
    }

    /// The properties, where all `N` are there.
    pub(super) fn into_properties<const N: usize>(self) -> Option<[Self; N]> {
        let Self::Object(properties) = self else { return None };
        properties.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
    }
}

/// Why arguments could not be read.
#[derive(Debug)]
pub(super) enum Fault {
    /// They do not have the shape; what is wrong, in one line.
    Violations(String),
    /// A list in them has more elements than it may. Its elements were not looked at.
    TooMany {
        /// How many.
        count: usize,
    },
}

/// Reads arguments of a shape; lists in them have up to `max_items` elements.
pub(super) fn walk<'a>(shape: &'static Shape, arguments: &'a RawValue, max_items: usize) -> Result<Value<'a>, Fault> {
    let mut walk = Walk { max_items, listed: Vec::new(), more: 0, too_many: None };
    let value = walk.value(shape, arguments, "");
    if let Some(count) = walk.too_many {
        return Err(Fault::TooMany { count });
    }
    match value {
        Some(value) if walk.listed.is_empty() => Ok(value),
        _ => Err(Fault::Violations(walk.line())),
    }
}

/// What is wrong with arguments that are not JSON at all: dsh reads them as it reads `null`.
pub(super) fn not_an_object() -> String {
    r#""arguments" must be an object"#.to_owned()
}

struct Walk {
    max_items: usize,
    listed: Vec<String>,
    more: usize,
    too_many: Option<usize>,
}

impl Walk {
    fn value<'a>(&mut self, shape: &'static Shape, raw: &'a RawValue, path: &str) -> Option<Value<'a>> {
        match shape {
            Shape::Text => match json::string(raw) {
                Ok(text) => Some(Value::Text(text)),
                Err(_) => self.must_be(path, "a string"),
            },
            Shape::OneOf(names) => match json::string(raw) {
                Ok(text) => match names.iter().position(|name| *name == text) {
                    Some(which) => Some(Value::OneOf(which)),
                    None => self.must_be(path, &format!("one of {}", list(names.iter().copied()))),
                },
                Err(_) => self.must_be(path, "a string"),
            },
            Shape::List(item) => match json::elements(raw, self.max_items) {
                Ok((_, count)) if count > self.max_items => {
                    self.too_many = Some(count);
                    None
                }
                Ok((elements, _)) => {
                    let elements = elements.into_iter().enumerate();
                    // Not collected into an Option at once: that would stop at the first wrong element.
                    let values: Vec<_> =
                        elements.map(|(i, raw)| self.value(item, raw, &format!("{path}[{i}]"))).collect();
                    values.into_iter().collect::<Option<_>>().map(Value::List)
                }
                Err(_) => self.must_be(path, "an array"),
            },
            Shape::Object(object) => match Found::read(object, raw) {
                Ok(found) => Some(self.object(object, found, path)),
                Err(_) => self.must_be(path, "an object"),
            },
        }
    }

    fn object<'a>(&mut self, object: &'static Object, found: Found<'a>, path: &str) -> Value<'a> {
        let path_of = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for (property, raw) in object.properties.iter().zip(&found.known) {
            if property.required && raw.is_none() {
                self.violation(format!(r#"missing required property "{}""#, path_of(property.name)));
            }
        }
        let mut values = Vec::with_capacity(found.known.len());
        for (property, raw) in object.properties.iter().zip(found.known) {
            values.push(raw.and_then(|raw| self.value(&property.shape, raw, &path_of(property.name))));
        }
        for key in &found.extra {
            let path = path_of(key);
            self.violation(format!(r#""{path}" is not a declared property (additionalProperties: false)"#));
        }
        self.more += found.more;
        Value::Object(values)
    }

    fn must_be<T>(&mut self, path: &str, what: &str) -> Option<T> {
        let path = if path.is_empty() { "arguments" } else { path };
        self.violation(format!(r#""{path}" must be {what}"#));
        None
    }

    fn violation(&mut self, text: String) {
        if self.listed.len() < MAX_LISTED {
            self.listed.push(text);
        } else {
            self.more += 1;
        }
    }

    fn line(self) -> String {
        let mut line = self.listed.join("; ");
        if self.more > 0 {
            line.push_str(&format!("; and {} more", self.more));
        }
        line
    }
}

/// The members of an object, sorted into those its shape knows and those it does not.
struct Found<'a> {
    /// In the shape's order; of a key that comes twice the last counts, as in JavaScript.
    known: Vec<Option<&'a RawValue>>,
    /// As many as an answer can list. Empty where the shape is open.
    extra: Vec<String>,
    /// How many more there are, counting each time a key comes.
    more: usize,
}

impl<'a> Found<'a> {
    fn read(object: &'static Object, raw: &'a RawValue) -> serde_json::Result<Self> {
        let mut found = Self { known: vec![None; object.properties.len()], extra: Vec::new(), more: 0 };
        json::members(raw, |key, value| {
            if let Some(at) = object.properties.iter().position(|property| property.name == key) {
                found.known[at] = Some(value);
            } else if !object.open {
                found.add_extra(&clip(&key, MAX_KEY_BYTES));
            }
        })?;
        // JavaScript enumerates keys that are array indices first, by number.
        found.extra.sort_by_key(|key| array_index(key).map_or(u64::MAX, u64::from));
        Ok(found)
    }

    fn add_extra(&mut self, key: &str) {
        if self.extra.iter().any(|extra| extra == key) {
            return;
        }
        if self.extra.len() < MAX_LISTED {
            self.extra.push(key.to_owned());
        } else {
            self.more += 1;
        }
    }
}

fn array_index(key: &str) -> Option<u32> {
    let index: u32 = key.parse().ok()?;
    (index < u32::MAX && index.to_string() == key).then_some(index)
}
