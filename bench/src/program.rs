//! The programs that are measured: our own binary, and the server it is compared with.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The release the limits were set against.
const EVERYTHING_VERSION: &str = "2026.8.31";
const EVERYTHING: &str = "node_modules/@modelcontextprotocol/server-everything";

/// The release build of `runsheet`, made first unless it is fresh: a stale one would be measured unnoticed.
pub(crate) fn runsheet() -> Result<&'static Path> {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    if let Some(built) = BUILT.get() {
        return Ok(built);
    }
    let own = env::current_exe().context("cannot find this program's own file")?;
    let folder = own.parent().context("this program lies in no folder")?;
    let target = folder.parent().context("this program does not lie in a target folder")?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--quiet", "--package", "runsheet", "--target-dir"]).arg(target);
    build.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::null());
    let built = folder.join("runsheet");
    let _ = writeln!(io::stderr(), "building `runsheet`, unless it is fresh");
    match build.status() {
        Ok(status) if status.success() => {}
        Ok(status) => bail!("`cargo build --release --package runsheet` failed ({status})"),
        // Without cargo, what lies there is what there is.
        Err(_) if built.exists() => {}
        Err(error) => return Err(error).context("cannot run cargo to build `runsheet`"),
    }
    Ok(BUILT.get_or_init(|| built))
}

/// `runsheet mcp` on a store, away from the configuration and the sessions of whoever runs this.
pub(crate) fn runsheet_mcp(store: &Path) -> Result<Command> {
    let folder = store.parent().context("the store lies in no folder")?;
    let mut command = bare(runsheet()?, folder);
    command.arg("--store").arg(store).arg("mcp");
    Ok(command)
}

/// A program with an environment of its own.
pub(crate) fn bare(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", folder).current_dir(folder);
    if let Some(path) = env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}

/// server-everything over stdio, or the sentence that says how to get it.
pub(crate) fn everything(folder: &Path) -> Result<Command, String> {
    let clients = clients_folder()?;
    // Where the installer puts each tool, and where one installer put them all.
    let homes = [clients.join("server-everything"), clients.join("npm/mcp")];
    let Some(package) = homes.iter().map(|home| home.join(EVERYTHING)).find(|package| package.exists()) else {
        return Err(format!(
            "@modelcontextprotocol/server-everything is not under `{}`; `cargo xtask test --clients mcp` installs it",
            clients.display()
        ));
    };
    let version = std::fs::read_to_string(package.join("package.json"))
        .ok()
        .and_then(|text| serde_json::from_str::<Value>(&text).ok())
        .and_then(|manifest| manifest["version"].as_str().map(ToOwned::to_owned));
    if version.as_deref() != Some(EVERYTHING_VERSION) {
        return Err(format!(
            "`{}` is version {}, the limit is set against {EVERYTHING_VERSION}",
            package.display(),
            version.as_deref().unwrap_or("unknown")
        ));
    }
    let mut command = bare(Path::new("node"), folder);
    command.arg(package.join("dist/index.js")).arg("stdio");
    Ok(command)
}

fn clients_folder() -> Result<PathBuf, String> {
    match (env::var_os("RUNSHEET_CLIENTS"), env::var_os("HOME")) {
        (Some(clients), _) => Ok(clients.into()),
        (None, Some(home)) => Ok(Path::new(&home).join(".cache/runsheet-clients")),
        (None, None) => Err("neither RUNSHEET_CLIENTS nor HOME is set".into()),
    }
}
