//! Our binary, as a person would call it.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::process::{Running, eventually};
use crate::sandbox::Sandbox;

/// The built binary on one test's store.
pub struct Runsheet<'a> {
    sandbox: &'a Sandbox,
    bin: PathBuf,
}

/// A running `runsheet serve`.
pub struct Served {
    /// Its MCP address.
    pub url: String,
    running: Running,
}

impl<'a> Runsheet<'a> {
    /// The binary `RUNSHEET_BIN` names, else the one built beside this test.
    pub fn new(sandbox: &'a Sandbox) -> Self {
        let bin = std::env::var_os("RUNSHEET_BIN").map_or_else(beside_this_test, PathBuf::from);
        assert!(bin.exists(), "{} is missing; build it with `cargo build --bin runsheet`", bin.display());
        Self { sandbox, bin }
    }

    /// `[program, arguments…]` of the stdio server.
    pub fn stdio_server(&self) -> Vec<String> {
        self.line("mcp")
    }

    /// The shell line of the hook.
    pub fn hook_line(&self) -> String {
        self.line("hook").iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
    }

    /// Runs a reading command with `--json`.
    pub fn json(&self, args: &[&str]) -> Value {
        let name = format!("runsheet-{}", args[0]);
        let mut command = self.command(args);
        command.arg("--json");
        let finished = Running::start(&mut command, &self.sandbox.logs(), &name).wait();
        let finished = finished.succeeded(&format!("runsheet {}", args.join(" ")));
        serde_json::from_str(&finished.stdout).unwrap_or_else(|error| {
            panic!("runsheet {} --json printed no JSON ({error}): {}", args.join(" "), finished.stdout)
        })
    }

    /// The sessions of the store, newest first.
    pub fn sessions(&self) -> Vec<Value> {
        let listed = self.json(&["ls"]);
        listed["sessions"].as_array().unwrap_or_else(|| panic!("ls --json has no sessions: {listed}")).clone()
    }

    /// One session.
    pub fn show(&self, session: &str) -> Value {
        self.json(&["show", session])
    }

    /// Starts a command that goes on, such as `log --follow`.
    pub fn start(&self, args: &[&str], name: &str) -> Running {
        Running::start(&mut self.command(args), &self.sandbox.logs(), name)
    }

    /// Starts `serve` on a free port and waits until it listens.
    pub fn serve(&self) -> Served {
        let port = free_port();
        let mut running = self.start(&["serve", "--port", &port.to_string()], "runsheet-serve");
        eventually("runsheet serve to listen", || {
            assert!(running.is_running(), "runsheet serve ended: {}", running.complained());
            std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        Served { url: format!("http://127.0.0.1:{port}/mcp"), running }
    }

    fn line(&self, command: &str) -> Vec<String> {
        let store = self.sandbox.store();
        vec![self.bin.display().to_string(), "--store".into(), store.display().to_string(), command.into()]
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(&self.bin);
        command.arg("--store").arg(self.sandbox.store()).args(args);
        command
    }
}

impl Served {
    /// Ends it as a service manager would.
    pub fn terminate(self) {
        self.running.terminate().succeeded("runsheet serve");
    }
}

fn beside_this_test() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own program");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("cargo builds tests in target/<profile>/deps");
    folder.join("runsheet")
}

fn free_port() -> u16 {
    let probe = TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
    probe.local_addr().expect("the port of a bound listener").port()
}
