//! A lean MCP client over pipes: what is measured is the server.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

const LEGACY_VERSION: &str = "2025-11-25";
const MODERN_VERSION: &str = "2026-07-28";

/// How long a server may take to end after its standard input closed.
const GRACE: Duration = Duration::from_secs(3);

/// A server and the pipes to it. Dropped, the server is ended.
#[derive(Debug)]
pub(crate) struct McpClient {
    server: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: PathBuf,
    next_id: u64,
    line: String,
}

/// Enough of a line to know whether it is the answer.
#[derive(Deserialize)]
struct Answer {
    id: Option<u64>,
}

impl McpClient {
    /// Starts a server; what it logs goes to a file in the folder.
    pub(crate) fn start(mut command: Command, folder: &Path) -> Result<Self> {
        let name = command.get_program().display().to_string();
        let stderr = folder.join("server.log");
        let log = File::create(&stderr).with_context(|| format!("cannot make the file `{}`", stderr.display()))?;
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn();
        let mut server = spawned.with_context(|| format!("cannot start the server `{name}`"))?;
        let stdin = server.stdin.take();
        let stdout = server.stdout.take().context("the server was started without a standard output")?;
        Ok(Self { server, stdin, stdout: BufReader::new(stdout), stderr, next_id: 0, line: String::new() })
    }

    /// The handshake of the era with sessions.
    pub(crate) fn initialize(&mut self) -> Result<Value> {
        let client = json!({ "name": "runsheet-bench", "version": env!("CARGO_PKG_VERSION") });
        let params = json!({ "protocolVersion": LEGACY_VERSION, "capabilities": {}, "clientInfo": client });
        let result = self.request("initialize", &params)?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(result)
    }

    /// The first question of the era without.
    pub(crate) fn discover(&mut self) -> Result<Value> {
        let client = json!({ "name": "runsheet-bench", "version": env!("CARGO_PKG_VERSION") });
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
            "io.modelcontextprotocol/clientInfo": client,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        self.request("server/discover", &json!({ "_meta": meta }))
    }

    /// Asks, and gives the result.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        let request = self.prepare(method, params);
        let answer: Value = serde_json::from_str(self.exchange(&request)?).context("the answer is not JSON")?;
        match (answer.get("result"), answer.get("error")) {
            (Some(result), None) => Ok(result.clone()),
            _ => bail!("`{method}` was answered with {answer}"),
        }
    }

    /// Calls a tool that has to succeed.
    pub(crate) fn call_tool(&mut self, name: &str, arguments: &Value) -> Result<Value> {
        let result = self.request("tools/call", &json!({ "name": name, "arguments": arguments }))?;
        if result["isError"] == true {
            bail!("`{name}` failed: {result}");
        }
        Ok(result)
    }

    /// The line of a request, and the id its answer will have.
    pub(crate) fn prepare(&mut self, method: &str, params: &Value) -> (u64, Vec<u8>) {
        let id = self.next_id;
        self.next_id += 1;
        let mut line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        line.push('\n');
        (id, line.into_bytes())
    }

    /// Sends a prepared request and waits for its answer. This is all that a measurement times.
    pub(crate) fn exchange(&mut self, (id, request): &(u64, Vec<u8>)) -> Result<&str> {
        self.write(request)?;
        loop {
            self.line.clear();
            if self.stdout.read_line(&mut self.line).context("cannot read from the server")? == 0 {
                bail!("the server ended without an answer; it said: {}", self.last_words());
            }
            // Notifications and the server's own requests pass by.
            if serde_json::from_str::<Answer>(&self.line).is_ok_and(|answer| answer.id == Some(*id)) {
                return Ok(&self.line);
            }
        }
    }

    fn last_words(&self) -> String {
        let text = std::fs::read_to_string(&self.stderr).unwrap_or_default();
        text.lines().last().unwrap_or("nothing").to_owned()
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        self.write(format!("{message}\n").as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let stdin = self.stdin.as_mut().context("the server was started without a standard input")?;
        stdin.write_all(bytes).context("cannot write to the server")
    }

    /// The server's resident memory, in MB of 1,000,000 bytes.
    pub(crate) fn resident_mb(&self) -> Result<f64> {
        let path = format!("/proc/{}/status", self.server.id());
        let status = std::fs::read_to_string(&path).with_context(|| format!("cannot read `{path}`"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        Ok(kib.with_context(|| format!("`{path}` has no VmRSS"))? * 1_024.0 / 1_000_000.0)
    }

    /// The nanoseconds of processor time that the server's threads have used.
    pub(crate) fn cpu_ns(&self) -> Result<u64> {
        let path = format!("/proc/{}/task", self.server.id());
        let threads = std::fs::read_dir(&path).with_context(|| format!("cannot read `{path}`"))?;
        let used = threads.flatten().filter_map(|thread| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        Ok(used.sum())
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let until = Instant::now() + GRACE;
        while Instant::now() < until {
            if !matches!(self.server.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        // It did not end by itself; then it is ended.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
