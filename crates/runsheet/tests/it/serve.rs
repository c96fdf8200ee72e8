//! The HTTP listener.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    process::{Child, ChildStderr, Command, Stdio},
};

use rustix::process::Signal;
use serde_json::json;

use crate::harness::{Place, kill, todos};

struct Server {
    child: Child,
    log: BufReader<ChildStderr>,
    address: String,
}

impl Server {
    fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = place.command(&[&["serve", "--port", "0"], args].concat());
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

#[test]
fn a_named_session_and_a_clean_end() {
    let place = Place::new();
    for (signal, name) in [(Signal::TERM, "term"), (Signal::INT, "int")] {
        let server = Server::start(&place, &[]);
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}});
        let params = json!({"name": "todo_write", "arguments": {"todos": todos(&[("a", "pending")])}, "_meta": meta});
        let answer = server.post(&format!("/mcp/s/{name}"), "tools/call", &params);
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
