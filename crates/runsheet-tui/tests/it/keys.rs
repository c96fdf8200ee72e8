//! What keys do, and what is asked of the world.

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use runsheet_tui::{Effect, Event, Focus, Overlay, Setup};

use crate::{
    harness::{Story, check, model, press, screen, with},
    states::working,
};

fn named(number: u128, agent: &str, cwd: &str, prompt: &str) -> Story {
    let mut story = Story::new(number, agent, Some(cwd));
    story.ago(1_000 - i64::try_from(number).unwrap()).asks(prompt);
    story
}

#[test]
fn selection_opens() {
    let (a, b) = (named(1, "codex", "/a", "first"), named(2, "gemini-cli", "/b", "second"));
    let stories = [&a, &b];
    let mut model = model(&stories, (90, 12));
    assert_eq!(model.open.as_ref().unwrap().session, b.session);
    press(&mut model, &stories, "j");
    assert_eq!(model.open.as_ref().unwrap().session, a.session);
    press(&mut model, &stories, "j j k k");
    assert_eq!(model.open.as_ref().unwrap().session, b.session);
    assert_eq!(press(&mut model, &stories, "q"), [Effect::Quit]);
}

#[test]
fn a_narrow_terminal_opens_at_enter() {
    let (a, b) = (named(1, "codex", "/a", "first"), named(2, "gemini-cli", "/b", "second"));
    let stories = [&a, &b];
    let mut model = model(&stories, (60, 12));
    press(&mut model, &stories, "j");
    assert!(model.open.is_none());
    press(&mut model, &stories, "enter");
    assert_eq!(model.open.as_ref().unwrap().session, a.session);
    press(&mut model, &stories, "esc");
    assert_eq!(model.focus, Focus::Sessions);
}

#[test]
fn filter() {
    let (a, b) = (named(1, "codex", "/a/shop", "Fix it"), named(2, "gemini-cli", "/b", "修复登录"));
    let stories = [&a, &b];
    let mut model = model(&stories, (90, 8));
    press(&mut model, &stories, "/ S H O P");
    check!(model, @r"
    runsheet · 2 sessions
    shop  /a/shop                       · Fix it                       codex 1.2 · idle · 16m
    · Fix it            idle 16m         session codex, over mcp
                                         you   Fix it
                                        ┌ Plan ─────────────────────────────────────────────┐
                                        │No list was written yet.                           │
                                        └───────────────────────────────────────────────────┘
    / SHOP_                                                            enter keep  esc clear
    ");
    press(&mut model, &stories, "x");
    assert!(screen(&model).contains("Nothing matches"));
    press(&mut model, &stories, "esc / 登 录 enter");
    check!(model, @r"
    runsheet · 2 sessions
    b  /b                               · 修复登录                gemini-cli 1.2 · idle · 16m
    · 修复登录          idle 16m         session gemini-cli, over mcp
                                         you   修复登录
                                        ┌ Plan ─────────────────────────────────────────────┐
                                        │No list was written yet.                           │
                                        └───────────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit                             /登录
    ");
    press(&mut model, &stories, "esc");
    assert_eq!(model.sessions.filter(), "");
}

#[test]
fn panes_and_details() {
    let story = working();
    let stories = [&story];
    let mut model = model(&stories, (100, 24));
    press(&mut model, &stories, "tab");
    assert_eq!(model.focus, Focus::Timeline);
    press(&mut model, &stories, "tab");
    assert_eq!(model.focus, Focus::Plan);
    press(&mut model, &stories, "j enter");
    check!(model, @r"
     runsheet · 1 session · 1 working
    ┌ j/k scroll · esc close ──────────────────────────────────────────────────────────────────────────┐
    │● in progress                                                                                     │
    │Write the fix                                                                                     │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    └──────────────────────────────────────────────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t timeline  esc back  ? help  q quit
    ");
    press(&mut model, &stories, "esc tab tab k k k k enter");
    assert!(matches!(model.overlay, Some(Overlay::Reader(_))));
    check!(model, @r#"
     runsheet · 1 session · 1 working
    ┌ j/k scroll · esc close ──────────────────────────────────────────────────────────────────────────┐
    │call of bash · event 6 · 2027-01-15T07:53:20.000Z                                                 │
    │cargo test -p auth                                                                                │
    │                                                                                                  │
    │failed · event 7 · 2027-01-15T07:53:23.000Z                                                       │
    │test login ... FAILED                                                                             │
    │{"exitCode":1}                                                                                    │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    └──────────────────────────────────────────────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t plan  esc back  ? help  q quit
    "#);
}

#[test]
fn earlier_lists() {
    let story = working();
    let stories = [&story];
    let mut model = model(&stories, (80, 24));
    press(&mut model, &stories, "[");
    check!(model, @r#"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● Fix the failing login test
    ● Fix the fa… 1/4 Write th… +1




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
                                    ┌ Plan 0/3 ─────── as it was 9m ago · ] later ┐
                                    │ ● Read the code                             │
                                    │ ○ Write the fix                             │
                                    │ ○ Run the tests                             │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    "#);
    // There is none before the first.
    press(&mut model, &stories, "[");
    assert!(model.open.as_ref().unwrap().earlier.is_some());
    press(&mut model, &stories, "] ]");
    assert!(model.open.as_ref().unwrap().earlier.is_none());
    press(&mut model, &stories, "[ esc");
    assert!(model.open.as_ref().unwrap().earlier.is_none());
}

#[test]
fn mouse() {
    let (a, b) = (named(1, "codex", "/a", "first"), named(2, "gemini-cli", "/b", "second"));
    let stories = [&a, &b];
    let mut model = model(&stories, (90, 12));
    let at = |kind, column, row| Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    // Head, project, session, project, session.
    let effects = model.update(at(MouseEventKind::Down(MouseButton::Left), 4, 4));
    assert_eq!(effects, [Effect::Open(a.session)]);
    model.update(at(MouseEventKind::ScrollUp, 4, 4));
    assert_eq!(model.sessions.selected(), Some(b.session));
    model.update(at(MouseEventKind::Down(MouseButton::Left), 80, 3));
    assert_eq!(model.focus, Focus::Timeline);
    model.update(at(MouseEventKind::Down(MouseButton::Left), 500, 500));
}

#[test]
fn presence_is_looked_for() {
    let story = working();
    let mut model = with(Setup::default(), &[&story], (80, 24));
    let later = |ms| runsheet_core::log::Time::from_ms(crate::harness::NOW.as_ms() + ms);
    assert_eq!(model.update(Event::Tick(later(1_000))), []);
    assert_eq!(model.update(Event::Tick(later(5_000))), [Effect::Look(vec![story.session])]);
    assert_eq!(model.update(Event::Tick(later(6_000))), []);
}
