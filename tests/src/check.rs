//! What a run must leave in the store, stated once: [`check`] for one run of one client, [`Bench`] for the tests
//! that need more than one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, Server, Setup};
use crate::model::{Gate, Lane, Model, Script};
use crate::process::{Running, tail};
use crate::runsheet::Runsheet;
use crate::sandbox::Sandbox;

/// One client plays one script against one fresh store.
pub struct Case {
    /// Who.
    pub client: Client,
    /// Over what.
    pub over: Over,
    /// Whether the PreToolUse hook is connected.
    pub hook: bool,
    /// What the model says.
    pub script: Script,
    /// The main list afterwards.
    pub main: Value,
    /// The sub-agent's list afterwards, if there was one.
    pub child: Option<Value>,
}

/// The transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The client starts our server.
    Stdio,
    /// `runsheet serve` was there before.
    Http,
}

/// Runs a case: the client must end well, its script must be played to the end, `log --follow` beside it must show
/// each write before the model goes on, and `ls` and `show` must then say what the script wrote.
pub fn check(case: Case) {
    let sandbox = Sandbox::new();
    let bench = Bench::new(&sandbox);
    let served = (case.over == Over::Http).then(|| bench.runsheet.serve());
    let server = served.as_ref().map_or(Server::Stdio, |served| Server::Http(served.url.clone()));
    let writes = case.script.writes();
    let model = bench.model(case.script);
    bench.run(case.client, &model, Launch { server, hook: case.hook, resume: false });
    // Over HTTP nobody knows that the client has gone, until the server goes.
    if let Some(served) = served {
        served.terminate();
    }
    let session = bench.only_session();
    // Over HTTP a client does not say where it runs; only its hook knows.
    let knows_cwd = case.over == Over::Stdio || case.hook;
    let agents = case.child.map(|list| (bench.child_of(&model), list));
    bench.expect(
        &session,
        &Expected { client: case.client, knows_cwd, main: Some(case.main), agents: agents.into_iter().collect() },
    );
    assert_eq!(bench.follow.total(), writes, "the log shows each write once");
}

/// A fresh store with a follower.
pub struct Bench<'a> {
    /// The test's folders.
    pub sandbox: &'a Sandbox,
    /// Our binary on the store.
    pub runsheet: Runsheet<'a>,
    /// `log --follow` beside everything that happens.
    pub follow: Arc<Follow>,
}

/// How one run is started.
pub struct Launch {
    /// Over what.
    pub server: Server,
    /// Whether the hook is connected.
    pub hook: bool,
    /// Whether the client goes on with its last session.
    pub resume: bool,
}

/// What `show --json` must say of a session.
pub struct Expected {
    /// Whose it is.
    pub client: Client,
    /// Whether its cwd can be known.
    pub knows_cwd: bool,
    /// The main list, if one was written.
    pub main: Option<Value>,
    /// The sub-agents' lists by scope.
    pub agents: Vec<(String, Value)>,
}

impl<'a> Bench<'a> {
    /// Starts the follower on the store that does not exist yet.
    pub fn new(sandbox: &'a Sandbox) -> Self {
        let runsheet = Runsheet::new(sandbox);
        let follow = Arc::new(Follow { running: runsheet.start(&["log", "--follow", "--json"], "follow") });
        Self { sandbox, runsheet, follow }
    }

    /// A model that goes on only when the follower has shown what the script wrote so far.
    pub fn model(&self, script: Script) -> Model {
        let before = [Lane::Main, Lane::Child].map(|lane| self.follow.writes(lane));
        // The model's threads outlive the test; the follower must not.
        let follow = Arc::downgrade(&self.follow);
        let gate: Gate = Box::new(move |lane, writes| {
            let Some(follow) = follow.upgrade() else { return Err("the test is over".into()) };
            let started = Instant::now();
            let wanted = before[lane as usize] + writes;
            while follow.writes(lane) < wanted {
                if started.elapsed() > Duration::from_secs(30) {
                    let seen = follow.writes(lane);
                    return Err(format!(
                        "log --follow has shown {seen} writes of lane {lane:?}, not {wanted}, and the client waits"
                    ));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(())
        });
        Model::start(script, Some(gate))
    }

    /// What a launch in the bench's own sandbox needs.
    pub fn setup(&self, model: &Model, launch: Launch) -> Setup<'_> {
        let Launch { server, hook, resume } = launch;
        Setup { sandbox: self.sandbox, runsheet: &self.runsheet, model: model.url(), server, hook, resume }
    }

    /// Plays two scripts with two processes of a client at once, over stdio and with the hook, in one workspace. Each
    /// must end as a session of its own with its own list.
    pub fn two_at_once(&self, client: Client, scripts: [(Script, Value); 2]) {
        let other = self.sandbox.sharing_workspace();
        let models = scripts.each_ref().map(|(script, _)| self.model(script.clone()));
        let launch = || Launch { server: Server::Stdio, hook: true, resume: false };
        let first = self.start(client, &models[0], launch());
        let setup = Setup { sandbox: &other, ..self.setup(&models[1], launch()) };
        let second = Running::start(&mut client.command(&setup), &other.logs(), "client");
        for (model, running) in models.iter().zip([first, second]) {
            self.finish(client, model, running);
        }
        self.expect_sessions(client, scripts.into_iter().map(|(_, list)| list).collect());
    }

    /// The store has one session for each of these main lists, in any order, and no other.
    pub fn expect_sessions(&self, client: Client, mut wanted: Vec<Value>) {
        for row in self.runsheet.sessions() {
            let session = id(&row);
            let shown = self.runsheet.show(&session)["todos"].clone();
            let at = wanted.iter().position(|list| *list == shown);
            let at = at.unwrap_or_else(|| panic!("a session has a list that none should have: {shown:#}"));
            let main = Some(wanted.swap_remove(at));
            self.expect(&session, &Expected { client, knows_cwd: true, main, agents: vec![] });
        }
        assert!(wanted.is_empty(), "no session has the list {wanted:#?}");
    }

    /// Starts a client.
    pub fn start(&self, client: Client, model: &Model, launch: Launch) -> Running {
        let name = format!("client-{}", model.url().rsplit(':').next().unwrap_or_default());
        Running::start(&mut client.command(&self.setup(model, launch)), &self.sandbox.logs(), &name)
    }

    /// Runs a client to its end.
    pub fn run(&self, client: Client, model: &Model, launch: Launch) {
        self.finish(client, model, self.start(client, model, launch));
    }

    /// Waits for a client; its script must have been played as written.
    pub fn finish(&self, client: Client, model: &Model, running: Running) {
        let finished = running.wait();
        let words = format!("{}\n{}", tail(&finished.stdout), tail(&finished.stderr));
        let problems = model.problems();
        assert!(problems.is_empty(), "{client:?} did not play its script: {}\n{words}", problems.join("; "));
        finished.succeeded(&format!("{client:?}"));
    }

    /// The id of the store's one session.
    pub fn only_session(&self) -> String {
        let sessions = self.runsheet.sessions();
        assert_eq!(sessions.len(), 1, "one run is one session, but ls shows {sessions:#?}");
        id(&sessions[0])
    }

    /// The scope a sub-agent's list must have: its id stands in the header of its requests.
    pub fn child_of(&self, model: &Model) -> String {
        let requests = model.requests();
        let child = requests.iter().find_map(|request| {
            request.header("x-claude-code-agent-id").or_else(|| {
                request.header("x-codex-parent-thread-id")?;
                request.header("thread-id")
            })
        });
        format!("agent:{}", child.expect("a sub-agent asked the model"))
    }

    /// What `show` says once nobody works any more. A client may end a moment before the server it started, and then
    /// the turn is still somebody's.
    fn shown_at_rest(&self, session: &str) -> Value {
        let started = Instant::now();
        loop {
            let shown = self.runsheet.show(session);
            if shown["state"] != "working" || started.elapsed() > Duration::from_secs(10) {
                return shown;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Compares `ls` and `show` of a session with what is expected.
    pub fn expect(&self, session: &str, expected: &Expected) {
        let (name, version) = expected.client.agent();
        let agent = json!({ "name": name, "version": version });
        let cwd = if expected.knows_cwd { json!(self.sandbox.workspace()) } else { Value::Null };
        let sessions = self.runsheet.sessions();
        let row = sessions.iter().find(|row| row["session"] == session).expect("ls lists the session");
        assert_eq!((&row["agent"], &row["cwd"]), (&agent, &cwd), "ls --json: {row:#}");

        let shown = self.shown_at_rest(session);
        let main = expected.main.as_ref();
        let items = main.and_then(Value::as_array).map_or(0, Vec::len);
        let counts = crate::todos::counts(main.unwrap_or(&Value::Null));
        let lists = main.map(|items| ("main", items)).into_iter();
        let lists = lists.chain(expected.agents.iter().map(|(scope, items)| (scope.as_str(), items)));
        let lists: Vec<_> =
            lists.map(|(scope, items)| json!({ "scope": scope, "kind": "todo", "items": items })).collect();
        let wanted = json!({
            "session": session, "agent": agent, "cwd": cwd, "todos": main, "carried": null,
            "counts": counts,
            "total": items, "plan": null, "alerts": [], "lists": lists,
        });
        for (key, wanted) in wanted.as_object().into_iter().flatten() {
            assert_eq!(shown.get(key), Some(wanted), "show --json, key `{key}`: {shown:#}");
        }
        // The run is over: a turn that stays open would say that somebody still works.
        let state = match main {
            Some(_) if counts["pending"] == 0 && counts["inProgress"] == 0 => "done",
            Some(_) => "paused",
            None => "idle",
        };
        assert_eq!(shown["state"], state, "show --json, key `state`: {shown:#}");
        assert!(shown["turn"].is_u64(), "show --json, key `turn`: {shown:#}");
    }
}

/// `runsheet log --follow --json`, reading along.
pub struct Follow {
    running: Running,
}

impl Follow {
    /// How many list writes it has shown for a lane.
    pub fn writes(&self, lane: Lane) -> usize {
        self.scopes().filter(|scope| (scope == "main") == (lane == Lane::Main)).count()
    }

    /// How many list writes it has shown.
    pub fn total(&self) -> usize {
        self.scopes().count()
    }

    fn scopes(&self) -> impl Iterator<Item = String> {
        let printed = self.running.printed();
        let events: Vec<Value> = printed.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        events.into_iter().filter_map(|line| {
            let event = line.get("event").unwrap_or(&line);
            (event["type"] == "todo/write").then(|| event["data"]["scope"].as_str().unwrap_or_default().to_owned())
        })
    }
}

/// The id of a row of `ls --json`.
pub fn id(row: &Value) -> String {
    row["session"].as_str().unwrap_or_else(|| panic!("a row of ls --json has no session: {row}")).to_owned()
}
