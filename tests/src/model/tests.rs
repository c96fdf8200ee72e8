//! Each dialect of the scripted model, asked over a socket as its client would.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{Lane, Model, Script, call, code, say, turn, write};
use crate::todos;

fn post(model: &Model, path: &str, header: &str, body: &Value) -> String {
    let address = model.url();
    let mut stream = TcpStream::connect(address.trim_start_matches("http://")).expect("the model listens");
    let body = body.to_string();
    write!(stream, "POST {path} HTTP/1.1\r\nhost: x\r\n{header}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn script() -> Script {
    Script::main([write(&todos::first()), say("Done.")]).child([write(&todos::childs())])
}

#[test]
fn responses_finds_the_tool_in_its_namespace() {
    let model = Model::start(script(), None);
    let tools = json!([{ "type": "namespace", "name": "mcp__runsheet", "tools": [{ "type": "function", "name": "todo_write" }] }]);
    let answer = post(&model, "/v1/responses", "", &json!({ "model": "m", "stream": true, "tools": tools }));
    assert!(answer.contains("event: response.output_item.done"), "{answer}");
    assert!(answer.contains(r#""namespace":"mcp__runsheet""#), "{answer}");
    assert_eq!(model.played(Lane::Main), 1);
}

#[test]
fn chat_does_not_take_a_clients_own_tool_for_ours() {
    let model = Model::start(script(), None);
    let native = json!([{ "type": "function", "function": { "name": "todo_write" } }]);
    post(&model, "/chat/completions", "", &json!({ "stream": true, "tools": native }));
    assert!(model.problems()[0].starts_with("the client does not offer our todo_write"), "{:?}", model.problems());
    let model = Model::start(script(), None);
    let both =
        json!([{ "function": { "name": "todo_write" } }, { "function": { "name": "mcp__runsheet__todo_write" } }]);
    let answer = post(&model, "/chat/completions", "", &json!({ "stream": true, "tools": both }));
    assert!(
        answer.contains(r#""name":"mcp__runsheet__todo_write""#) && answer.ends_with("data: [DONE]\n\n"),
        "{answer}"
    );
}

#[test]
fn messages_sends_a_sub_agent_to_its_own_lane() {
    let model = Model::start(script(), None);
    let body = json!({ "stream": true, "tools": [{ "name": "mcp__runsheet__todo_write" }] });
    let answer = post(&model, "/v1/messages?beta=true", "x-claude-code-agent-id: a1\r\n", &body);
    assert!(answer.contains("Look around"), "{answer}");
    assert_eq!((model.played(Lane::Main), model.played(Lane::Child)), (0, 1));
}

#[test]
fn gemini_streams_by_its_path() {
    let model = Model::start(script(), None);
    let body = json!({ "tools": [{ "functionDeclarations": [{ "name": "mcp_runsheet_todo_write" }] }] });
    let answer = post(&model, "/v1beta/models/m:streamGenerateContent?alt=sse", "", &body);
    assert!(answer.contains("text/event-stream") && answer.contains("functionCall"), "{answer}");
}

#[test]
fn a_request_without_tools_moves_nothing() {
    let model = Model::start(script(), None);
    let answer = post(&model, "/v1/messages", "", &json!({ "stream": false }));
    assert!(answer.contains(r#""text":"ok""#), "{answer}");
    assert_eq!((model.played(Lane::Main), model.requests().len()), (0, 1));
    assert_eq!(model.problems().len(), 2, "both lanes are unplayed");
}

#[test]
fn the_sub_agents_id_reaches_the_arguments() {
    let model = Model::start(Script::main([call("wait_agent", json!({ "targets": ["$AGENT"] }))]), None);
    let input = json!([{ "type": "function_call_output", "output": r#"{"agent_id":"child-7"}"# }]);
    let tools = json!([{ "type": "function", "name": "wait_agent" }]);
    let answer = post(&model, "/responses", "", &json!({ "stream": true, "tools": tools, "input": input }));
    assert!(answer.contains("child-7"), "{answer}");
}

#[test]
fn the_gate_counts_the_writes_before_a_turn() {
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = std::sync::Arc::clone(&asked);
    let gate: super::Gate = Box::new(move |_, writes| {
        seen.lock().unwrap().push(writes);
        Err("nothing came".into())
    });
    let lists = [&todos::first(), &todos::second()];
    let model = Model::start(Script::main([code(&lists), turn([]), say("Done.")]), Some(gate));
    let body = json!({ "stream": true, "tools": [{ "type": "function", "name": "exec" }] });
    for _ in 0..3 {
        post(&model, "/responses", "", &body);
    }
    assert_eq!(*asked.lock().unwrap(), [0, 2, 2]);
    assert_eq!(model.problems().len(), 3);
}
