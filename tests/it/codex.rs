use runsheet_e2e::check::{Bench, Case, Expected, Launch, Over, check};
use runsheet_e2e::client::{Client, Server, Shape};
use runsheet_e2e::model::{Script, call, code, item, say, write};
use runsheet_e2e::sandbox::Sandbox;
use runsheet_e2e::todos::{childs, first, second, third, todos};
use serde_json::{Value, json};

const DIRECT: Client = Client::Codex(Shape::Direct);
const SEARCH: Client = Client::Codex(Shape::Search);
const CODE: Client = Client::Codex(Shape::Code);

fn three_writes() -> Script {
    Script::main([write(&first()), write(&second()), write(&third()), say("Done.")])
}

fn three_writes_in_code() -> Script {
    Script::main([code(&[&first()]), code(&[&second(), &third()]), say("Done.")])
}

fn case(client: Client, script: Script) -> Case {
    Case { client, over: Over::Stdio, hook: false, script, main: third(), child: None }
}

#[test]
fn direct_tools() {
    check(case(DIRECT, three_writes()));
}

#[test]
fn tool_search() {
    let query = json!({ "query": "todo_write runsheet todo list", "limit": 3 });
    let search =
        json!({ "type": "tool_search_call", "execution": "client", "status": "completed", "arguments": query });
    let turns = [item(search), write(&first()), write(&second()), write(&third()), say("Done.")];
    check(case(SEARCH, Script::main(turns)));
}

#[test]
fn code_mode() {
    check(case(CODE, three_writes_in_code()));
}

#[test]
fn direct_tools_with_hook() {
    check(Case { hook: true, ..case(DIRECT, three_writes()) });
}

#[test]
fn code_mode_with_hook() {
    check(Case { hook: true, ..case(CODE, three_writes_in_code()) });
}

#[test]
fn an_open_list_is_left_paused() {
    let script = Script::main([write(&first()), write(&second()), say("Later.")]);
    check(Case { main: second(), ..case(DIRECT, script) });
}

#[test]
fn over_http() {
    check(Case { over: Over::Http, ..case(DIRECT, three_writes()) });
}

#[test]
fn over_http_with_hook() {
    check(Case { over: Over::Http, hook: true, ..case(CODE, three_writes_in_code()) });
}

fn spawn() -> Script {
    let wait = call("wait_agent", json!({ "targets": ["$AGENT"], "timeout_ms": 10_000 }));
    let spawn = call("spawn_agent", json!({ "message": "Make your own list." }));
    Script::main([write(&first()), spawn, wait, write(&third()), say("Done.")])
        .child([write(&childs()), say("Child done.")])
}

#[test]
fn a_sub_agent() {
    check(Case { child: Some(childs()), ..case(DIRECT, spawn()) });
}

#[test]
fn a_sub_agent_with_hook() {
    check(Case { child: Some(childs()), hook: true, ..case(DIRECT, spawn()) });
}

#[test]
fn a_sub_agent_in_code_mode() {
    let collaborate = |name: &str, arguments: Value| {
        let arguments = arguments.to_string();
        item(
            json!({ "type": "function_call", "status": "completed", "namespace": "collaboration", "name": name, "arguments": arguments }),
        )
    };
    let spawn = collaborate("spawn_agent", json!({ "task_name": "helper", "message": "Make your own list." }));
    let wait = collaborate("wait_agent", json!({ "timeout_ms": 10_000 }));
    let script = Script::main([code(&[&first()]), spawn, wait, code(&[&third()]), say("Done.")]);
    check(Case { child: Some(childs()), ..case(CODE, script.child([code(&[&childs()]), say("Child done.")])) });
}

#[test]
fn resume_is_the_same_session() {
    let sandbox = Sandbox::new();
    let bench = Bench::new(&sandbox);
    let launch = |resume| Launch { server: Server::Stdio, hook: false, resume };
    bench.run(DIRECT, &bench.model(three_writes()), launch(false));
    let again = todos(&[("Write the changelog", "in_progress")]);
    bench.run(DIRECT, &bench.model(Script::main([write(&again), say("Later.")])), launch(true));
    let expected = Expected { client: DIRECT, knows_cwd: true, main: Some(again), agents: vec![] };
    bench.expect(&bench.only_session(), &expected);
}

#[test]
fn two_at_once_stay_two() {
    let sandbox = Sandbox::new();
    let other = todos(&[("Something else", "completed")]);
    let second = Script::main([write(&other), say("Done.")]);
    Bench::new(&sandbox).two_at_once(DIRECT, [(three_writes(), third()), (second, other)]);
}
