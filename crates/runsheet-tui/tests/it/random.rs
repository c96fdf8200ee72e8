//! Whatever happens, in whatever order and at whatever size: it draws.

use proptest::prelude::*;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use runsheet_core::log::{Scope, Time};
use runsheet_core::todo::{Author, ListLifetime};
use runsheet_tui::{Event, Look, Model, Part, Setup, Want};

use crate::harness::{NOW, Story, buffer};

#[derive(Clone, Debug)]
enum Step {
    Key(KeyCode, bool),
    Mouse(u8, u16, u16),
    Resize(u16, u16),
    Tick(i64),
    /// The answers to what was asked, whether or not it was.
    List(bool),
    Open(usize, usize),
    History(usize, u8, usize, usize),
    Happened(usize, usize, usize),
    Write(usize, usize),
    Details(usize, usize),
    Trouble(bool),
    Reset,
    NoStore,
}

fn step() -> impl Strategy<Value = Step> {
    let keys = prop::sample::select(
        "jkgGqhlt[]/?ud x进\u{202e}"
            .chars()
            .map(KeyCode::Char)
            .chain([
                KeyCode::Enter,
                KeyCode::Esc,
                KeyCode::Tab,
                KeyCode::BackTab,
                KeyCode::PageUp,
                KeyCode::PageDown,
                KeyCode::Home,
                KeyCode::End,
                KeyCode::Left,
                KeyCode::Right,
                KeyCode::Backspace,
                KeyCode::F(1),
            ])
            .collect::<Vec<_>>(),
    );
    prop_oneof![
        8 => (keys, any::<bool>()).prop_map(|(code, control)| Step::Key(code, control)),
        1 => (0..4_u8, 0..120_u16, 0..50_u16).prop_map(|(kind, x, y)| Step::Mouse(kind, x, y)),
        2 => (0..130_u16, 0..45_u16).prop_map(|(width, height)| Step::Resize(width, height)),
        1 => any::<i32>().prop_map(|ms| Step::Tick(i64::from(ms))),
        1 => any::<bool>().prop_map(Step::List),
        2 => (0..3_usize, 0..60_usize).prop_map(|(story, to)| Step::Open(story, to)),
        3 => (0..3_usize, 0..4_u8, 0..60_usize, 0..60_usize).prop_map(|(s, want, a, b)| Step::History(s, want, a, b)),
        4 => (0..3_usize, 0..60_usize, 0..60_usize).prop_map(|(story, a, b)| Step::Happened(story, a, b)),
        1 => (0..3_usize, 0..60_usize).prop_map(|(story, at)| Step::Write(story, at)),
        1 => (0..3_usize, 0..60_usize).prop_map(|(story, at)| Step::Details(story, at)),
        1 => any::<bool>().prop_map(Step::Trouble),
        1 => Just(Step::Reset),
        1 => Just(Step::NoStore),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z ]{0,80}",
        Just("进行中 👨\u{200d}👩\u{200d}👧 ❤\u{fe0f} e\u{301} שלום \u{1b}[2J".to_owned()),
    ]
}

fn story(number: u128, texts: &[String]) -> Story {
    let mut story = Story::new(number, &texts[0], Some(&texts[1]));
    for (turn, text) in (1..).zip(texts) {
        story.ago(i64::try_from(turn).unwrap() * 30).turn(turn).asks(text).says(text);
        story.runs(text, text).gives(text, Some(1), turn % 2 == 0);
        let items: Vec<String> = texts.iter().map(|text| format!("runs: {text}")).collect();
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let scope = if turn % 3 == 0 { Scope::Agent(format!("a{text}")) } else { Scope::Main };
        story.writes(scope, Author::Model, ListLifetime::Turn, &items).ends(turn);
    }
    story
}

fn take(model: &mut Model, stories: &[Story], step: &Step) {
    let between = |story: &Story, a: usize, b: usize| {
        let last = story.events.len();
        story.events[a.min(b).min(last)..a.max(b).min(last)].to_vec()
    };
    let event = match step {
        Step::Key(code, control) => {
            let modifiers = if *control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
            Event::Key(KeyEvent::new(*code, modifiers))
        }
        Step::Mouse(kind, column, row) => {
            let kind = match kind {
                0 => MouseEventKind::ScrollUp,
                1 => MouseEventKind::ScrollDown,
                2 => MouseEventKind::Moved,
                _ => MouseEventKind::Down(MouseButton::Left),
            };
            Event::Mouse(MouseEvent { kind, column: *column, row: *row, modifiers: KeyModifiers::NONE })
        }
        Step::Resize(width, height) => Event::Resize(*width, *height),
        Step::Tick(ms) => Event::Tick(Time::from_ms(NOW.as_ms() + ms)),
        Step::List(some) => {
            let rows = if *some { stories.iter().map(Story::row).collect() } else { Vec::new() };
            Event::Listed(rows, *some)
        }
        Step::Open(story, to) => {
            let mut part = Story::new(0, "", None);
            part.events = between(&stories[*story], 0, *to);
            Event::Folded(stories[*story].session, Box::new(part.fold()))
        }
        Step::History(story, want, a, b) => {
            let events = between(&stories[*story], *a, *b);
            let first = events.first().map_or(0, |event| event.seq);
            let last = events.last().map_or(0, |event| event.seq);
            let want = match want {
                0 => Want::End,
                1 => Want::Start,
                2 => Want::Before(last + 1),
                _ => Want::After(first.saturating_sub(1)),
            };
            let part = Part { events, before: None, from_start: first == 0, to_end: b % 2 == 0 };
            Event::History(stories[*story].session, want, part)
        }
        Step::Happened(story, a, b) => {
            let story = &stories[*story];
            let events = between(story, *a, *b).into_iter().map(|event| (story.session, event)).collect();
            Event::Happened { rows: vec![story.row()], events }
        }
        Step::Write(story, at) => Event::Write(stories[*story].session, stories[*story].events.get(*at).cloned()),
        Step::Details(story, at) => Event::Details(between(&stories[*story], *at, at + 3)),
        Step::Trouble(some) => Event::Trouble(some.then(|| "\u{1b}[2J".into())),
        Step::Reset => Event::Reset,
        Step::NoStore => Event::NoStore,
    };
    model.update(event);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn it_draws(
        texts in prop::collection::vec(text(), 2..6),
        steps in prop::collection::vec(step(), 1..60),
        look in (any::<bool>(), any::<bool>()),
        only in any::<bool>(),
    ) {
        let stories = [story(1, &texts), story(2, &texts), story(3, &texts)];
        let look = Look { colour: look.0, ascii: look.1 };
        let setup = Setup { look, only: only.then_some(stories[0].session), ..Setup::default() };
        let (mut model, _) = Model::new(setup, NOW, (80, 24));
        for step in &steps {
            take(&mut model, &stories, step);
            buffer(&model);
            let title = model.title();
            prop_assert!(!title.contains(char::is_control), "{title:?}");
        }
    }
}
