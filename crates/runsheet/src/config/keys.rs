//! Every key there is.

use std::fmt;

use runsheet_core::dialect::{self, ListBounds};

/// A key's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Bool(bool),
    Integer(u64),
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "{value:?}"),
        }
    }
}

impl From<&Value> for serde_json::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(value) => (*value).into(),
            Value::Integer(value) => (*value).into(),
            Value::Text(value) => value.clone().into(),
        }
    }
}

/// What a key takes.
pub(crate) enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number from the first to the second.
    Integer(u64, u64),
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// A path.
    Path,
    /// An IP address.
    Address,
}

impl Kind {
    /// What it takes, in words that follow "takes".
    pub(crate) fn takes(&self) -> String {
        match self {
            Self::Bool => "true or false".into(),
            Self::Integer(min, max) => format!("a whole number from {min} to {max}"),
            Self::OneOf(words) => words().iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or "),
            Self::Path => "a path".into(),
            Self::Address => "an IP address".into(),
        }
    }

    /// Whether a value is one it takes.
    fn fits(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_)) => true,
            (Self::Integer(min, max), Value::Integer(value)) => (min..=max).contains(&value),
            (Self::OneOf(words), Value::Text(word)) => words().contains(&&**word),
            (Self::Path, Value::Text(path)) => !path.is_empty(),
            (Self::Address, Value::Text(address)) => address.parse::<std::net::IpAddr>().is_ok(),
            _ => false,
        }
    }
}

/// One key.
pub(crate) struct Key {
    /// Its name, `section.key`.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) kind: Kind,
    /// Its value where nothing sets it; `None` is unset, or found when it is needed.
    pub(crate) default: fn() -> Option<Value>,
    /// The default in words, where it is not a value.
    pub(crate) default_words: &'static str,
    /// What it means, in a sentence.
    pub(crate) meaning: &'static str,
    /// Whether a project's file, which came with a cloned repository, may set it.
    pub(crate) project: bool,
}

impl Key {
    /// The variable of the environment that sets it.
    pub(crate) fn variable(&self) -> String {
        format!("RUNSHEET_{}", self.name.to_uppercase().replace('.', "_"))
    }

    /// The default, for people.
    pub(crate) fn default_shown(&self) -> String {
        (self.default)().map_or_else(|| self.default_words.to_owned(), |value| value.to_string())
    }

    /// A value, if the key takes it; else what it does take.
    pub(crate) fn check(&self, value: Value) -> Result<Value, String> {
        if self.kind.fits(&value) { Ok(value) } else { Err(self.kind.takes()) }
    }

    /// A value written as text, as in a variable.
    pub(crate) fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match self.kind {
            Kind::Bool => text.parse().map(Value::Bool).ok(),
            Kind::Integer(..) => text.parse().map(Value::Integer).ok(),
            Kind::OneOf(_) | Kind::Path | Kind::Address => Some(Value::Text(text.into())),
        };
        value.map_or_else(|| Err(self.kind.takes()), |value| self.check(value))
    }
}

/// The key of a name.
pub(crate) fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

fn bound(of: fn(ListBounds) -> usize) -> Option<Value> {
    Some(Value::Integer(of(ListBounds::default()) as u64))
}

/// All keys, by section.
pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "todo.dialect",
        kind: Kind::OneOf(|| dialect::dialects().iter().map(|dialect| dialect.name()).collect()),
        default: || Some(Value::Text(dialect::DEFAULT.into())),
        default_words: "",
        meaning: "The todo tools an agent is offered.",
        project: true,
    },
    Key {
        name: "todo.allow_parallel_in_progress",
        kind: Kind::Bool,
        default: || None,
        default_words: "the dialect's own rule",
        meaning: "Whether several items may be in progress at once. Set, it rules every dialect: what the model is told \
                  and what is refused move together. What was written before is not touched.",
        project: true,
    },
    Key {
        name: "todo.max_items",
        kind: Kind::Integer(1, 100_000),
        default: || bound(|bounds| bounds.max_items),
        default_words: "",
        meaning: "The most items in a list.",
        project: true,
    },
    Key {
        name: "todo.max_item_bytes",
        kind: Kind::Integer(1, 128 * 1024),
        default: || bound(|bounds| bounds.max_item_bytes),
        default_words: "",
        meaning: "The most bytes of text in an item.",
        project: true,
    },
    Key {
        name: "todo.max_list_bytes",
        kind: Kind::Integer(1, 128 * 1024),
        default: || bound(|bounds| bounds.max_list_bytes),
        default_words: "",
        meaning: "The most bytes of text in a list.",
        project: true,
    },
    Key {
        name: "todo.max_depth",
        kind: Kind::Integer(3, 64),
        default: || bound(|bounds| bounds.max_depth),
        default_words: "",
        meaning: "The deepest nesting in the arguments of a call; a plain list has three levels.",
        project: true,
    },
    Key {
        name: "mcp.structured",
        kind: Kind::Bool,
        default: || Some(Value::Bool(false)),
        default_words: "",
        meaning: "Whether results carry structured content beside their text. Codex and Claude Code then hide the text \
                  from the model.",
        project: true,
    },
    Key {
        name: "mcp.anonymous",
        kind: Kind::OneOf(|| vec!["refuse", "share"]),
        default: || Some(Value::Text("refuse".into())),
        default_words: "",
        meaning: "What becomes of calls over HTTP that name no session: they are refused, or share one session.",
        project: false,
    },
    Key {
        name: "mcp.max_sessions",
        kind: Kind::Integer(1, 100_000),
        default: || Some(Value::Integer(256)),
        default_words: "",
        meaning: "The most MCP sessions open at once over HTTP.",
        project: false,
    },
    Key {
        name: "mcp.max_body_bytes",
        kind: Kind::Integer(1_024, 64 << 20),
        default: || Some(Value::Integer(8 << 20)),
        default_words: "",
        meaning: "The longest MCP message.",
        project: false,
    },
    Key {
        name: "store.path",
        kind: Kind::Path,
        default: || None,
        default_words: "`$XDG_DATA_HOME/runsheet/runsheet.db` (`~/.local/share/runsheet/runsheet.db`)",
        meaning: "The store. `~/` is the home folder; in a file, a relative path begins at the file's folder.",
        project: false,
    },
    Key {
        name: "store.durability",
        kind: Kind::OneOf(|| vec!["full", "normal"]),
        default: || Some(Value::Text("full".into())),
        default_words: "",
        meaning: "What an answer promises: `full`, what is written survives a loss of power; `normal`, a crash of any \
                  process, while a loss of power may take the last events.",
        project: false,
    },
    Key {
        name: "serve.bind",
        kind: Kind::Address,
        default: || Some(Value::Text("127.0.0.1".into())),
        default_words: "",
        meaning: "The address `runsheet serve` listens at. Only loopback addresses in this version.",
        project: false,
    },
    Key {
        name: "serve.port",
        kind: Kind::Integer(0, 65_535),
        default: || Some(Value::Integer(4_477)),
        default_words: "",
        meaning: "The port `runsheet serve` listens on; 0 takes a free one.",
        project: false,
    },
];
