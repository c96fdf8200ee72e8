//! Colours, glyphs, the help and the title.

use ratatui::style::Color;
use runsheet_tui::{Look, Setup};

use crate::{
    harness::{buffer, check, model, press, screen, with},
    states::{SMALL, WIDE, done, paused, working},
};

#[test]
fn help() {
    let story = working();
    let mut model = model(&[&story], SMALL);
    press(&mut model, &[&story], "?");
    check!(model, @r"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● Fix the failing login test
    ● Fix the fa… 1/4 Write th… +1
              ┌ Keys ──────────────────────────────────────────────────┐
              │ j k ↓ ↑    move                                        │
              │ PgDn PgUp  move by a page                              │
              │ g G        to the beginning, to the end                │
              │ enter      open a session, read an entry in full       │
              │ esc h      back                                        │  (added 3)
              │ tab        next pane                                   │exit 1 3.0s
              │ t          the plan alone, with all its text           │
              │ [ ]        the list as earlier writes left it          │s as texts.
              │ /          filter sessions                             │1, added 1)
              │ ? q        this help, quit                             │     failed
              │                                                        │n array
              │ ● working              ◆ waiting for you               │f
              │ ▲ no sign of life      ‖ ended, items open             │──────────┐
              │ ✓ done                 · nothing open                  │       5m │
              │ ? not enough facts                                     │       4m │
              │ items: ○ pending  ● in progress  ✓ done  ⊘ cancelled   │       4m │
              └────────────────────────────────────────────────────────┘          │
                                    │ ↳ reviewer 0/2 Read the diff                │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
}

#[test]
fn ascii() {
    let story = working();
    let setup = Setup { look: Look { ascii: true, colour: true }, ..Setup::default() };
    let shown = screen(&with(setup, &[&story], SMALL));
    assert!(shown.is_ascii(), "{shown}");
    check!(with(Setup { look: Look { ascii: true, colour: false }, ..Setup::default() }, &[&story], (60, 12)), @r"
    runsheet . 1 session . 1 working
    shop-api  /home/ada/shop-api
    * Fix the failing login ~ 1/4 Write the fix             +1








    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
}

#[test]
fn colours() {
    let (a, b, c) = (working(), done(), paused());
    let colours = |colour| {
        let setup = Setup { look: Look { colour, ascii: false }, ..Setup::default() };
        let buffer = buffer(&with(setup, &[&a, &b, &c], WIDE));
        let mut colours: Vec<Color> = buffer.content.iter().flat_map(|cell| [cell.fg, cell.bg]).collect();
        colours.sort_by_key(|colour| format!("{colour:?}"));
        colours.dedup();
        colours
    };
    assert_eq!(colours(false), [Color::Reset]);
    // The terminal's own sixteen, which every terminal with colours has, and fits to its background.
    assert_eq!(colours(true), [Color::Blue, Color::Green, Color::Red, Color::Reset]);
}

#[test]
fn title() {
    let (mut story, size) = (working(), WIDE);
    assert_eq!(model(&[&story], size).title(), "1/4 · Write the fix +1");
    story.plans(&["done: a", "done: b"]);
    assert_eq!(model(&[&story], size).title(), "2/2");
    story.turn(2);
    assert_eq!(model(&[&story], size).title(), "runsheet");
    story.plans(&["runs: \u{1b}]0;owned\u{7}\u{9c}\n\u{202e}x"]);
    assert_eq!(model(&[&story], size).title(), r"0/1 · \x1b]0;owned\x07\x9c\n\u{202e}x");
    story.plans(&["runs: 一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十", "runs: b"]);
    let title = model(&[&story], size).title();
    assert!(title.ends_with("… +1") && runsheet_engine::escape::width(&title) <= 80, "{title}");
}
