use runsheet_e2e::check::{Bench, Case, Expected, Launch, Over, check};
use runsheet_e2e::client::{Client, Server, interactive};
use runsheet_e2e::model::{Lane, Script, call, say, write};
use runsheet_e2e::process::eventually;
use runsheet_e2e::sandbox::Sandbox;
use runsheet_e2e::tmux::Terminal;
use runsheet_e2e::todos::{childs, first, second, third, todos};
use serde_json::json;

fn three_writes() -> Script {
    Script::main([write(&first()), write(&second()), write(&third()), say("Done.")])
}

fn case(client: Client) -> Case {
    Case { client, over: Over::Stdio, hook: true, script: three_writes(), main: third(), child: None }
}

#[test]
fn current_without_hook() {
    check(Case { hook: false, ..case(Client::Claude) });
}

#[test]
fn current_with_hook() {
    check(case(Client::Claude));
}

#[test]
fn old_without_hook() {
    check(Case { hook: false, ..case(Client::ClaudeOld) });
}

#[test]
fn old_with_hook() {
    check(case(Client::ClaudeOld));
}

#[test]
fn current_over_http() {
    check(Case { over: Over::Http, ..case(Client::Claude) });
}

#[test]
fn old_over_http() {
    check(Case { over: Over::Http, ..case(Client::ClaudeOld) });
}

fn delegating() -> Script {
    let args = json!({
        "description": "helper", "prompt": "Make your own list.", "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    Script::main([write(&first()), call("Agent", args), write(&third()), say("Done.")])
        .child([write(&childs()), say("Child done.")])
}

#[test]
fn a_sub_agent_of_the_current() {
    check(Case { script: delegating(), child: Some(childs()), ..case(Client::Claude) });
}

#[test]
fn a_sub_agent_of_the_old() {
    check(Case { script: delegating(), child: Some(childs()), ..case(Client::ClaudeOld) });
}

#[test]
fn a_sub_agent_over_http() {
    check(Case { over: Over::Http, script: delegating(), child: Some(childs()), ..case(Client::Claude) });
}

#[test]
fn continue_of_the_current_is_the_same_session() {
    continued(Client::Claude);
}

#[test]
fn continue_of_the_old_is_the_same_session() {
    continued(Client::ClaudeOld);
}

/// A new process goes on with the session. Its environment then names a session nobody else knows; the hook does not.
fn continued(client: Client) {
    let sandbox = Sandbox::new();
    let bench = Bench::new(&sandbox);
    let launch = |resume| Launch { server: Server::Stdio, hook: true, resume };
    bench.run(client, &bench.model(three_writes()), launch(false));
    let again = todos(&[("Write the changelog", "in_progress")]);
    bench.run(client, &bench.model(Script::main([write(&again), say("Later.")])), launch(true));
    let expected = Expected { client, knows_cwd: true, main: Some(again), agents: vec![] };
    bench.expect(&bench.only_session(), &expected);
}

#[test]
fn clear_in_the_current_starts_another_session() {
    cleared(Client::Claude);
}

#[test]
fn clear_in_the_old_starts_another_session() {
    cleared(Client::ClaudeOld);
}

/// After `/clear` the same process speaks for a new session; only the hook says so. The old one keeps its list.
fn cleared(client: Client) {
    let sandbox = Sandbox::new();
    let bench = Bench::new(&sandbox);
    let turns = [
        write(&first()),
        say("First answer."),
        write(&second()),
        say("Second answer."),
        write(&third()),
        say("Third answer."),
    ];
    let model = bench.model(Script::main(turns));
    let setup = bench.setup(&model, Launch { server: Server::Stdio, hook: true, resume: false });
    let terminal = Terminal::start(&sandbox, &interactive(client, &setup));
    let ask = |prompt: &str, answer: &str, played: usize| {
        terminal.type_line(prompt);
        eventually("the turn to be played", || {
            assert!(model.mistakes().is_empty(), "{:?}", model.mistakes());
            model.played(Lane::Main) >= played
        });
        terminal.wait_for(answer);
    };
    terminal.wait_for("❯");
    ask("Fix the first bug", "First answer.", 2);
    terminal.type_line("/clear");
    eventually("the screen to be cleared", || !terminal.screen().contains("First answer."));
    ask("Fix the second bug", "Second answer.", 4);
    ask("Go on with it", "Third answer.", 6);
    terminal.type_line("/exit");
    eventually("the client to end", || !terminal.is_running());
    assert!(model.problems().is_empty(), "{:?}", model.problems());

    bench.expect_sessions(client, vec![first(), third()]);
}

#[test]
fn two_at_once_stay_two() {
    let sandbox = Sandbox::new();
    let other = todos(&[("Something else", "completed")]);
    let second = Script::main([write(&other), say("Done.")]);
    Bench::new(&sandbox).two_at_once(Client::Claude, [(three_writes(), third()), (second, other)]);
}
