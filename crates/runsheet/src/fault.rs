//! What a person is told when a command fails, and the code it exits with.

use std::{fmt, io::Write, process::ExitCode};

use runsheet_engine::EngineError;
use runsheet_store::StoreError;

use crate::{
    config::ConfigError,
    escape,
    term::{Look, Term},
};

/// Why a command ended: the exit codes, as `--help` and docs/cli.md have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// It failed.
    Failed = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// There is no such session, or no store.
    NotFound = 3,
    /// The store is busy or cannot be used.
    Store = 4,
    /// The store is damaged.
    Damaged = 5,
}

impl From<Kind> for ExitCode {
    fn from(kind: Kind) -> Self {
        Self::from(kind as u8)
    }
}

/// A failure on its way to the person.
#[derive(Debug)]
pub(crate) struct Fault {
    kind: Kind,
    what: anyhow::Error,
    hint: Option<String>,
}

impl Fault {
    /// The command line or the configuration is wrong.
    pub(crate) fn usage(what: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self { kind: Kind::Usage, what: anyhow::Error::msg(what), hint: None }
    }

    /// Something is not there.
    pub(crate) fn not_found(what: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self { kind: Kind::NotFound, what: anyhow::Error::msg(what), hint: None }
    }

    /// Adds what to do about it.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Whether it is only that nobody reads our output any more.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        self.what.chain().any(|cause| {
            cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
        })
    }

    /// Tells the person, and gives the code to exit with.
    pub(crate) fn report(&self) -> ExitCode {
        let term = Term::stderr();
        let mut text = String::new();
        let mut say = |look, label: &str, what: &str| {
            text.push_str(&format!("{} {}\n", term.paint(look, label), escape::line(what)));
        };
        say(Look::Red, "error:", &self.what.to_string());
        for cause in self.what.chain().skip(1) {
            say(Look::Red, "cause:", &cause.to_string());
        }
        if let Some(hint) = &self.hint {
            say(Look::Blue, "hint:", hint);
        }
        // If stderr is gone too, the exit code still tells.
        _ = std::io::stderr().write_all(text.as_bytes());
        self.kind.into()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.what)
    }
}

impl From<anyhow::Error> for Fault {
    fn from(what: anyhow::Error) -> Self {
        Self { kind: Kind::Failed, what, hint: None }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        anyhow::Error::new(error).context("writing the output failed").into()
    }
}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Self {
        let hint = Some(error.hint());
        Self { kind: Kind::Usage, what: error.into(), hint }
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        let kind = match &error {
            EngineError::Store { source, .. } => kind(source),
            EngineError::NoSession(_) | EngineError::Ambiguous { .. } => Kind::NotFound,
            _ => Kind::Failed,
        };
        let hint = error.hint();
        Self { kind, what: error.into(), hint }
    }
}

const fn kind(error: &StoreError) -> Kind {
    match error {
        StoreError::Damaged { .. } => Kind::Damaged,
        // What was to be written is wrong, not the store.
        StoreError::TooBig { .. }
        | StoreError::Shape { .. }
        | StoreError::IdReused { .. }
        | StoreError::NoParent { .. } => Kind::Failed,
        _ => Kind::Store,
    }
}
