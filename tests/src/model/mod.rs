//! A scripted model on loopback, for clients that speak OpenAI Responses, OpenAI Chat, Anthropic Messages or Gemini.
//!
//! It plays a [`Script`] turn by turn, keeps every request, and sends a sub-agent's requests to the script's own
//! lane for it. A request that offers no tools (a title, a topic, a summary) is answered `ok` and moves nothing.

mod chat;
mod gemini;
mod http;
mod messages;
mod responses;
mod script;

use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

pub use self::http::Request;
use self::http::{Answer, Exchange};
pub use self::script::{Lane, Part, Script, Turn, call, code, item, say, turn, write};
use self::script::{Offered, Said};

/// Asked before a turn is played, with the number of list writes the lane's earlier turns asked for.
/// It returns when those writes can be seen from outside, or says why it gave up.
pub type Gate = Box<dyn Fn(Lane, usize) -> Result<(), String> + Send + Sync>;

/// How often a model waits for our tool before it says that it is not there.
const WAITS: usize = 20;

/// A running scripted model. It ends with the process; its threads hold nothing that needs closing.
pub struct Model {
    port: u16,
    state: Arc<State>,
}

struct State {
    script: Script,
    gate: Option<Gate>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    main: usize,
    child: usize,
    requests: Vec<Request>,
    problems: Vec<String>,
    waits: usize,
}

impl Inner {
    fn next(&mut self, lane: Lane) -> &mut usize {
        match lane {
            Lane::Main => &mut self.main,
            Lane::Child => &mut self.child,
        }
    }
}

impl Model {
    /// Starts a model that plays `script`; `gate` holds each turn back until the writes before it have arrived.
    pub fn start(script: Script, gate: Option<Gate>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port for the scripted model");
        let port = listener.local_addr().expect("the port of a bound listener").port();
        let state = Arc::new(State { script, gate, inner: Mutex::default() });
        let served = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&served);
                std::thread::spawn(move || {
                    // A client that hangs up in mid-answer is its own business.
                    let _ = http::serve(stream, |request| state.answer(request));
                });
            }
        });
        Self { port, state }
    }

    /// The base address, without a path.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request so far, in order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().requests.clone()
    }

    /// How many turns of a lane have been played.
    pub fn played(&self, lane: Lane) -> usize {
        *self.state.lock().next(lane)
    }

    /// What went wrong while playing so far.
    pub fn mistakes(&self) -> Vec<String> {
        self.state.lock().problems.clone()
    }

    /// What went wrong while playing, and turns nobody asked for. Empty after a good run.
    pub fn problems(&self) -> Vec<String> {
        let inner = self.state.lock();
        let mut problems = inner.problems.clone();
        for (lane, played) in [(Lane::Main, inner.main), (Lane::Child, inner.child)] {
            let turns = self.state.script.lane(lane).len();
            if played < turns {
                problems.push(format!("the client asked for {played} of the {turns} turns of lane {lane:?}"));
            }
        }
        problems
    }
}

impl State {
    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().expect("a panic in the scripted model was reported already")
    }

    fn answer(&self, request: &Request) -> Answer {
        self.lock().requests.push(request.clone());
        let path = request.path.split('?').next().unwrap_or_default();
        if request.method != "POST" {
            return match path.ends_with("/models") {
                true => Answer::Json(
                    200,
                    json!({ "object": "list", "models": [], "data": [{ "id": "mock-model", "object": "model", "created": 1, "owned_by": "mock" }] }),
                ),
                false => Answer::Json(if request.method == "HEAD" { 200 } else { 404 }, Value::Null),
            };
        }
        match path {
            p if p.ends_with("/count_tokens") => Answer::Json(200, json!({ "input_tokens": 100 })),
            p if p.ends_with(":countTokens") => Answer::Json(200, json!({ "totalTokens": 100 })),
            p if p.ends_with("/responses") => self.play(request, responses::offered, responses::answer),
            p if p.ends_with("/chat/completions") => self.play(request, chat::offered, chat::answer),
            p if p.ends_with("/messages") => self.play(request, messages::offered, messages::answer),
            p if p.contains("enerateContent") => self.play(request, gemini::offered, gemini::answer),
            other => {
                let message = format!("the scripted model has no {other}");
                Answer::Json(404, json!({ "error": { "type": "not_found_error", "message": message } }))
            }
        }
    }

    fn play(
        &self,
        request: &Request,
        offered: fn(&Value) -> Vec<Offered>,
        answer: fn(Exchange<'_>, &[Said]) -> Answer,
    ) -> Answer {
        let tools = offered(&request.body);
        let said = if tools.is_empty() { vec![Said::Text("ok".into())] } else { self.next(request, &tools) };
        answer(Exchange { request }, &said)
    }

    fn next(&self, request: &Request, tools: &[Offered]) -> Vec<Said> {
        let lane = Lane::of(request);
        let turns = self.script.lane(lane);
        // The turn is taken before the gate is asked, so that a request sent twice cannot play it twice.
        let at = {
            let mut inner = self.lock();
            let wait = turns.get(*inner.next(lane)).and_then(|turn| turn.wait_first(tools));
            if let (Some(wait), true) = (wait, inner.waits < WAITS) {
                inner.waits += 1;
                return vec![wait];
            }
            let next = inner.next(lane);
            *next += 1;
            *next - 1
        };
        if let Some(gate) = &self.gate {
            let writes = turns.iter().take(at).map(Turn::writes).sum();
            if let Err(problem) = gate(lane, writes) {
                self.lock().problems.push(problem);
            }
        }
        let beyond = || format!("lane {lane:?} was asked for turn {}, beyond its script", at + 1);
        let said = turns.get(at).ok_or_else(beyond).and_then(|turn| turn.resolve(tools, &request.body));
        said.unwrap_or_else(|problem| {
            self.lock().problems.push(problem.clone());
            vec![Said::Text(problem)]
        })
    }
}

/// An id no other model of this or another test has used: a store keeps calls by their id.
fn fresh_id(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    format!("{prefix}{:08x}{:016x}", NEXT.fetch_add(1, Ordering::Relaxed), nanos ^ u64::from(std::process::id()))
}

#[cfg(test)]
mod tests;
