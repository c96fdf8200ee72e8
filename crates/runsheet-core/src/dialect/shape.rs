//! The shape of a tool's arguments, written once: the schema the model is offered and the check of what it sends both
//! come from it, so they cannot say different things.

use std::fmt::Write as _;

use serde_json::value::RawValue;

/// What a value must be.
pub(super) enum Shape {
    /// A string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An array.
    List(&'static Shape),
    /// An object.
    Object(Object),
}

/// What an object must be.
pub(super) struct Object {
    /// The properties it may have.
    pub(super) properties: &'static [Property],
    /// Whether it may have others: they are ignored then.
    pub(super) open: bool,
}

/// A property of an object.
pub(super) struct Property {
    /// Its name.
    pub(super) name: &'static str,
    /// What the model is told about it.
    pub(super) description: &'static str,
    /// Whether it must be there.
    pub(super) required: bool,
    /// What it must be.
    pub(super) shape: Shape,
}

impl Shape {
    /// The JSON schema, keys in a fixed order and on one line: the bytes stand in the model's prompt cache.
    pub(super) fn schema(&self) -> Box<RawValue> {
        let mut out = String::new();
        self.write(&mut out, "");
        RawValue::from_string(out).expect("a schema of quoted names and plain structure is JSON")
    }

    fn write(&self, out: &mut String, description: &str) {
        let ty = match self {
            Self::Text | Self::OneOf(_) => "string",
            Self::List(_) => "array",
            Self::Object(_) => "object",
        };
        let _ = write!(out, r#"{{"type":"{ty}""#);
        if !description.is_empty() {
            let _ = write!(out, r#","description":{}"#, quoted(description));
        }
        match self {
            Self::Text => {}
            Self::OneOf(names) => {
                let _ = write!(out, r#","enum":{}"#, list(names.iter().copied()));
            }
            Self::List(item) => {
                out.push_str(r#","items":"#);
                item.write(out, "");
            }
            Self::Object(object) => object.write(out),
        }
        out.push('}');
    }
}

impl Object {
    fn write(&self, out: &mut String) {
        out.push_str(r#","properties":{"#);
        for (i, property) in self.properties.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{}:", quoted(property.name));
            property.shape.write(out, property.description);
        }
        let required = self.properties.iter().filter(|property| property.required).map(|property| property.name);
        let _ = write!(out, r#"}},"required":{}"#, list(required));
        if !self.open {
            out.push_str(r#","additionalProperties":false"#);
        }
    }
}

/// Names as a JSON array.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", names.map(quoted).collect::<Vec<_>>().join(","))
}

/// Text as a JSON string, as `JSON.stringify` writes it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
