//! OpenAI Chat, as opencode and dsh speak it.

use serde_json::{Value, json};

use super::fresh_id;
use super::http::{Answer, Exchange};
use super::script::{Offered, Said};

pub(super) fn offered(body: &Value) -> Vec<Offered> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools
        .filter_map(|tool| Some(Offered { name: tool["function"]["name"].as_str()?.into(), namespace: None }))
        .collect()
}

pub(super) fn answer(exchange: Exchange<'_>, said: &[Said]) -> Answer {
    let mut text = String::new();
    let mut calls = Vec::new();
    for said in said {
        match said {
            Said::Text(part) => text.push_str(part),
            Said::Call { name, args, .. } => {
                let function = json!({ "name": name, "arguments": args.to_string() });
                calls.push(
                    json!({ "index": calls.len(), "id": fresh_id("call_"), "type": "function", "function": function }),
                );
            }
            Said::Item(_) => text.push_str("(a raw item belongs to the Responses API)"),
        }
    }
    let id = fresh_id("chatcmpl-");
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120 });
    let envelope = |object: &str, choices: Value| json!({ "id": id, "object": object, "created": 1, "model": exchange.model(), "choices": choices });
    if !exchange.streams() {
        let mut message = json!({ "role": "assistant", "content": text });
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
        let mut done = envelope("chat.completion", json!([choice]));
        done["usage"] = usage;
        return Answer::Json(200, done);
    }
    let chunk = |delta: Value, finish: Value| {
        envelope("chat.completion.chunk", json!([{ "index": 0, "delta": delta, "finish_reason": finish }]))
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    if !text.is_empty() {
        events.push(chunk(json!({ "content": text }), Value::Null));
    }
    for call in &calls {
        events.push(chunk(json!({ "tool_calls": [call] }), Value::Null));
    }
    events.push(chunk(json!({}), json!(finish)));
    let mut last = envelope("chat.completion.chunk", json!([]));
    last["usage"] = usage;
    events.push(last);
    let done = std::iter::once("[DONE]".to_owned());
    Answer::Stream(events.iter().map(Value::to_string).chain(done).map(|data| (None, data)).collect())
}
