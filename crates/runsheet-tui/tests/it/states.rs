//! Every state, as it looks.

use runsheet_core::{
    log::{Scope, SessionTitle},
    plan::PermissionAsked,
    projection::SessionState,
    todo::{Author, ListLifetime},
};
use runsheet_tui::{Event, Setup};

use crate::harness::{Story, check, model, press, screen, with};

pub(crate) const WIDE: (u16, u16) = (100, 24);
pub(crate) const SMALL: (u16, u16) = (80, 24);

/// A session in the middle of its work.
pub(crate) fn working() -> Story {
    let mut story = Story::new(1, "codex", Some("/home/ada/shop-api"));
    story.turn(1).asks("Fix the failing login test").ago(540);
    story.plans(&["runs: Read the code", "open: Write the fix", "open: Run the tests"]).ago(400);
    story.runs("bash", "cargo test -p auth").ago(397).gives("test login ... FAILED", Some(1), true);
    story.says("The token check compares times as texts.").ago(240);
    story.plans(&["done: Read the code", "runs: Write the fix", "runs: Add a test", "open: Run the tests"]);
    story.runs("todo_write", r#"{"todos":[]"#).gives("Error: todos must be an array", None, true).ago(200);
    let reviewer = Scope::Agent("reviewer".into());
    story.writes(reviewer, Author::Model, ListLifetime::Turn, &["runs: Read the diff", "open: Look for more"]).ago(12);
    story
}

pub(crate) fn done() -> Story {
    let mut story = Story::new(2, "claude-code", Some("/home/ada/docs"));
    story.ago(7_400).event(&SessionTitle { title: "changelog".into() }).turn(1).ago(7_300);
    story.plans(&["done: Collect", "gone: Group", "done: Write"]).ago(7_200).ends(1);
    story
}

pub(crate) fn paused() -> Story {
    let mut story = Story::new(3, "opencode", Some("/home/ada/docs"));
    story.ago(90_000).asks("rewrite the intro").turn(1).plans(&["runs: Draft", "open: Review"]).ends(1);
    story
}

#[test]
fn side_by_side() {
    let (a, b, c) = (working(), done(), paused());
    check!(model(&[&a, &b, &c], WIDE), @r#"
    runsheet · 3 sessions · 1 working
    shop-api  /home/ada/shop-api            ● Fix the failing login test       codex 1.2 · working · 3m
    ● Fix the faili… 1/4 Write the fix  +1
    docs  /home/ada/docs
    ✓ changelog      3/3 done 2h
    ‖ rewrite the i… 0/2 2 open 1d           session codex, over mcp
                                             turn  1 · 10m ago ─────
                                             you   Fix the failing login test
                                             todo  0/3 · Read the code                        (added 3)
                                             bash  cargo test -p auth                       exit 1 3.0s
                                                   ✗ test login ... FAILED
                                             agent The token check compares times as texts.
                                             todo  1/4 · Write the fix             +1 (done 1, added 1)
                                             todo_write {"todos":[]                              failed
                                                        ✗ Error: todos must be an array
                                             todo  ↳ reviewer 0/2 · Read the diff
                                            ┌ Plan 1/4 ───────────────────────────────────────────────┐
                                            │ ✓ Read the code                                      5m │
                                            │ ● Write the fix                                      4m │
                                            │ ● Add a test                                         4m │
                                            │ ○ Run the tests                                         │
                                            │ ↳ reviewer 0/2 Read the diff                            │
                                            └─────────────────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    "#);
    check!(model(&[&a, &b, &c], SMALL), @r#"
    runsheet · 3 sessions · 1 working
    shop-api  /home/ada/shop-api    ● Fix the failing login test
    ● Fix the fa… 1/4 Write th… +1
    docs  /home/ada/docs
    ✓ changelog   3/3 done 2h
    ‖ rewrite th… 0/2 2 open 1d      session codex, over mcp
                                     turn  1 · 10m ago ─────
                                     you   Fix the failing login test
                                     todo  0/3 · Read the code            (added 3)
                                     bash  cargo test -p auth           exit 1 3.0s
                                           ✗ test login ... FAILED
                                     agent The token check compares times as texts.
                                     todo  1/4 · Write the fix +1 (done 1, added 1)
                                     todo_write {"todos":[]                  failed
                                                ✗ Error: todos must be an array
                                     todo  ↳ reviewer 0/2 · Read the diff
                                    ┌ Plan 1/4 ───────────────────────────────────┐
                                    │ ✓ Read the code                          5m │
                                    │ ● Write the fix                          4m │
                                    │ ● Add a test                             4m │
                                    │ ○ Run the tests                             │
                                    │ ↳ reviewer 0/2 Read the diff                │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    "#);
}

#[test]
fn one_pane_at_a_time() {
    let (a, b, c) = (working(), done(), paused());
    let stories = [&a, &b, &c];
    let mut model = model(&stories, (60, 20));
    check!(model, @r"
    runsheet · 3 sessions · 1 working
    shop-api  /home/ada/shop-api
    ● Fix the failing login … 1/4 Write the fix             +1
    docs  /home/ada/docs
    ✓ changelog               3/3 done 2h
    ‖ rewrite the intro       0/2 2 open 1d













    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    press(&mut model, &stories, "enter");
    check!(model, @r#"
     runsheet · 3 sessions · 1 working
    ● Fix the failing login test        codex 1.2 · working · 3m
     turn  1 · 10m ago ─────
     you   Fix the failing login test
     todo  0/3 · Read the code                         (added 3)
     bash  cargo test -p auth                        exit 1 3.0s
           ✗ test login ... FAILED
     agent The token check compares times as texts.
     todo  1/4 · Write the fix              +1 (done 1, added 1)
     todo_write {"todos":[]                               failed
                ✗ Error: todos must be an array
     todo  ↳ reviewer 0/2 · Read the diff
    ┌ Plan 1/4 ────────────────────────────────────────────────┐
    │ ✓ Read the code                                       5m │
    │ ● Write the fix                                       4m │
    │ ● Add a test                                          4m │
    │ ○ Run the tests                                          │
    │ ↳ reviewer 0/2 Read the diff                             │
    └──────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t plan  esc back  ? help…
    "#);
}

#[test]
fn done_and_paused() {
    let (b, c) = (done(), paused());
    let stories = [&b, &c];
    let mut model = model(&stories, SMALL);
    check!(model, @r"
    runsheet · 2 sessions
    docs  /home/ada/docs            ✓ changelog         claude-code 1.2 · done · 2h
    ✓ changelog   3/3 done 2h
    ‖ rewrite th… 0/2 2 open 1d









                                     session claude-code, over mcp
                                     title changelog
                                     turn  1 · 2h ago ─────
                                     todo  3/3 · all done         (done 2, added 3)
                                     turn  1 ended: completed
                                    ┌ Plan 3/3 ───────────────────────── all done ┐
                                    │ ✓ Collect                                   │
                                    │ ⊘ Group                                     │
                                    │ ✓ Write                                     │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    press(&mut model, &stories, "j");
    check!(model, @r"
    runsheet · 2 sessions
    docs  /home/ada/docs            ‖ rewrite the intro
    ✓ changelog   3/3 done 2h
    ‖ rewrite th… 0/2 2 open 1d










                                     session opencode, over mcp
                                     you   rewrite the intro
                                     turn  1 · 1d ago ─────
                                     todo  0/2 · Draft                    (added 2)
                                     turn  1 ended: completed
                                    ┌ Plan 0/2 ───────────────────────────────────┐
                                    │ ● Draft                                  1d │
                                    │ ○ Review                                    │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
}

#[test]
fn nothing_yet() {
    check!(model(&[], SMALL), @r"
    runsheet · 0 sessions

    No session yet.
    Connect an agent, then ask it to plan a task. Its list shows here as it is
    written.

    Codex  codex mcp add runsheet -- runsheet mcp

    `runsheet demo` plays a session, without an agent.














    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    let (mut model, _) = runsheet_tui::Model::new(Setup::default(), crate::harness::NOW, SMALL);
    check!(model, @r"
    runsheet
    Reading the sessions





















    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    model.update(Event::NoStore);
    assert!(screen(&model).contains("No session yet."));
}

#[test]
fn no_list() {
    let tool = Story::without_tool(4, "copilot");
    check!(model(&[&tool], SMALL), @r"
    runsheet · 1 session
    (no folder)                     · copilot 00000004     copilot 1.2 · idle · 10m
    · copilot 00…     idle 10m
















                                     session copilot, over mcp
                                    ┌ Plan ───────────────────────────────────────┐
                                    │No todo tool: this agent writes no list.     │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    let mut never = Story::new(5, "codex", None);
    never.turn(1);
    assert!(screen(&model(&[&never], SMALL)).contains("No list was written yet."));
    never.plans(&[]);
    assert!(screen(&model(&[&never], SMALL)).contains("The list is empty"));
}

#[test]
fn a_new_turn() {
    let mut story = working();
    story.ends(1).ago(5).turn(2).asks("And the docs");
    let stories = [&story];
    let mut model = model(&stories, SMALL);
    check!(model, @r#"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● Fix the failing login test
    ● Fix the fa… 1/4 working


                                     session codex, over mcp
                                     turn  1 · 10m ago ─────
                                     you   Fix the failing login test
                                     todo  0/3 · Read the code            (added 3)
                                     bash  cargo test -p auth           exit 1 3.0s
                                           ✗ test login ... FAILED
                                     agent The token check compares times as texts.
                                     todo  1/4 · Write the fix +1 (done 1, added 1)
                                     todo_write {"todos":[]                  failed
                                                ✗ Error: todos must be an array
                                     todo  ↳ reviewer 0/2 · Read the diff
                                     turn  1 ended: completed
                                     turn  2 · 5s ago ─────
                                     you   And the docs
                                    ┌ Plan ───────────────────────────────────────┐
                                    │A new turn, without a list yet. 3 of the last│
                                    │one stayed open (1/4); t shows it.           │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    "#);
    press(&mut model, &stories, "t");
    check!(model, @r"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● Fix the failing login test
    ● Fix the fa… 1/4 working       ┌ Plan 1/4 ──────────────────────── of turn 1 ┐
                                    │ ✓ Read the code                          5m │
                                    │ ● Write the fix                          4m │
                                    │ ● Add a test                             4m │
                                    │ ○ Run the tests                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    │                                             │
                                    └─────────────────────────────────────────────┘
    j/k move  enter read  [ ] writes  t timeline  esc back  ? help  q quit
    ");
}

#[test]
fn a_persons_edit() {
    let mut story = working();
    let items = ["done: Read the code", "runs: Write the fix", "open: Run all the tests"];
    story.ago(3).writes(Scope::Main, Author::Human, ListLifetime::Turn, &items);
    let shown = screen(&model(&[&story], WIDE));
    assert!(shown.contains("you   edited the list: 1/3 · Write the fix"), "{shown}");
}

#[test]
fn waiting_and_trouble() {
    let mut story = working();
    let question = "May I run `rm -r target`?".to_owned();
    story.event(&PermissionAsked { request_id: "1".into(), call_id: None, question });
    let mut model = model(&[&story], SMALL);
    let mut row = story.row();
    for state in [SessionState::Waiting, SessionState::Stalled, SessionState::Unknown] {
        row.state = state;
        model.update(Event::Happened { rows: vec![row.clone()], events: Vec::new() });
        assert!(screen(&model).contains(state.glyph()), "{state:?}");
    }
    row.state = SessionState::Waiting;
    model.update(Event::Happened { rows: vec![row], events: Vec::new() });
    model.update(Event::Trouble(Some("following the feed failed: the disk is on fire".into())));
    check!(model, @r#"
    runsheet · 1 session                                             ◆ 1 needs you
    shop-api  /home/ada/shop-api    ◆ Fix the failing login test
    ◆ Fix the fa… 1/4 waiting … +1

                                     session codex, over mcp
                                     turn  1 · 10m ago ─────
                                     you   Fix the failing login test
                                     todo  0/3 · Read the code            (added 3)
                                     bash  cargo test -p auth           exit 1 3.0s
                                           ✗ test login ... FAILED
                                     agent The token check compares times as texts.
                                     todo  1/4 · Write the fix +1 (done 1, added 1)
                                     todo_write {"todos":[]                  failed
                                                ✗ Error: todos must be an array
                                     todo  ↳ reviewer 0/2 · Read the diff
                                     asks  May I run `rm -r target`?
                                    ┌ Plan 1/4 ───────────────────────────────────┐
                                    │ ✓ Read the code                          5m │
                                    │ ● Write the fix                          4m │
                                    │ ● Add a test                             4m │
                                    │ ○ Run the tests                             │
                                    │ ↳ reviewer 0/2 Read the diff                │
                                    └─────────────────────────────────────────────┘
    ▲ following the feed failed: the disk is on fire
    "#);
    model.update(Event::Trouble(None));
    assert!(!screen(&model).contains("fire"));
}

#[test]
fn only_one_session() {
    let story = working();
    let setup = Setup { only: Some(story.session), ..Setup::default() };
    check!(with(setup, &[&story], SMALL), @r#"
     runsheet
    ● Fix the failing login test                            codex 1.2 · working · 3m



     session codex, over mcp
     turn  1 · 10m ago ─────
     you   Fix the failing login test
     todo  0/3 · Read the code                                             (added 3)
     bash  cargo test -p auth                                            exit 1 3.0s
           ✗ test login ... FAILED
     agent The token check compares times as texts.
     todo  1/4 · Write the fix                                  +1 (done 1, added 1)
     todo_write {"todos":[]                                                   failed
                ✗ Error: todos must be an array
     todo  ↳ reviewer 0/2 · Read the diff
    ┌ Plan 1/4 ────────────────────────────────────────────────────────────────────┐
    │ ✓ Read the code                                                           5m │
    │ ● Write the fix                                                           4m │
    │ ● Add a test                                                              4m │
    │ ○ Run the tests                                                              │
    │ ↳ reviewer 0/2 Read the diff                                                 │
    └──────────────────────────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t plan  ? help  q quit
    "#);
}
