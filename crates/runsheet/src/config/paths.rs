//! Where files are looked for.

use std::path::{Path, PathBuf};

use super::load::Environment;

/// A project's file.
pub(crate) const PROJECT_FILE: &str = ".runsheet.toml";

/// How far up a project's file is looked for.
const MAX_UP: usize = 64;

/// The user's file.
pub(crate) fn user_file(env: &Environment) -> Option<PathBuf> {
    base(env, "XDG_CONFIG_HOME", ".config").map(|base| base.join("runsheet/config.toml"))
}

/// The store, where nothing names one.
pub(crate) fn default_store(env: &Environment) -> Option<PathBuf> {
    base(env, "XDG_DATA_HOME", ".local/share").map(|base| base.join("runsheet/runsheet.db"))
}

/// A base folder of the XDG specification, which says that a relative one is to be ignored.
fn base(env: &Environment, variable: &str, below_home: &str) -> Option<PathBuf> {
    let set = env.get(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| home(env).map(|home| home.join(below_home)))
}

/// The home folder.
pub(crate) fn home(env: &Environment) -> Option<PathBuf> {
    env.get("HOME").map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The project's file of a folder: the nearest one, upwards, below the home folder.
pub(crate) fn project_file(env: &Environment, folder: &Path) -> Option<PathBuf> {
    let home = home(env);
    folder
        .ancestors()
        .take(MAX_UP)
        .take_while(|folder| home.as_deref() != Some(*folder))
        .map(|folder| folder.join(PROJECT_FILE))
        .find(|file| file.is_file())
}
