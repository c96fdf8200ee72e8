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
    /// Causes that stand beside each other.
    causes: Vec<String>,
    hint: Option<String>,
}

/// The most causes that are said one by one.
const MAX_CAUSES: usize = 20;

impl Fault {
    /// The command line or the configuration is wrong.
    pub(crate) fn usage(what: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self::of(Kind::Usage, anyhow::Error::msg(what))
    }

    /// Something is not there.
    pub(crate) fn not_found(what: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self::of(Kind::NotFound, anyhow::Error::msg(what))
    }

    /// The store is damaged, in one place or more; the rest of the command was done.
    pub(crate) fn damaged(
        what: impl fmt::Display + fmt::Debug + Send + Sync + 'static,
        mut places: Vec<String>,
    ) -> Self {
        if places.len() > MAX_CAUSES {
            let more = places.len() - MAX_CAUSES;
            places.truncate(MAX_CAUSES);
            places.push(format!("and {more} more"));
        }
        Self { causes: places, ..Self::of(Kind::Damaged, anyhow::Error::msg(what)) }
    }

    const fn of(kind: Kind, what: anyhow::Error) -> Self {
        Self { kind, what, causes: Vec::new(), hint: None }
    }

    /// Whether the store is damaged.
    pub(crate) fn is_damage(&self) -> bool {
        self.kind == Kind::Damaged
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
        for cause in &self.causes {
            say(Look::Red, "cause:", cause);
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
        Self::of(Kind::Failed, what)
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        anyhow::Error::new(error).context("writing the output failed").into()
    }
}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Self {
        let hint = error.hint();
        Self::of(Kind::Usage, error.into()).hint(hint)
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
        Self { hint, ..Self::of(kind, error.into()) }
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
