//! Installs the pinned clients, each in a folder of its own with a stamp that says which version stands there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{namespace, workspace};

/// Written last, so that an interrupted installation is done again.
const STAMP: &str = ".runsheet-stamp";

/// The folder the clients stand under.
pub(crate) fn root() -> Result<PathBuf> {
    if let Some(root) = std::env::var_os("RUNSHEET_CLIENTS") {
        return Ok(root.into());
    }
    let home = std::env::var_os("HOME").context("HOME is not set; set it, or set RUNSHEET_CLIENTS to a folder")?;
    Ok(Path::new(&home).join(".cache/runsheet-clients"))
}

/// Installs every tool of these groups that is not there in its pinned version.
pub(crate) fn all(root: &Path, groups: &[String]) -> Result<()> {
    fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
    let lock = File::create(root.join(".lock")).with_context(|| format!("cannot write in {}", root.display()))?;
    lock.lock().context("cannot lock the clients' folder")?;
    let path = workspace().join("tests/clients.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let pins: Vec<Value> = serde_json::from_str(&text).with_context(|| format!("{} is not a list", path.display()))?;
    let wanted = |pin: &&Value| {
        let mut of = pin["for"].as_array().into_iter().flatten();
        of.any(|group| groups.iter().any(|wanted| group == wanted.as_str()))
    };
    for pin in pins.iter().filter(wanted) {
        Tool::read(root, pin)?.install()?;
    }
    Ok(())
}

struct Tool {
    name: String,
    version: String,
    folder: PathBuf,
    /// npm's own Node, which some of them need; first in the path of every installation once it is there.
    node: PathBuf,
    how: How,
}

enum How {
    Npm(Vec<String>),
    /// A `package.json` of ours, for one whose own dependencies cannot be resolved as they stand.
    Manifest(PathBuf),
    Pip(Vec<String>),
}

impl Tool {
    fn read(root: &Path, pin: &Value) -> Result<Self> {
        let text = |key: &str| pin[key].as_str().map(str::to_owned);
        let list = |key: &str| {
            pin[key].as_array().map(|list| list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        };
        let name = text("tool").with_context(|| format!("a pin has no `tool`: {pin}"))?;
        let version = text("version").with_context(|| format!("the pin of {name} has no `version`"))?;
        let how = match (list("npm"), text("manifest"), list("pip")) {
            (Some(packages), None, None) => How::Npm(packages),
            (None, Some(file), None) => How::Manifest(workspace().join("tests").join(file)),
            (None, None, Some(packages)) => How::Pip(packages),
            _ => bail!("the pin of {name} needs one of `npm`, `manifest`, `pip`"),
        };
        Ok(Self { folder: root.join(&name), node: root.join("node/node_modules/node/bin"), name, version, how })
    }

    fn install(&self) -> Result<()> {
        let stamp = self.folder.join(STAMP);
        let wanted = self.stamp()?;
        if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
            println!("{} {} is there", self.name, self.version);
            return Ok(());
        }
        let started = Instant::now();
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).with_context(|| format!("cannot remove {}", self.folder.display()))?;
        }
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        match &self.how {
            How::Npm(packages) => {
                fs::write(self.folder.join("package.json"), "{\"private\":true}")?;
                self.npm(packages.iter().map(String::as_str))?;
            }
            How::Manifest(file) => {
                fs::copy(file, self.folder.join("package.json"))
                    .with_context(|| format!("cannot copy {}", file.display()))?;
                // Resolving its peers takes npm without end; the ones it needs are named in the manifest.
                self.npm(["--legacy-peer-deps"])?;
            }
            How::Pip(packages) => self.pip(packages)?,
        }
        fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
        println!("{} {} installed in {:.0} s", self.name, self.version, started.elapsed().as_secs_f64());
        Ok(())
    }

    /// What the stamp must say: a changed pin is installed anew.
    fn stamp(&self) -> Result<String> {
        Ok(match &self.how {
            How::Npm(packages) | How::Pip(packages) => packages.join(" "),
            How::Manifest(file) => {
                fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
            }
        })
    }

    fn npm<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<()> {
        ensure!(namespace::has("npm"), "`npm` is missing; install Node.js 20 or newer, which brings it");
        let mut command = Command::new("npm");
        command.args(["install", "--no-fund", "--no-audit", "--loglevel=error"]).args(arguments);
        // Newer clients hide or refuse their newest version on an older Node.
        if self.node.join("node").exists() {
            let mut path = OsString::from(&self.node);
            path.push(":");
            path.push(std::env::var_os("PATH").unwrap_or_default());
            command.env("PATH", path);
        }
        self.run(&mut command)
    }

    fn pip(&self, packages: &[String]) -> Result<()> {
        ensure!(namespace::has("python3"), "`python3` is missing; install the packages `python3` and `python3-venv`");
        self.run(Command::new("python3").args(["-m", "venv", "."])).with_context(|| {
            "cannot make a Python environment; on Debian install the package `python3-venv`".to_owned()
        })?;
        self.run(Command::new("bin/pip").args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))
    }

    fn run(&self, command: &mut Command) -> Result<()> {
        let status = command.current_dir(&self.folder).status();
        let status = status.with_context(|| format!("cannot start {:?} for {}", command.get_program(), self.name))?;
        ensure!(status.success(), "installing {} {} ended with {status}", self.name, self.version);
        Ok(())
    }
}
