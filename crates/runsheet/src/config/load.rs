//! The layers, and what they come to.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use super::{
    error::{ConfigError, Fault},
    file::{self, Layer},
    keys::{KEYS, Key, Value},
    nearest::nearest,
    paths,
    typed::Config,
};

/// The environment variables, as they were at the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(BTreeMap<String, String>);

impl Environment {
    /// This process's. A variable that is no text sets nothing.
    pub(crate) fn of_process() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self(std::env::vars_os().filter_map(text).collect())
    }

    /// A variable that is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

/// Variables that begin as keys' do and are none.
const OTHER_VARIABLES: &[&str] = &["RUNSHEET_CONFIG"];

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    User(PathBuf),
    Project(PathBuf),
    Variable(String),
    Flag(&'static str),
}

impl Origin {
    /// The layer's name, for programs.
    pub(crate) const fn layer(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User(_) => "user",
            Self::Project(_) => "project",
            Self::Variable(_) => "env",
            Self::Flag(_) => "flag",
        }
    }

    /// The file, variable or flag.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Default => None,
            Self::User(path) | Self::Project(path) => Some(path.display().to_string()),
            Self::Variable(name) => Some(name.clone()),
            Self::Flag(name) => Some((*name).into()),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some(place) => f.write_str(&place),
            None => f.write_str("default"),
        }
    }
}

/// One key, as the layers have it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: &'static Key,
    pub(crate) value: Option<Value>,
    pub(crate) origin: Origin,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What the layers come to.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// Every key, in the table's order.
    pub(crate) entries: Vec<Entry>,
    /// Keys of a project's file that it may not set, and the file.
    pub(crate) ignored: Vec<(&'static str, PathBuf)>,
    /// What is wrong with a project's file: it comes with a repository, which must not decide whether we start, so
    /// nothing of it counts.
    pub(crate) left_out: Option<ConfigError>,
    /// The values, typed.
    pub(crate) config: Config,
}

/// Reads the layers.
#[derive(Debug)]
pub(crate) struct Loader {
    env: Environment,
    user_file: Option<PathBuf>,
    /// Whether somebody named the user's file: then it must be there.
    named: bool,
    flags: Vec<(&'static str, &'static Key, Value)>,
}

impl Loader {
    /// A loader under an environment, with another user's file if one was named.
    pub(crate) fn new(env: Environment, config: Option<PathBuf>) -> Self {
        let named = config.or_else(|| env.get("RUNSHEET_CONFIG").map(PathBuf::from));
        let (named, user_file) = (named.is_some(), named.or_else(|| paths::user_file(&env)));
        Self { env, user_file, named, flags: Vec::new() }
    }

    /// A flag that sets a key.
    pub(crate) fn flag(&mut self, flag: &'static str, name: &'static str, text: &str) -> Result<(), ConfigError> {
        let origin = Origin::Flag(flag);
        let Some(key) = super::keys::key(name) else {
            return Err(ConfigError { origin, fault: file::unknown(name.into()) });
        };
        match key.parse(text) {
            Ok(value) => {
                self.flags.push((flag, key, value));
                Ok(())
            }
            Err(takes) => Err(ConfigError { origin, fault: wrong(key, takes, text) }),
        }
    }

    /// The files that decide for a folder, there or not.
    pub(crate) fn files(&self, folder: Option<&Path>) -> Vec<PathBuf> {
        let project = folder.and_then(|folder| paths::project_file(&self.env, folder));
        self.user_file.iter().cloned().chain(project).collect()
    }

    /// The configuration of a folder.
    pub(crate) fn load(&self, folder: Option<&Path>) -> Result<Resolved, ConfigError> {
        let mut entries: Vec<Entry> =
            KEYS.iter().map(|key| Entry { key, value: (key.default)(), origin: Origin::Default }).collect();
        let mut set = |key: &'static Key, value, origin| {
            if let Some(entry) = entries.iter_mut().find(|entry| entry.key.name == key.name) {
                *entry = Entry { key, value: Some(value), origin };
            }
        };
        if let Some(path) = &self.user_file {
            let origin = Origin::User(path.clone());
            let layer = match file::read(path, &origin)? {
                None if self.named => {
                    let fault = Fault::Unreadable { reason: "there is no such file".into() };
                    return Err(ConfigError { origin, fault });
                }
                layer => layer.unwrap_or_default(),
            };
            layer.into_iter().for_each(|(key, value)| set(key, value, origin.clone()));
        }
        let (mut ignored, mut left_out) = (Vec::new(), None);
        if let Some(path) = folder.and_then(|folder| paths::project_file(&self.env, folder)) {
            let origin = Origin::Project(path.clone());
            let layer = file::read(&path, &origin).unwrap_or_else(|error| {
                left_out = Some(error);
                None
            });
            for (key, value) in layer.unwrap_or_default() {
                if key.project {
                    set(key, value, origin.clone());
                } else {
                    ignored.push((key.name, path.clone()));
                }
            }
        }
        for (key, value) in self.variables()? {
            set(key, value, Origin::Variable(key.variable()));
        }
        for (flag, key, value) in &self.flags {
            set(key, value.clone(), Origin::Flag(flag));
        }
        let config = Config::new(&entries, &self.env);
        Ok(Resolved { entries, ignored, left_out, config })
    }

    fn variables(&self) -> Result<Layer, ConfigError> {
        let mut layer = Layer::new();
        for key in KEYS {
            let variable = key.variable();
            let Some(text) = self.env.get(&variable) else { continue };
            let value = key
                .parse(text)
                .map_err(|takes| ConfigError { origin: Origin::Variable(variable), fault: wrong(key, takes, text) })?;
            layer.push((key, value));
        }
        Ok(layer)
    }

    /// Sentences about variables that look like keys' and are none: other programs may have their own, so they are no
    /// error.
    pub(crate) fn strange_variables(&self) -> Vec<String> {
        let ours = |name: &str| OTHER_VARIABLES.contains(&name) || KEYS.iter().any(|key| key.variable() == name);
        let strange = self.env.0.keys().filter(|name| name.starts_with("RUNSHEET_") && !ours(name));
        strange
            .filter_map(|name| {
                let guess = name["RUNSHEET_".len()..].to_lowercase().replacen('_', ".", 1);
                let meant = nearest(&guess).and_then(super::keys::key)?.variable();
                Some(format!("the variable {name} sets nothing; did you mean {meant}?"))
            })
            .collect()
    }
}

fn wrong(key: &'static Key, takes: String, got: &str) -> Fault {
    Fault::Wrong { name: key.name, takes, got: format!("{got:?}") }
}
