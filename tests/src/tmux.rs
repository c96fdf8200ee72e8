//! A terminal for a client that only shows some of its ways to a person.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::process::eventually;
use crate::sandbox::Sandbox;

/// A client in a terminal of its own.
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// Starts `command` in a terminal of 120 by 40.
    pub fn start(sandbox: &Sandbox, command: &Command) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let socket = format!("runsheet-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let script = sandbox.write("terminal.sh", &shell_script(command, &sandbox.logs()));
        let terminal = Self { socket };
        let start = ["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", "sh"];
        let started = terminal.tmux().args(start).arg(script).status();
        let started = started.expect("tmux is not installed; install the package `tmux`");
        assert!(started.success(), "tmux did not start: {started}");
        terminal
    }

    /// What stands on the screen.
    pub fn screen(&self) -> String {
        let output = self.tmux().args(["capture-pane", "-p"]).output().expect("tmux can be asked");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Whether the client still runs.
    pub fn is_running(&self) -> bool {
        self.tmux().arg("has-session").status().is_ok_and(|status| status.success())
    }

    /// Waits until a text stands on the screen.
    pub fn wait_for(&self, text: &str) {
        eventually(&format!("{text:?} on the terminal"), || {
            assert!(self.is_running(), "the client ended while the test waited for {text:?} on the terminal");
            self.screen().contains(text)
        });
    }

    /// Types a line and sends it, once the client shows it: a paste that comes with its Enter is taken as one text.
    pub fn type_line(&self, line: &str) {
        self.keys(&["-l", line]);
        self.wait_for(line);
        self.keys(&["Enter"]);
    }

    /// Sends keys by tmux' names for them.
    pub fn keys(&self, keys: &[&str]) {
        let sent = self.tmux().arg("send-keys").args(keys).status().expect("tmux can be asked");
        assert!(sent.success(), "tmux took no keys: {sent}");
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.env_remove("TMUX").args(["-L", &self.socket]).stdin(Stdio::null()).stderr(Stdio::null());
        command
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the terminal at the end:\n{}", self.screen());
        }
        let _ = self.tmux().arg("kill-server").status();
    }
}

/// The command as a script, because tmux hands on the environment of its server and not of this process.
fn shell_script(command: &Command, logs: &Path) -> String {
    let quote = |text: &std::ffi::OsStr| format!("'{}'", text.to_string_lossy().replace('\'', r"'\''"));
    let folder = command.get_current_dir().map(|folder| quote(folder.as_os_str())).unwrap_or_default();
    let mut words = vec!["exec env -i".to_owned()];
    let set = command.get_envs().filter_map(|(key, value)| Some((key, value?)));
    words.extend(set.map(|(key, value)| format!("{}={}", key.to_string_lossy(), quote(value))));
    words.push(quote(command.get_program()));
    words.extend(command.get_args().map(quote));
    format!("cd {folder}\n{} 2>{}\n", words.join(" "), quote(logs.join("terminal.stderr").as_os_str()))
}
