//! What can be wrong with a configuration.

use std::fmt;

use super::{keys, load::Origin};

/// A configuration that cannot be used: where, and what is wrong there.
#[derive(Debug)]
pub(crate) struct ConfigError {
    /// The file, variable or flag.
    pub(crate) origin: Origin,
    /// What is wrong.
    pub(crate) fault: Fault,
}

/// What is wrong.
#[derive(Debug)]
pub(crate) enum Fault {
    /// There is no such key; the nearest, if one is near.
    Unknown { name: String, nearest: Option<&'static str> },
    /// A key got what it does not take.
    Wrong { name: &'static str, takes: String, got: String },
    /// A section got a value.
    Section { name: String },
    /// The file is not TOML.
    Syntax { line: usize, message: String },
    /// The file cannot be read.
    Unreadable { reason: String },
    /// There is no place for what a key leaves open.
    NoHome { name: &'static str },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, fault } = self;
        match fault {
            Fault::Unknown { name, .. } => write!(f, "{origin}: there is no key `{name}`"),
            Fault::Wrong { name, takes, got } => write!(f, "{origin}: `{name}` takes {takes}, not {got}"),
            Fault::Section { name } => write!(f, "{origin}: `{name}` is a section, not a key"),
            Fault::Syntax { line, message } => write!(f, "{origin}: line {line} is not TOML: {message}"),
            Fault::Unreadable { reason } => write!(f, "{origin}: cannot be read: {reason}"),
            Fault::NoHome { name } => {
                write!(f, "`{name}` is not set, and there is no home folder to take its default from")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl ConfigError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> String {
        match &self.fault {
            Fault::Unknown { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Fault::Section { name } => format!("write its keys below a line `[{name}]`"),
            Fault::Unreadable { .. } => "check the file, or name another with --config".into(),
            Fault::NoHome { .. } => "set HOME, or give a path with --store".into(),
            Fault::Unknown { nearest: None, .. } => "its keys are in the sections todo, mcp, store and serve".into(),
            Fault::Wrong { name, .. } => match keys::key(name).map(keys::Key::default_shown) {
                Some(default) => format!("without it, the default holds: {default}"),
                None => "leave it out".into(),
            },
            Fault::Syntax { .. } => "correct the line and try again".into(),
        }
    }
}
