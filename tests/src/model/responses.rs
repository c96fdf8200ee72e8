//! OpenAI Responses, as Codex speaks it.

use serde_json::{Value, json};

use super::fresh_id;
use super::http::{Answer, Exchange};
use super::script::{Offered, Said};

/// Tools stand in the request, in an `additional_tools` item (code mode), and in what a tool search found.
pub(super) fn offered(body: &Value) -> Vec<Offered> {
    let found = body["input"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|item| matches!(item["type"].as_str(), Some("additional_tools" | "tool_search_output")));
    let lists = std::iter::once(&body["tools"]).chain(found.map(|item| &item["tools"]));
    let mut offered = Vec::new();
    for tool in lists.filter_map(Value::as_array).flatten() {
        let name = |tool: &Value| tool["name"].as_str().or(tool["type"].as_str()).unwrap_or_default().to_owned();
        match tool["tools"].as_array() {
            Some(members) if tool["type"] == "namespace" => {
                let namespace = name(tool);
                offered.extend(
                    members.iter().map(|tool| Offered { name: name(tool), namespace: Some(namespace.clone()) }),
                );
            }
            _ => offered.push(Offered { name: name(tool), namespace: None }),
        }
    }
    offered
}

pub(super) fn answer(exchange: Exchange<'_>, said: &[Said]) -> Answer {
    let items: Vec<Value> = said.iter().map(item).collect();
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": { "cached_tokens": 10 },
        "output_tokens": 20, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 120,
    });
    let started = json!({
        "id": fresh_id("resp_"), "object": "response", "created_at": 1, "model": exchange.model(),
        "status": "in_progress", "output": [], "usage": null,
    });
    let mut done = started.clone();
    done["status"] = json!("completed");
    done["output"] = json!(items);
    done["usage"] = usage;
    if !exchange.streams() {
        return Answer::Json(200, done);
    }
    let mut events = Events(Vec::new());
    events.push("response.created", json!({ "response": started }));
    events.push("response.in_progress", json!({ "response": started }));
    for (index, item) in items.iter().enumerate() {
        stream_item(&mut events, index, item);
    }
    events.push("response.completed", json!({ "response": done }));
    Answer::Stream(events.0)
}

fn item(said: &Said) -> Value {
    match said {
        Said::Text(text) => json!({
            "type": "message", "id": fresh_id("msg_"), "status": "completed", "role": "assistant",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Said::Call { name, namespace, args } => {
            let mut item = json!({
                "type": "function_call", "id": fresh_id("fc_"), "status": "completed", "call_id": fresh_id("call_"),
                "name": name, "arguments": args.to_string(),
            });
            if let Some(namespace) = namespace {
                item["namespace"] = json!(namespace);
            }
            item
        }
        Said::Item(raw) => {
            let mut item = raw.clone();
            item["id"] = json!(fresh_id("it_"));
            item["call_id"] = json!(fresh_id("call_"));
            item
        }
    }
}

fn stream_item(events: &mut Events, index: usize, item: &Value) {
    let mut opened = item.clone();
    opened["status"] = json!("in_progress");
    let id = &item["id"];
    match item["type"].as_str() {
        Some("message") => {
            let part = &item["content"][0];
            opened["content"] = json!([]);
            events.push("response.output_item.added", json!({ "output_index": index, "item": opened }));
            let empty = json!({ "type": "output_text", "text": "", "annotations": [] });
            let at = json!({ "item_id": id, "output_index": index, "content_index": 0 });
            events.push("response.content_part.added", with(&at, "part", &empty));
            events.push("response.output_text.delta", with(&at, "delta", &part["text"]));
            events.push("response.output_text.done", with(&at, "text", &part["text"]));
            events.push("response.content_part.done", with(&at, "part", part));
        }
        Some("function_call") if item["arguments"].is_string() => {
            opened["arguments"] = json!("");
            events.push("response.output_item.added", json!({ "output_index": index, "item": opened }));
            let at = json!({ "item_id": id, "output_index": index });
            events.push("response.function_call_arguments.delta", with(&at, "delta", &item["arguments"]));
            events.push("response.function_call_arguments.done", with(&at, "arguments", &item["arguments"]));
        }
        _ => events.push("response.output_item.added", json!({ "output_index": index, "item": opened })),
    }
    events.push("response.output_item.done", json!({ "output_index": index, "item": item }));
}

fn with(at: &Value, key: &str, value: &Value) -> Value {
    let mut event = at.clone();
    event[key] = value.clone();
    event
}

struct Events(Vec<(Option<&'static str>, String)>);

impl Events {
    fn push(&mut self, name: &'static str, mut event: Value) {
        event["type"] = json!(name);
        event["sequence_number"] = json!(self.0.len());
        self.0.push((Some(name), event.to_string()));
    }
}
