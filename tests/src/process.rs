//! Child processes with a limit, their output in files, and their whole group gone at the end.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// How long a client may take before it counts as hung. Not a measure of speed: a loaded machine gets there too.
pub const HUNG: Duration = Duration::from_secs(240);

/// A started child, its group killed when this goes.
pub struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

/// A child that ended.
pub struct Finished {
    /// How.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

impl Running {
    /// Starts a child with its output in `<folder>/<name>.stdout|stderr`.
    pub fn start(command: &mut Command, folder: &Path, name: &str) -> Self {
        let file = |end: &str| folder.join(format!("{name}.{end}"));
        let create = |path: &Path| File::create(path).expect("the sandbox can be written");
        let (stdout, stderr) = (file("stdout"), file("stderr"));
        command.stdin(Stdio::null()).stdout(create(&stdout)).stderr(create(&stderr)).process_group(0);
        let child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        Self { child, stdout, stderr }
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child of ours can be asked").is_none()
    }

    /// What it printed so far.
    pub fn printed(&self) -> String {
        read(&self.stdout)
    }

    /// What it complained about so far.
    pub fn complained(&self) -> String {
        read(&self.stderr)
    }

    /// Asks it to end and waits.
    pub fn terminate(self) -> Finished {
        // One that has ended already was not waited for yet, so the id is still its own.
        let _ = kill_process(self.pid(), Signal::TERM);
        self.wait()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Waits for its end; a panic with its last words when it hangs.
    pub fn wait(mut self) -> Finished {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child of ours can be asked") {
                return Finished { status, stdout: self.printed(), stderr: self.complained() };
            }
            if started.elapsed() > HUNG {
                panic!("it hung; its last words:\n{}\n{}", tail(&self.printed()), tail(&self.complained()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The group, because clients start servers and leave some of them behind.
        let _ = kill_process_group(self.pid(), Signal::KILL);
        let _ = self.child.wait();
    }
}

impl Finished {
    /// Fails the test unless it ended well.
    pub fn succeeded(self, what: &str) -> Self {
        assert!(
            self.status.success(),
            "{what} ended with {}; its last words:\n{}\n{}",
            self.status,
            tail(&self.stdout),
            tail(&self.stderr)
        );
        self
    }
}

/// Waits until something holds, or fails the test saying what did not come.
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < HUNG, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The end of a long text.
pub fn tail(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(40)..];
    last.iter().map(|line| line.chars().take(600).collect::<String>()).collect::<Vec<_>>().join("\n")
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}
