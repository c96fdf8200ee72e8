//! Every size draws, however small.

use runsheet_tui::{Event, Setup};

use crate::{
    harness::{Story, check, press, screen, with},
    states::working,
};

#[test]
fn all_of_them() {
    let story = working();
    let stories = [&story];
    let mut model = with(Setup::default(), &stories, (80, 24));
    for keys in ["enter", "t", "esc", "?", "esc", "enter enter", "esc", "/", "esc", "["] {
        press(&mut model, &stories, keys);
        for width in (0..=12).chain([20, 40, 79, 80, 81, 300]) {
            for height in (0..=8).chain([24, 100]) {
                model.update(Event::Resize(width, height));
                screen(&model);
            }
        }
        model.update(Event::Resize(80, 24));
    }
}

#[test]
fn small() {
    let story = working();
    let stories = [&story];
    let mut model = with(Setup::default(), &stories, (30, 8));
    check!(model, @r"
    runsheet · 1 session · 1 wor…
    shop-api
    ● Fix the f… 1/4 Write t… +1




    j/k move  enter open  t plan…
    ");
    press(&mut model, &stories, "enter");
    check!(model, @r"
     runsheet · 1 session · 1 wor…
    ● Fix the failing login test
    ┌ Plan 1/4 ──────────────────┐
    │ ✓ Read the code         5m │
    │ ● Write the fix         4m │
    │ ↳ reviewer 0/2 Read the di…│
    └─────────── 4 items · t all ┘
     j/k move  enter read  [ ] wr…
    ");
    model.update(Event::Resize(16, 4));
    check!(model, @r"
    runsheet · 1 s…
    ✓ Read th…  5m
    ● Write…    4m
    j/k move  ente…
    ");
    let empty = with(Setup::default(), &[], (24, 6));
    check!(empty, @r"
    runsheet · 0 sessions

    No session yet.
    Connect an agent, then
    ask it to plan a task.
    j/k move  enter open  …
    ");
}

#[test]
fn a_list_of_a_thousand() {
    let mut story = Story::new(1, "codex", Some("/home/ada/shop-api"));
    let items: Vec<String> = (0..1_000)
        .map(|n| {
            format!(
                "{}: item {n}",
                if n < 500 {
                    "done"
                } else if n < 502 {
                    "runs"
                } else {
                    "open"
                }
            )
        })
        .collect();
    story.turn(1).plans(&items.iter().map(String::as_str).collect::<Vec<_>>());
    let stories = [&story];
    let mut model = with(Setup::default(), &stories, (80, 16));
    // What runs is on the screen.
    check!(model, @r"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● codex 00000001      codex 1.2 · working · 10m
    ● codex 00… 500/1000 item … +1


                                     session codex, over mcp
                                     turn  1 · 10m ago ─────
                                     todo  500/1000 · item 500
                                           +1 (done 500, added 1000)
                                    ┌ Plan 500/1000 ──────────────────────────────┐
                                    │ ✓ item 498                                  │
                                    │ ✓ item 499                                  │
                                    │ ● item 500                              10m │
                                    │ ● item 501                              10m │
                                    └───────────────────────── 1000 items · t all ┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    press(&mut model, &stories, "t G");
    check!(model, @r"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● codex 00000001      codex 1.2 · working · 10m
    ● codex 00… 500/1000 item … +1  ┌ Plan 500/1000 ──────────────────────────────┐
                                    │ ○ item 989                                  │
                                    │ ○ item 990                                  │
                                    │ ○ item 991                                  │
                                    │ ○ item 992                                  │
                                    │ ○ item 993                                  │
                                    │ ○ item 994                                  │
                                    │ ○ item 995                                  │
                                    │ ○ item 996                                  │
                                    │ ○ item 997                                  │
                                    │ ○ item 998                                  │
                                    │ ○ item 999                                  │
                                    └─────────────────────────────────────────────┘
    j/k move  enter read  [ ] writes  t timeline  esc back  ? help  q quit
    ");
}
