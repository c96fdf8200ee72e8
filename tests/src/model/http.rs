//! As much HTTP/1.1 as loopback clients need: one request a connection, bodies by length or in chunks.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The JSON body, or null.
    pub body: Value,
    headers: Vec<(String, String)>,
}

impl Request {
    /// A header's value, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

pub(super) enum Answer {
    Json(u16, Value),
    /// Events with an optional name, and their data.
    Stream(Vec<(Option<&'static str>, String)>),
}

/// What a renderer may look at.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    pub(super) request: &'a Request,
}

impl Exchange<'_> {
    pub(super) fn model(self) -> Value {
        self.request.body["model"].clone()
    }

    /// Whether the body asks for a stream.
    pub(super) fn streams(self) -> bool {
        self.request.body["stream"] == true
    }
}

pub(super) fn serve(stream: TcpStream, answer: impl FnOnce(&Request) -> Answer) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = read(&mut reader)? else { return Ok(()) };
    respond(stream, &request, answer(&request))
}

fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let first = line(reader)?;
    let mut words = first.split(' ').map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let mut headers = Vec::new();
    loop {
        let text = line(reader)?;
        let Some((name, value)) = text.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method, path, body: Value::Null, headers };
    let bytes = body(reader, &request)?;
    request.body = serde_json::from_slice(&bytes).unwrap_or_default();
    Ok(Some(request))
}

fn body(reader: &mut impl BufRead, request: &Request) -> io::Result<Vec<u8>> {
    if request.header("transfer-encoding").is_some_and(|how| how.contains("chunked")) {
        let mut bytes = Vec::new();
        loop {
            let size = usize::from_str_radix(line(reader)?.trim(), 16).unwrap_or(0);
            let mut chunk = vec![0; size];
            reader.read_exact(&mut chunk)?;
            bytes.append(&mut chunk);
            line(reader)?;
            if size == 0 {
                return Ok(bytes);
            }
        }
    }
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut text = String::new();
    reader.read_line(&mut text)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn respond(mut stream: TcpStream, request: &Request, answer: Answer) -> io::Result<()> {
    match answer {
        Answer::Json(status, value) => {
            let body = if value.is_null() { String::new() } else { value.to_string() };
            write!(
                stream,
                "HTTP/1.1 {status} scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            )?;
            if request.method != "HEAD" {
                stream.write_all(body.as_bytes())?;
            }
        }
        Answer::Stream(events) => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\nrequest-id: {}\r\nconnection: close\r\n\r\n",
                super::fresh_id("req_")
            )?;
            for (name, data) in events {
                if let Some(name) = name {
                    writeln!(stream, "event: {name}")?;
                }
                write!(stream, "data: {data}\n\n")?;
            }
        }
    }
    stream.flush()
}
