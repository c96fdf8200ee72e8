//! A place of its own for each test, and an agent that speaks MCP to the binary.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const EXE: &str = env!("CARGO_BIN_EXE_runsheet");

/// A home folder and a project's folder below it, and nothing of the machine's own configuration.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        fs::create_dir_all(place.path("project")).unwrap();
        place
    }

    /// A path in the home folder.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(below)
    }

    /// The default store.
    pub(crate) fn store(&self) -> PathBuf {
        self.path(".local/share/runsheet/runsheet.db")
    }

    pub(crate) fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(EXE);
        command.args(args).env_clear().env("HOME", self.path("")).current_dir(self.path("project"));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().unwrap()
    }

    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that reads only so much closes its end before we have written all.
        _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    /// What a run shows: both outputs and the exit code, with this place's paths taken out.
    pub(crate) fn shown(&self, args: &[&str]) -> String {
        self.plain(&self.run(args))
    }

    pub(crate) fn plain(&self, output: &Output) -> String {
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let text = format!("{stdout}{stderr}exit {}\n", output.status.code().unwrap());
        let home = self.path("");
        text.replace(home.to_str().unwrap(), "[home]/").replace(EXE, "[exe]")
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.run(args);
        assert!(output.status.success(), "{}", self.plain(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The contents of the items a session's scope has.
    pub(crate) fn items(&self, session: &str, scope: &str) -> Vec<String> {
        let shown = self.json(&["show", session, "--json"]);
        let list = shown["lists"].as_array().unwrap().iter().find(|list| list["scope"] == scope);
        let items = list.map(|list| list["items"].as_array().unwrap().clone()).unwrap_or_default();
        items.iter().map(|item| item["content"].as_str().unwrap().to_owned()).collect()
    }
}

/// What differs from run to run: ids and ages. Columns that an age's length moves are one blank.
pub(crate) fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "[id]"),
        (r"\b[0-9a-f]{8}(-[0-9a-f-]*)?\b", "[id]"),
        (r" +\b\d+[smhd]\b", " [age]"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "[time]"),
        (r"runsheet/\d+\.\d+\.\d+", "runsheet/[version]"),
    ]
}

/// Compares what was shown with a snapshot.
macro_rules! check {
    ($shown:expr, @$expected:literal) => {
        insta::with_settings!({filters => $crate::harness::filters()}, {
            insta::assert_snapshot!($shown, @$expected);
        })
    };
}
pub(crate) use check;

/// Items in these states.
pub(crate) fn todos(items: &[(&str, &str)]) -> Value {
    items.iter().map(|(content, status)| json!({"content": content, "status": status})).collect()
}

/// An agent connected over stdio.
pub(crate) struct Agent {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Agent {
    /// Starts the server and shakes hands with it.
    pub(crate) fn connect(command: &mut Command, name: &str) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut agent = Self { child, input, output, next: 0 };
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": name, "version": "1.2.3"}});
        agent.request("initialize", &params);
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        agent
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next message.
    pub(crate) fn message(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line:?}"))
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.message();
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    /// What the model is told of the tool.
    pub(crate) fn description(&mut self) -> String {
        self.request("tools/list", &json!({}))["tools"][0]["description"].as_str().unwrap().to_owned()
    }

    /// Writes a list, with the client's own words about the call; gives the answer.
    pub(crate) fn call(&mut self, todos: &Value, meta: &Value) -> String {
        let params = json!({"name": "todo_write", "arguments": {"todos": todos}, "_meta": meta});
        let result = self.request("tools/call", &params);
        let text = result["content"][0]["text"].as_str().unwrap();
        format!("{}{text}", if result["isError"] == true { "refused: " } else { "" })
    }

    /// Closes the server's input and waits for it.
    pub(crate) fn end(mut self) -> ExitStatus {
        self.input = None;
        self.child.wait().unwrap()
    }

    /// Sends the server a signal and waits for it, its input still open.
    pub(crate) fn signal(mut self, signal: rustix::process::Signal) -> ExitStatus {
        kill(&self.child, signal);
        self.child.wait().unwrap()
    }
}

pub(crate) fn kill(child: &Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
}

/// An agent that wrote one list and left.
pub(crate) fn wrote(place: &Place, folder: &Path, name: &str, list: &Value) {
    let mut command = place.command(&["mcp"]);
    let mut agent = Agent::connect(command.current_dir(folder), name);
    agent.call(list, &json!({}));
    assert!(agent.end().success());
}
