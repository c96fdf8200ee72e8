//! Long histories: a window that is read on in both directions, and never grows.

use runsheet_core::log::{Recorded, Scope};
use runsheet_core::todo::{Author, ListLifetime};
use runsheet_tui::{Changed, Effect, Event, Kind, MAX_ENTRIES, Model, Part, Setup, Want, is_main_list};

use crate::harness::{NOW, Story};

/// A session of many lists, each in a turn of its own.
fn long(turns: u64) -> Story {
    let mut story = Story::new(1, "codex", Some("/long"));
    for turn in 1..=turns {
        story.turn(turn).asks(&format!("prompt {turn}")).runs("bash", "make").gives("ok", Some(0), false);
        let items = [format!("done: {turn} a"), format!("runs: {turn} b")];
        story.writes(
            Scope::Main,
            Author::Model,
            ListLifetime::Turn,
            &items.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        story.ends(turn);
    }
    story
}

/// A part of a history, as the feed reads it.
fn part(story: &Story, want: Want) -> Part {
    const PAGE: usize = 200;
    let all = &story.events;
    let (from, to) = match want {
        Want::End => (all.len().saturating_sub(PAGE), all.len()),
        Want::Start => (0, PAGE.min(all.len())),
        Want::Before(seq) => ((seq as usize).saturating_sub(PAGE), seq as usize),
        Want::After(seq) => (seq as usize + 1, (seq as usize + 1 + PAGE).min(all.len())),
    };
    let before = all[..from].iter().rev().find(|event| is_main_list(event)).cloned();
    Part { events: all[from..to].to_vec(), before, from_start: from == 0, to_end: to == all.len() }
}

struct Watched {
    model: Model,
    story: Story,
}

impl Watched {
    fn new(story: Story, heard: usize) -> Self {
        let setup = Setup { only: Some(story.session), ..Setup::default() };
        let (model, effects) = Model::new(setup, NOW, (80, 24));
        let mut watched = Self { model, story };
        watched.story.events.truncate(heard);
        watched.answer(effects);
        watched
    }

    fn answer(&mut self, mut effects: Vec<Effect>) {
        let session = self.story.session;
        while let Some(effect) = effects.pop() {
            let event = match effect {
                Effect::Open(_) => {
                    let fold = self.story.fold();
                    effects.extend(self.model.update(Event::Folded(session, Box::new(fold))));
                    Event::History(session, Want::End, part(&self.story, Want::End))
                }
                Effect::Fold(_) => Event::Folded(session, Box::new(self.story.fold())),
                Effect::History(_, want) => Event::History(session, want, part(&self.story, want)),
                _ => continue,
            };
            effects.extend(self.model.update(event));
        }
    }

    fn keys(&mut self, keys: &str) {
        for key in keys.split(' ') {
            let code = ratatui::crossterm::event::KeyCode::Char(key.chars().next().unwrap());
            let effects = self.model.update(Event::Key(code.into()));
            self.answer(effects);
        }
    }

    fn happens(&mut self, events: &[Recorded]) {
        let session = self.story.session;
        self.story.events.extend_from_slice(events);
        let events = events.iter().map(|event| (session, event.clone())).collect();
        let effects = self.model.update(Event::Happened { rows: Vec::new(), events });
        self.answer(effects);
    }

    fn kinds(&self) -> Vec<&Kind> {
        self.model.open.as_ref().unwrap().timeline.entries().iter().map(|entry| &entry.kind).collect()
    }

    /// No entry is there twice, none out of order, none half.
    fn is_whole(&self) {
        let timeline = &self.model.open.as_ref().unwrap().timeline;
        let entries = timeline.entries();
        assert!(entries.len() <= MAX_ENTRIES);
        assert!(entries.iter().zip(entries.iter().skip(1)).all(|(a, b)| a.seq < b.seq));
        let mut seqs: Vec<u64> = entries.iter().flat_map(runsheet_tui::Entry::seqs).collect();
        let count = seqs.len();
        seqs.sort_unstable();
        seqs.dedup();
        assert_eq!(seqs.len(), count, "an event is there twice");
        let holes = seqs.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
        assert_eq!(holes, 0, "an event is missing");
    }
}

#[test]
fn up_and_down() {
    let story = long(900);
    let all = story.events.len();
    let mut watched = Watched::new(story, all);
    watched.is_whole();
    for keys in ["k", "g", "j", "G", "k"] {
        watched.keys(keys);
        watched.is_whole();
        for _ in 0..400 {
            let page = if keys == "g" || keys == "j" { KeyWay::Down } else { KeyWay::Up };
            watched.page(page);
        }
        watched.is_whole();
    }
    watched.keys("G");
    let timeline = &watched.model.open.as_ref().unwrap().timeline;
    assert!(timeline.follows());
    assert_eq!(timeline.last(), Some(all as u64 - 1));
}

#[derive(Clone, Copy)]
enum KeyWay {
    Up,
    Down,
}

impl Watched {
    fn page(&mut self, way: KeyWay) {
        let code = match way {
            KeyWay::Up => ratatui::crossterm::event::KeyCode::PageUp,
            KeyWay::Down => ratatui::crossterm::event::KeyCode::PageDown,
        };
        let effects = self.model.update(Event::Key(code.into()));
        self.answer(effects);
    }
}

#[test]
fn every_write_says_what_it_changed() {
    let mut watched = Watched::new(long(900), 7 * 900 + 1);
    let wrote = |watched: &Watched| -> Vec<Option<Changed>> {
        let kinds = watched.kinds();
        kinds.iter().filter_map(|kind| if let Kind::Wrote(wrote) = kind { Some(wrote.changed) } else { None }).collect()
    };
    let expected = Changed { done: 1, added: 2, removed: 2, ..Changed::default() };
    assert!(wrote(&watched).iter().all(|changed| *changed == Some(expected)), "{:?}", wrote(&watched));
    watched.keys("g");
    let first = Changed { done: 1, added: 2, ..Changed::default() };
    assert_eq!(wrote(&watched)[..2], [Some(first), Some(expected)]);
}

#[test]
fn it_follows_what_happens() {
    let story = long(40);
    let events = story.events.clone();
    let mut watched = Watched::new(story, 100);
    watched.happens(&events[100..150]);
    watched.is_whole();
    assert_eq!(watched.model.open.as_ref().unwrap().timeline.last(), Some(149));
    // Doubled events change nothing; missed ones are read.
    let session = watched.story.session;
    let again = events[140..150].iter().map(|event| (session, event.clone())).collect();
    let effects = watched.model.update(Event::Happened { rows: Vec::new(), events: again });
    assert_eq!(effects, []);
    watched.story.events.extend_from_slice(&events[150..160]);
    watched.happens(&events[160..170]);
    watched.is_whole();
    assert_eq!(watched.model.open.as_ref().unwrap().timeline.last(), Some(169));
    let plan = watched.model.open.as_ref().unwrap().todos().unwrap();
    assert_eq!(plan.revision, watched.story.fold().state::<runsheet_core::todo::Todos>().revision);
}

#[test]
fn events_that_come_before_the_answer_are_not_lost() {
    let story = long(10);
    let session = story.session;
    let setup = Setup { only: Some(session), ..Setup::default() };
    let (mut model, _) = Model::new(setup, NOW, (80, 24));
    let mut early = Story::new(1, "codex", Some("/long"));
    early.events = story.events[..50].to_vec();
    // The last event is told before the answer, which was read before it.
    model.update(Event::Happened { rows: Vec::new(), events: vec![(session, story.events[50].clone())] });
    let effects = model.update(Event::Folded(session, Box::new(early.fold())));
    assert_eq!(effects, [Effect::Fold(session)]);
    let effects = model.update(Event::History(session, Want::End, part(&early, Want::End)));
    assert_eq!(effects, [Effect::History(session, Want::After(49))]);
}

#[test]
fn a_window_that_is_cut_stays_bounded() {
    let mut watched = Watched::new(long(10), 71);
    let more = long(1_000).events;
    for chunk in more[71..].chunks(97) {
        watched.happens(chunk);
    }
    assert!(watched.kinds().len() <= MAX_ENTRIES);
    assert!(watched.model.open.as_ref().unwrap().timeline.follows());
}
