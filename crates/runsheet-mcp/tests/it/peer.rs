//! A client over a pipe in memory: it writes lines and reads what comes.

use runsheet_mcp::{McpError, StdioProcess, serve_stdio};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::host::Host;

/// One connection.
pub(crate) struct Peer {
    input: Option<WriteHalf<DuplexStream>>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<Result<(), McpError>>,
    pub(crate) shutdown: CancellationToken,
    /// What every request carries as `_meta`.
    pub(crate) meta: Value,
    next: i64,
}

pub(crate) fn process() -> StdioProcess {
    StdioProcess { cwd: Some("/home/dev/shop".into()), project_dir: None, session: None }
}

/// The `_meta` of the era without a handshake.
pub(crate) fn modern_meta(name: &str, version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": version},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

impl Peer {
    pub(crate) fn connect(host: &Host, process: StdioProcess) -> Self {
        let (client, server) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(server);
        let shutdown = CancellationToken::new();
        let served = tokio::spawn(serve_stdio(host.server.clone(), input, output, process, shutdown.clone()));
        let (output, input) = tokio::io::split(client);
        let output = BufReader::new(output).lines();
        Self { input: Some(input), output, served, shutdown, meta: json!({}), next: 0 }
    }

    /// A client that shook hands.
    pub(crate) async fn legacy(host: &Host, process: StdioProcess, name: &str, version: &str) -> Self {
        let mut peer = Self::connect(host, process);
        let client = json!({"name": name, "version": version});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        peer.request("initialize", params).await;
        peer.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        peer
    }

    /// A client of the era without a handshake.
    pub(crate) fn modern(host: &Host, process: StdioProcess, name: &str, version: &str) -> Self {
        let mut peer = Self::connect(host, process);
        peer.meta = modern_meta(name, version);
        peer
    }

    /// Writes a line as it is.
    pub(crate) async fn send(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line.as_ref()).await.unwrap();
        input.write_all(b"\n").await.unwrap();
    }

    /// Writes bytes without an end of line.
    pub(crate) async fn send_part(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the input is open").write_all(bytes).await.unwrap();
    }

    /// Sends a request and gives its id.
    pub(crate) async fn post(&mut self, method: &str, mut params: Value) -> i64 {
        self.next += 1;
        if let Some(params) = params.as_object_mut() {
            let mut meta = self.meta.clone();
            if let Some(given) = params.get("_meta").and_then(Value::as_object) {
                meta.as_object_mut().unwrap().extend(given.clone());
            }
            if meta != json!({}) {
                params.insert("_meta".into(), meta);
            }
        }
        let line = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.send(line.to_string()).await;
        self.next
    }

    /// The next message.
    pub(crate) async fn receive(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("the connection is open");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and gives its answer; other messages meanwhile are passed over.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.post(method, params).await;
        loop {
            let message = self.receive().await;
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Calls the tool and gives the texts of the result, `!` before those of a failure.
    pub(crate) async fn call(&mut self, params: Value) -> String {
        let answer = self.request("tools/call", params).await;
        texts(&answer)
    }

    /// Writes a list.
    pub(crate) async fn write(&mut self, contents: &[&str], meta: Value) -> String {
        let arguments = crate::host::todos(contents);
        self.call(json!({"name": "todo_write", "arguments": arguments, "_meta": meta})).await
    }

    /// Closes the input and gives all that still comes.
    pub(crate) async fn finish(mut self) -> Vec<Value> {
        if let Some(mut input) = self.input.take() {
            input.shutdown().await.unwrap();
        }
        self.rest().await
    }

    /// Everything until the server has ended.
    pub(crate) async fn rest(mut self) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Some(line) = self.output.next_line().await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        self.served.await.unwrap().unwrap();
        rest
    }
}

/// The texts of an answer to a call.
pub(crate) fn texts(answer: &Value) -> String {
    if let Some(error) = answer.get("error") {
        return format!("{} {}", error["code"], error["message"].as_str().unwrap());
    }
    let result = &answer["result"];
    let mark = if result["isError"] == true { "! " } else { "" };
    let blocks = result["content"].as_array().unwrap().iter();
    let lines: Vec<_> = blocks.map(|block| format!("{mark}{}", block["text"].as_str().unwrap())).collect();
    lines.join("\n")
}
