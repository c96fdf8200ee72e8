//! What really happened in a session: prompts, calls and stops, in their order.

use runsheet_core::{
    log::Scope,
    todo::{ListLifetime, Status, TodoItem, TodoList},
};

use super::seeded::Seeded;

/// How much a client tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// Claude Code with hooks: prompts and stops carry a key; a call has key and agent only through its PreToolUse.
    Claude,
    /// Codex with hooks: every call names turn and thread itself.
    Codex,
    /// A client without hooks: calls, and nothing else.
    Bare,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Prompt,
    Call {
        id: String,
        list: Option<TodoList>,
    },
    Stop,
    /// `SessionEnd`.
    End,
}

/// One fact, as the client would report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) what: What,
    pub(crate) scope: Scope,
    pub(crate) key: Option<String>,
}

#[derive(Debug)]
pub(crate) struct History {
    pub(crate) client: Client,
    pub(crate) lifetime: ListLifetime,
    pub(crate) facts: Vec<Fact>,
}

/// A session of one to five prompts, each with up to four lists, some with sub-agents, in the foreground or outliving the
/// prompt; one prompt in twenty is interrupted and never stops, one stop in thirty is blocked and the agent goes on.
pub(crate) fn history(random: &mut Seeded) -> History {
    let client = [Client::Claude, Client::Codex, Client::Bare][usize::try_from(random.below(3)).unwrap()];
    let lifetime = if random.percent(15) { ListLifetime::Session } else { ListLifetime::Turn };
    let hooks = client != Client::Bare;
    let (mut facts, mut calls) = (Vec::new(), 0);
    let mut call = |facts: &mut Vec<Fact>, scope: &Scope, key: Option<&str>, list: Option<TodoList>| {
        calls += 1;
        let what = What::Call { id: format!("call_{calls}"), list };
        facts.push(Fact { what, scope: scope.clone(), key: key.map(Into::into) });
    };
    for turn in 1..=1 + random.below(5) {
        let key = hooks.then(|| format!("prompt-{turn}"));
        let plain = |what| Fact { what, scope: Scope::Main, key: key.clone() };
        if hooks {
            facts.push(plain(What::Prompt));
        }
        let items = 1 + random.below(3);
        let writes = [0, 0, 1, 2, 3, 4][usize::try_from(random.below(6)).unwrap()];
        let agent = (hooks && random.percent(15)).then(|| Scope::Agent(format!("a{turn}")));
        // A Codex child has turns of its own; a Claude child has its parent's key.
        let agent_key = if client == Client::Codex { Some(format!("child-{turn}")) } else { key.clone() };
        let background = random.percent(30);
        let mut agent_calls = |facts: &mut Vec<Fact>, random: &mut Seeded| {
            let Some(scope) = &agent else { return };
            if client == Client::Codex {
                facts.push(Fact { what: What::Prompt, scope: scope.clone(), key: agent_key.clone() });
            }
            for done in 0..=random.below(2) {
                call(facts, scope, agent_key.as_deref(), Some(list(&format!("{scope} of {turn}"), 2, done)));
            }
            if client == Client::Codex {
                facts.push(Fact { what: What::Stop, scope: scope.clone(), key: agent_key.clone() });
            }
        };
        let middle = random.below(writes + 1);
        for done in 0..writes {
            if done == middle && !background {
                agent_calls(&mut facts, random);
            }
            let written = (!random.percent(8)).then(|| list(&format!("turn {turn}"), items, done));
            facts.push(Fact {
                what: What::Call { id: format!("main_{turn}_{done}"), list: written },
                scope: Scope::Main,
                key: key.clone(),
            });
        }
        if middle == writes && !background {
            agent_calls(&mut facts, random);
        }
        if hooks && !random.percent(5) {
            facts.push(plain(What::Stop));
            // Another hook blocked the stop: the agent goes on with the same key, and stops again.
            if random.percent(3) {
                let call = What::Call {
                    id: format!("main_{turn}_more"),
                    list: Some(list(&format!("turn {turn}"), items, items)),
                };
                facts.extend([plain(call), plain(What::Stop)]);
            }
        }
        if background {
            agent_calls(&mut facts, random);
        }
    }
    if random.percent(80) {
        facts.push(Fact { what: What::End, scope: Scope::Main, key: None });
    }
    History { client, lifetime, facts }
}

/// A list of which the first `done` items are done and the next one runs.
fn list(name: &str, items: u64, done: u64) -> TodoList {
    let status = |at: u64| match at.cmp(&done) {
        std::cmp::Ordering::Less => Status::Completed,
        std::cmp::Ordering::Equal => Status::InProgress,
        std::cmp::Ordering::Greater => Status::Pending,
    };
    TodoList((0..items.max(done)).map(|at| TodoItem::new(format!("{name}: {at}"), status(at))).collect())
}
