//! Anthropic Messages, as Claude Code speaks it.

use serde_json::{Value, json};

use super::fresh_id;
use super::http::{Answer, Exchange};
use super::script::{Offered, Said};

pub(super) fn offered(body: &Value) -> Vec<Offered> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| Some(Offered { name: tool["name"].as_str()?.into(), namespace: None })).collect()
}

pub(super) fn answer(exchange: Exchange<'_>, said: &[Said]) -> Answer {
    let blocks: Vec<Value> = said.iter().map(block).collect();
    let calls = blocks.iter().any(|block| block["type"] == "tool_use");
    let stop = if calls { "tool_use" } else { "end_turn" };
    let usage = |output: u32| json!({ "input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": output });
    let mut message = json!({
        "id": fresh_id("msg_"), "type": "message", "role": "assistant", "model": exchange.model(),
        "content": blocks, "stop_reason": stop, "stop_sequence": null, "usage": usage(20),
    });
    if !exchange.streams() {
        return Answer::Json(200, message);
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    message["usage"] = usage(1);
    let mut events = vec![("message_start", json!({ "message": message }))];
    for (index, block) in blocks.iter().enumerate() {
        let (start, delta) = if block["type"] == "text" {
            (json!({ "type": "text", "text": "" }), json!({ "type": "text_delta", "text": block["text"] }))
        } else {
            let mut start = block.clone();
            start["input"] = json!({});
            (start, json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() }))
        };
        events.push(("content_block_start", json!({ "index": index, "content_block": start })));
        events.push(("content_block_delta", json!({ "index": index, "delta": delta })));
        events.push(("content_block_stop", json!({ "index": index })));
    }
    events.push((
        "message_delta",
        json!({ "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": usage(20) }),
    ));
    events.push(("message_stop", json!({})));
    let named = events.into_iter().map(|(name, mut event)| {
        event["type"] = json!(name);
        (Some(name), event.to_string())
    });
    Answer::Stream(named.collect())
}

fn block(said: &Said) -> Value {
    match said {
        Said::Text(text) => json!({ "type": "text", "text": text }),
        Said::Call { name, args, .. } => {
            json!({ "type": "tool_use", "id": fresh_id("toolu_"), "name": name, "input": args })
        }
        Said::Item(_) => json!({ "type": "text", "text": "(a raw item belongs to the Responses API)" }),
    }
}
