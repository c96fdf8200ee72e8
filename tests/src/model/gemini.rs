//! The Gemini API, as Gemini CLI speaks it.

use serde_json::{Value, json};

use super::fresh_id;
use super::http::{Answer, Exchange};
use super::script::{Offered, Said};

pub(super) fn offered(body: &Value) -> Vec<Offered> {
    let groups = body["tools"].as_array().into_iter().flatten();
    let tools = groups.filter_map(|group| group["functionDeclarations"].as_array()).flatten();
    tools.filter_map(|tool| Some(Offered { name: tool["name"].as_str()?.into(), namespace: None })).collect()
}

pub(super) fn answer(exchange: Exchange<'_>, said: &[Said]) -> Answer {
    let mut parts: Vec<Value> = said.iter().map(part).collect();
    // The CLI's own helper questions (who speaks next, which model) want JSON of their own shape.
    if exchange.request.body["generationConfig"]["responseMimeType"] == "application/json" {
        let helper = json!({
            "reasoning": "scripted", "next_speaker": "user", "model_choice": "flash", "complexity_score": 10,
            "complexity_reasoning": "scripted",
        });
        parts = vec![json!({ "text": helper.to_string() })];
    }
    let response = json!({
        "candidates": [{ "content": { "role": "model", "parts": parts }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120 },
        "modelVersion": "mock", "responseId": fresh_id("r"),
    });
    // Gemini names streaming in the path, not in the body.
    if exchange.request.path.contains(":stream") {
        Answer::Stream(vec![(None, response.to_string())])
    } else {
        Answer::Json(200, response)
    }
}

fn part(said: &Said) -> Value {
    match said {
        Said::Text(text) => json!({ "text": text }),
        Said::Call { name, args, .. } => {
            json!({ "functionCall": { "id": fresh_id("fc_"), "name": name, "args": args } })
        }
        Said::Item(_) => json!({ "text": "(a raw item belongs to the Responses API)" }),
    }
}
