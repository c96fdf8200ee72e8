use serde_json::{Value, json};

use super::http::Request;

/// What a model says, for the main agent and for a sub-agent.
#[derive(Clone, Default)]
pub struct Script {
    main: Vec<Turn>,
    child: Vec<Turn>,
}

/// Whose requests a part of a script answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The session's own agent.
    Main,
    /// A sub-agent of it.
    Child,
}

/// One answer of the model.
#[derive(Clone)]
pub struct Turn(Vec<Part>);

/// A piece of an answer.
#[derive(Clone)]
pub enum Part {
    /// Text for the person.
    Text(String),
    /// A call of our `todo_write`, under whatever name the client offers it.
    Write(Value),
    /// A call of the first offered tool whose name ends so. `"$AGENT"` in the arguments becomes the id of the
    /// sub-agent the client started last.
    Call {
        /// How the offered name ends.
        name: String,
        /// Its arguments.
        args: Value,
    },
    /// An output item of the Responses API as it is, but for its ids; it makes this many list writes.
    Item(Value, usize),
}

/// What is sent, with the tool names of this client.
pub(super) enum Said {
    Text(String),
    Call { name: String, namespace: Option<String>, args: Value },
    Item(Value),
}

/// A tool a request offers.
#[derive(Clone, Debug)]
pub(super) struct Offered {
    pub(super) name: String,
    pub(super) namespace: Option<String>,
}

/// An answer of several parts.
pub fn turn(parts: impl IntoIterator<Item = Part>) -> Turn {
    Turn(parts.into_iter().collect())
}

/// An answer of text only.
pub fn say(text: &str) -> Turn {
    turn([Part::Text(text.into())])
}

/// An answer that writes this list.
pub fn write(todos: &Value) -> Turn {
    turn([Part::Write(todos.clone())])
}

/// An answer that calls a tool of the client.
pub fn call(name: &str, args: Value) -> Turn {
    turn([Part::Call { name: name.into(), args }])
}

/// An answer that is one raw item of the Responses API.
pub fn item(item: Value) -> Turn {
    turn([Part::Item(item, 0)])
}

/// An answer in Codex' code mode: JavaScript that writes each of these lists, one after the other.
pub fn code(lists: &[&Value]) -> Turn {
    let calls: String = lists
        .iter()
        .map(|todos| {
            format!("text(JSON.stringify(await tools.mcp__runsheet__todo_write({})));", json!({ "todos": todos }))
        })
        .collect();
    let item = json!({ "type": "custom_tool_call", "status": "completed", "namespace": "functions", "name": "exec", "input": calls });
    turn([Part::Item(item, lists.len())])
}

impl Script {
    /// A script of the main agent's answers.
    pub fn main(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { main: turns.into_iter().collect(), child: Vec::new() }
    }

    /// The same with answers for a sub-agent.
    #[must_use]
    pub fn child(mut self, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.child = turns.into_iter().collect();
        self
    }

    /// How many list writes the whole script asks for.
    pub fn writes(&self) -> usize {
        self.main.iter().chain(&self.child).map(Turn::writes).sum()
    }

    pub(super) fn lane(&self, lane: Lane) -> &[Turn] {
        match lane {
            Lane::Main => &self.main,
            Lane::Child => &self.child,
        }
    }
}

impl Lane {
    /// Codex and Claude Code say in a header that a sub-agent is asking; the other clients never do.
    pub(super) fn of(request: &Request) -> Self {
        let child = ["x-codex-parent-thread-id", "x-claude-code-agent-id"];
        if child.iter().any(|name| request.header(name).is_some()) { Self::Child } else { Self::Main }
    }
}

impl Turn {
    pub(super) fn writes(&self) -> usize {
        let writes = |part: &Part| match part {
            Part::Write(_) => 1,
            Part::Item(_, writes) => *writes,
            Part::Text(_) | Part::Call { .. } => 0,
        };
        self.0.iter().map(writes).sum()
    }

    /// Claude Code may ask before our server has told its tools. A model then waits, or searches, as it is told to.
    pub(super) fn wait_first(&self, tools: &[Offered]) -> Option<Said> {
        let writes = self.0.iter().any(|part| matches!(part, Part::Write(_)));
        if !writes || tools.iter().any(Offered::is_ours) {
            return None;
        }
        let search = json!({ "query": "select:mcp__runsheet__todo_write", "max_results": 5 });
        let ways = [("WaitForMcpServers", json!({})), ("ToolSearch", search)];
        let (name, args) = ways.into_iter().find(|(name, _)| tools.iter().any(|tool| tool.name == *name))?;
        Some(Said::Call { name: name.into(), namespace: None, args })
    }

    pub(super) fn resolve(&self, tools: &[Offered], body: &Value) -> Result<Vec<Said>, String> {
        self.0.iter().map(|part| part.resolve(tools, body)).collect()
    }
}

impl Part {
    fn resolve(&self, tools: &[Offered], body: &Value) -> Result<Said, String> {
        let (wanted, args, found) = match self {
            Self::Text(text) => return Ok(Said::Text(text.clone())),
            Self::Item(item, _) => return Ok(Said::Item(item.clone())),
            Self::Write(todos) => {
                ("our todo_write", json!({ "todos": todos }), tools.iter().find(|tool| tool.is_ours()))
            }
            Self::Call { name, args } => {
                let found = tools.iter().find(|tool| tool.name.ends_with(name.as_str()));
                (name.as_str(), with_agent(args, body), found)
            }
        };
        match found {
            Some(tool) => Ok(Said::Call { name: tool.name.clone(), namespace: tool.namespace.clone(), args }),
            None => {
                let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
                Err(format!("the client does not offer {wanted}; it offers {}", names.join(", ")))
            }
        }
    }
}

impl Offered {
    /// Clients spell it `mcp__runsheet` + `todo_write`, `mcp__runsheet__todo_write`, `mcp_runsheet_todo_write` or
    /// `runsheet_todo_write`. The server's name must be there: dsh has a `todo_write` of its own.
    fn is_ours(&self) -> bool {
        let full = format!("{}_{}", self.namespace.as_deref().unwrap_or_default(), self.name);
        full.replace("__", "_").ends_with("runsheet_todo_write")
    }
}

fn with_agent(args: &Value, body: &Value) -> Value {
    let text = args.to_string();
    if !text.contains("$AGENT") {
        return args.clone();
    }
    let agent = last_agent(body).unwrap_or_else(|| "none".into());
    serde_json::from_str(&text.replace("$AGENT", &agent)).expect("an id does not change the shape of arguments")
}

/// The `agent_id` in the last tool output that has one; outputs are JSON in a string.
fn last_agent(body: &Value) -> Option<String> {
    body["input"].as_array()?.iter().rev().find_map(|item| {
        let output: Value = serde_json::from_str(item["output"].as_str()?).ok()?;
        output["agent_id"].as_str().map(str::to_owned)
    })
}
