//! One file of the configuration.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use toml::{Table, Value as Toml};

use super::{
    error::{ConfigError, Fault},
    keys::{self, KEYS, Key, Kind, Value},
    load::Origin,
    nearest::nearest,
};

/// The longest file that is read: a project's comes from strangers.
const MAX_BYTES: u64 = 1 << 20;

/// What one layer sets.
pub(crate) type Layer = Vec<(&'static Key, Value)>;

/// Reads a file; `None` when it is not there.
pub(crate) fn read(path: &Path, origin: &Origin) -> Result<Option<Layer>, ConfigError> {
    let fault = |fault| ConfigError { origin: origin.clone(), fault };
    let unreadable = |reason: String| fault(Fault::Unreadable { reason });
    let text = match text(path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let table: Table = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        fault(Fault::Syntax { line, message: error.message().to_owned() })
    })?;
    let mut layer = Layer::new();
    for (section, values) in table {
        let known = KEYS.iter().any(|key| key.name.split_once('.').is_some_and(|(of, _)| of == section));
        let Toml::Table(values) = values else {
            return Err(fault(if known { Fault::Section { name: section } } else { unknown(section) }));
        };
        if values.is_empty() && !known {
            return Err(fault(unknown(section)));
        }
        for (name, value) in values {
            let name = format!("{section}.{name}");
            let Some(key) = keys::key(&name) else { return Err(fault(unknown(name))) };
            layer.push((key, value_of(key, value, path).map_err(fault)?));
        }
    }
    Ok(Some(layer))
}

/// The fault of a key that does not exist.
pub(crate) fn unknown(name: String) -> Fault {
    Fault::Unknown { nearest: nearest(&name), name }
}

fn text(path: &Path) -> io::Result<String> {
    // A pipe would keep us waiting, a device could go on for ever.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it is longer than {MAX_BYTES} bytes")));
    }
    Ok(text)
}

fn value_of(key: &'static Key, value: Toml, file: &Path) -> Result<Value, Fault> {
    let got = match &value {
        Toml::String(text) => format!("the text {text:?}"),
        Toml::Integer(number) => format!("the number {number}"),
        Toml::Float(number) => format!("the number {number}"),
        Toml::Boolean(yes) => yes.to_string(),
        Toml::Datetime(_) => "a date".into(),
        Toml::Array(_) => "an array".into(),
        Toml::Table(_) => "a table".into(),
    };
    let wrong = |takes| Fault::Wrong { name: key.name, takes, got };
    let plain = match value {
        Toml::String(text) => Some(Value::Text(text)),
        Toml::Boolean(yes) => Some(Value::Bool(yes)),
        Toml::Integer(number) => u64::try_from(number).ok().map(Value::Integer),
        _ => None,
    };
    let Some(plain) = plain else { return Err(wrong(key.kind.takes())) };
    match (&key.kind, key.check(plain).map_err(wrong)?) {
        // What is relative in a file means the same wherever the program is started.
        (Kind::Path, Value::Text(path)) if !path.starts_with("~/") => {
            let folder = file.parent().unwrap_or(Path::new("."));
            Ok(Value::Text(folder.join(path).to_string_lossy().into_owned()))
        }
        (_, value) => Ok(value),
    }
}
