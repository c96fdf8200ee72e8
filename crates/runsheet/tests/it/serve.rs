//! The HTTP listener.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    process::{Child, ChildStderr, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::Signal;
use serde_json::json;

use crate::harness::{EXE, Place, kill, todos};

struct Server {
    child: Child,
    log: BufReader<ChildStderr>,
    address: String,
}

impl Server {
    fn start(place: &Place, args: &[&str]) -> Self {
        Self::of(place.command(&[&["serve", "--port", "0"], args].concat()))
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("listening on http://").unwrap().strip_suffix("/mcp").unwrap().to_owned();
        Self { child, log, address }
    }

    fn post(&self, path: &str, method: &str, params: &serde_json::Value) -> String {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, name) = (&self.address, params["name"].as_str().unwrap_or_default());
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n\
             Mcp-Name: {name}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn end(mut self, signal: Signal) -> String {
        kill(&self.child, signal);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let mut log = String::new();
        self.log.read_to_string(&mut log).unwrap();
        log
    }
}

impl Drop for Server {
    /// A test that fails leaves no server behind: it would hold whatever it was started with.
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn a_named_session_and_a_clean_end() {
    let place = Place::new();
    for (signal, name) in [(Signal::TERM, "term"), (Signal::INT, "int")] {
        let server = Server::start(&place, &[]);
        let answer = named(&server, name);
        assert!(answer.contains("Updated todo list"), "{answer}");
        server.end(signal);
        assert_eq!(place.items(name, "main"), ["a"]);
        let log = String::from_utf8(place.run(&["log", name]).stdout).unwrap();
        assert!(log.trim_end().ends_with("disconnected"), "{log}");
    }
}

#[test]
fn an_address_that_is_taken() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    let shown = place.shown(&["serve", "--port", &port]);
    assert!(shown.starts_with(&format!("error: cannot listen at 127.0.0.1:{port}\ncause: ")), "{shown}");
    assert!(shown.contains("\nhint: ") && shown.ends_with("exit 1\n"), "{shown}");
    server.end(Signal::TERM);
}

/// A server with a limit of open files, as `ulimit` takes it.
fn scarce(place: &Place, limit: &str) -> Command {
    let mut command = Command::new("bash");
    let script = format!("ulimit {limit}; exec \"$0\" serve --port 0");
    command.args(["-c", &script, EXE]).env_clear().env("HOME", place.path("")).current_dir(place.path("project"));
    command
}

fn named(server: &Server, name: &str) -> String {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"name": "todo_write", "arguments": {"todos": todos(&[("a", "pending")])}, "_meta": meta});
    server.post(&format!("/mcp/s/{name}"), "tools/call", &params)
}

#[test]
fn descriptors_are_raised_and_more_sessions_than_there_are_can_be_served() {
    let place = Place::new();
    let server = Server::of(scarce(&place, "-Sn 64"));
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.child.id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let numbers: Vec<&str> = files.split_whitespace().skip(3).take(2).collect();
    assert_eq!(numbers[0], numbers[1], "{files}");
    server.end(Signal::TERM);
    let server = Server::of(scarce(&place, "-n 96"));
    for n in 0..100 {
        let answer = named(&server, &format!("s{n}"));
        assert!(answer.contains("Updated todo list"), "{n}: {answer}");
    }
    // One that was left is served again.
    assert!(named(&server, "s0").contains("Updated todo list"));
    server.end(Signal::TERM);
}

#[test]
fn too_many_open_files_are_called_by_their_name() {
    let place = Place::new();
    let server = Server::of(scarce(&place, "-n 40"));
    let mut open = Vec::new();
    let refused = (0..60).find_map(|_| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        write!(stream, "GET /mcp HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut answer = vec![0; 4_096];
        let read = stream.read(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        open.push(stream);
        (!answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.1 403")).then_some(answer)
    });
    let refused = refused.unwrap();
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("Too many open files"), "{refused}");
    drop(open);
    let log = server.end(Signal::TERM);
    assert!(log.contains("too many open files"), "{log}");
}

#[test]
fn an_announced_length_over_the_limit_is_answered_at_once() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    write!(stream, "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 99999999999\r\n\r\n", server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
    server.end(Signal::TERM);
}

#[test]
fn half_a_request_does_not_keep_the_server() {
    let place = Place::new();
    for half in ["POST /mcp HT", "POST /mcp HTTP/1.1\r\nHost: [host]\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\""] {
        let server = Server::start(&place, &[]);
        assert!(named(&server, "kept").contains("Updated todo list"));
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(half.replace("[host]", &server.address).as_bytes()).unwrap();
        // It is read before the signal comes.
        std::thread::sleep(Duration::from_millis(100));
        let begun = Instant::now();
        server.end(Signal::TERM);
        assert!(begun.elapsed() < Duration::from_secs(5), "{half}: {:?}", begun.elapsed());
    }
    assert_eq!(place.items("kept", "main"), ["a"]);
}

#[test]
fn another_user_is_refused() {
    // Only root can become somebody else.
    if !rustix::process::getuid().is_root() {
        return;
    }
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let port = server.address.rsplit_once(':').unwrap().1;
    let ask = |uid: u32| {
        let script = format!(
            "exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\
             Connection: close\\r\\n\\r\\n' >&3; cat <&3"
        );
        let output = Command::new("bash").args(["-c", &script]).uid(uid).current_dir("/").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (ours, other) = (ask(0), ask(65_534));
    assert!(!ours.contains("403"), "{ours}");
    assert!(other.starts_with("HTTP/1.1 403") && other.contains("this connection is user 65534's"), "{other}");
    let log = server.end(Signal::TERM);
    assert!(log.contains("a connection was refused"), "{log}");
}
