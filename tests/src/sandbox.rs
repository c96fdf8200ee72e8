//! One test's own folders: home, workspace, store and logs.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::{namespace, pins};

/// A fresh folder for one test, removed when the test passes and kept, for reading, when it fails.
pub struct Sandbox {
    root: PathBuf,
    workspace: PathBuf,
    started: Instant,
}

impl Sandbox {
    /// The folders of the running test. It stands under the clients' root and not under a temporary folder,
    /// because Codex installs no helper programs under one.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        namespace::require();
        let runs = std::env::var_os("RUNSHEET_E2E_RUNS")
            .map_or_else(|| pins::root().join("runs").join(std::process::id().to_string()), PathBuf::from);
        let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
        let root = runs.join(format!("{}-{name}", NEXT.fetch_add(1, Ordering::Relaxed)));
        for folder in ["home", "workspace", "logs"] {
            fs::create_dir_all(root.join(folder)).expect("the clients' root can be written");
        }
        Self { workspace: root.join("workspace"), root, started: Instant::now() }
    }

    /// A second client's home and settings, in the same workspace.
    #[must_use]
    pub fn sharing_workspace(&self) -> Self {
        let mut other = Self::new();
        other.workspace.clone_from(&self.workspace);
        other
    }

    /// The client's HOME.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The folder the client works in.
    pub fn workspace(&self) -> PathBuf {
        self.workspace.clone()
    }

    /// The store under test.
    pub fn store(&self) -> PathBuf {
        self.root.join("runsheet.db")
    }

    /// Where outputs are kept.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Writes a file of the sandbox and says where it is.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.root.join(name);
        let folder = path.parent().expect("a file stands in a folder");
        fs::create_dir_all(folder).expect("the clients' root can be written");
        fs::write(&path, content).expect("the clients' root can be written");
        path
    }

    /// A command that sees this sandbox and nothing of the person's own settings: a test started from inside an
    /// agent would otherwise hand that agent's session on to the client.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.workspace()).env("HOME", self.home());
        command.env("LANG", "C.UTF-8").env("TERM", "xterm").env("SHELL", "/bin/sh");
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// For the table `cargo xtask test --clients` prints.
    fn note_time(&self) {
        let Some(path) = std::env::var_os("RUNSHEET_E2E_TIMES") else { return };
        let name = std::thread::current().name().unwrap_or("test").to_owned();
        let file = OpenOptions::new().create(true).append(true).open(path);
        // A time that cannot be noted is no reason to fail.
        let _ = file.and_then(|mut file| writeln!(file, "{:.1}\t{name}", self.started.elapsed().as_secs_f64()));
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("kept for reading: {}", self.root.display());
        } else {
            // A client that writes on its way out may hold a file for a moment; the next run clears what is left.
            let _ = fs::remove_dir_all(&self.root);
        }
        self.note_time();
    }
}

/// Puts npm's own Node in front, for a client that needs a newer one than the machine has.
pub fn with_new_node(command: &mut Command) -> &mut Command {
    let mut path = pins::node_folder().into_os_string();
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    command.env("PATH", path)
}
