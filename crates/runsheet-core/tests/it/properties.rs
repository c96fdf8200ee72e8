//! What holds of every history, generated.

use proptest::prelude::*;
use runsheet_core::{
    log::{EventData, Recorded, Surface, TurnChange, TurnStart, Turns, derive_messages, read},
    projection::{Catalogue, Fold, Messages, Projection, TurnsUnit, UNITS, Unit},
    todo::{Status, TodoItem, TodoList, TodoWrite},
};

use crate::{
    logs::{self, lifecycle, log, stream},
    repair,
};

/// The units a host keeps, and the messages.
const ALL: &[Unit] = &[UNITS[0], UNITS[1], UNITS[2], UNITS[3], UNITS[4], Unit::of::<Messages>()];

/// One decision of a generated history.
type Choice = (u8, u8);

/// Anything, in any order: what an observed session, or an import of one, may hold.
fn observed(choices: &[Choice]) -> Vec<Recorded> {
    let mut text = vec!["observed".to_owned()];
    for (kind, n) in choices {
        let (small, scope) = (n % 5, ["main", "agent:x", "agent:y"][usize::from(n % 3)]);
        let huge = if n % 31 == 0 { 9_007_199_254_740_991 } else { u64::from(small) };
        text.push(match kind % 18 {
            0 | 1 => format!("turn {}", huge.max(1)),
            2 => format!("turn {} key{n}{}", small + 1, if n % 2 == 0 { " implicit" } else { "" }),
            3 => format!("bound {} key{n}", small + 1),
            4 | 5 => format!("end {} {}", small + 1, ["completed", "aborted", "superseded"][usize::from(n % 3)]),
            6 => format!("step {}.{}", small + 1, huge.max(1)),
            7 => format!("step-end {}.{}", small + 1, small + 1),
            8 => format!("user prompt {n}"),
            9 => format!("asks c{small} c{}", n % 3),
            10 => format!("call c{small} {scope}"),
            11 => format!("result c{small} {scope}{}", if n % 4 == 0 { " error" } else { "" }),
            12 => format!("compact {}-{} summary {n}", small, u64::from(*n)),
            13 => format!("back {n}"),
            14 => format!("title {n}"),
            15 => format!("note {n}"),
            _ => list(*n),
        });
    }
    log(&text.join("\n"))
}

fn list(n: u8) -> String {
    let scope = ["", "agentx ", "human ", "session ", "late "][usize::from(n % 5)];
    let items: Vec<String> = (0..n % 4)
        .map(|at| format!("item {}{}", (n / 4 + at) % 3, ["", "~", "+", "-"][usize::from((n / 7 + at) % 4)]))
        .collect();
    format!("list {scope}: {}", items.join(", "))
}

/// A history our own loop could have written, cut off anywhere.
fn owned(choices: &[Choice]) -> Vec<Recorded> {
    let mut text = vec!["owned".to_owned()];
    let (mut turn, mut open, mut step, mut in_step, mut calls) = (0, false, 0, false, Vec::<(String, bool)>::new());
    for (kind, n) in choices {
        let next = match (open, in_step, kind % 10) {
            (false, _, 0..=4) => {
                (turn, open, step) = (turn + 1, true, 0);
                format!("turn {turn}")
            }
            (false, _, 5 | 6) => format!("user prompt {n}"),
            (false, _, 7) => format!("back {n}"),
            (false, ..) => format!("list human : a{n}"),
            (true, false, 0..=5) => {
                (step, in_step) = (step + 1, true);
                format!("step {turn}.{step}")
            }
            (true, false, 6) => format!("user steer {n}"),
            (true, false, 7) => format!("compact 1-{n} summary"),
            (true, false, _) => {
                open = false;
                format!("end {turn}")
            }
            (true, true, 0 | 1) => {
                let ids = [format!("c{step}-{n}"), format!("d{step}-{n}")];
                // An id again would be a call already started.
                if calls.iter().any(|(id, _)| ids.contains(id)) {
                    continue;
                }
                calls.extend(ids.clone().map(|id| (id, false)));
                format!("asks {}", ids.join(" "))
            }
            (true, true, 2 | 3) => match calls.iter_mut().find(|(_, started)| !started) {
                Some((id, started)) => {
                    *started = true;
                    format!("call {id}")
                }
                None => list(n - n % 5),
            },
            (true, true, 4 | 5) if !calls.is_empty() => {
                format!("result {}", calls.remove(usize::from(*n) % calls.len()).0)
            }
            (true, true, 6) => list(n - n % 5),
            (true, true, 7) => format!("note {n}"),
            (true, true, _) => {
                in_step = false;
                calls.clear();
                format!("step-end {turn}.{step}")
            }
        };
        text.push(next);
    }
    log(&text.join("\n"))
}

fn histories() -> impl Strategy<Value = Vec<Recorded>> {
    let choices = || proptest::collection::vec(any::<Choice>(), 0..60);
    prop_oneof![choices().prop_map(|choices| owned(&choices)), choices().prop_map(|choices| observed(&choices))]
}

fn folded(events: &[Recorded]) -> Fold {
    let mut fold = Fold::new(ALL);
    for event in events {
        fold.apply(event);
    }
    fold
}

fn states(fold: &Fold) -> Vec<(&'static str, u32, Vec<u8>)> {
    fold.save().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Folding a prefix, then the rest, is folding all; also when the state is saved and loaded in between.
    #[test]
    fn a_fold_can_stop_anywhere(events in histories(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(events.len()) + 1;
        let all = states(&folded(&events));
        let mut went_on = folded(&events[..cut]);
        let saved = states(&went_on);
        let state = |key: &str| saved.iter().find(|(of, ..)| *of == key).map(|(.., state)| &state[..]);
        let mut loaded = Fold::load(ALL, went_on.at().unwrap(), state).unwrap();
        for event in &events[cut..] {
            went_on.apply(event);
            loaded.apply(event);
        }
        prop_assert_eq!(states(&went_on), all.clone());
        prop_assert_eq!(states(&loaded), all);
    }

    /// What a host has after following every event is what a reader gets from the log, and each view that is not said to
    /// have changed has not.
    #[test]
    fn replay_is_the_live_state(events in histories()) {
        let mut live = Fold::new(ALL);
        let mut views = live.snapshot().values;
        for (at, event) in events.iter().enumerate() {
            let changed = live.apply(event);
            let now = live.snapshot().values;
            for key in now.keys().chain(views.keys()) {
                let same = now.get(key).map(|view| view.get()) == views.get(key).map(|view| view.get());
                prop_assert!(same || changed.contains(key), "{} changed at {}, unsaid", key, at);
            }
            views = now;
        }
        prop_assert_eq!(states(&live), states(&folded(&events)));
        let turns = live.state::<TurnsUnit>();
        prop_assert_eq!(live.state::<Catalogue>().open_turn, turns.open.as_ref().map(|open| open.turn));
    }

    /// Repair closes whatever a crash can leave, once, and what comes of it is a valid log.
    #[test]
    fn repair_is_idempotent(choices in proptest::collection::vec(any::<Choice>(), 0..60)) {
        let mut events = owned(&choices);
        prop_assert_eq!(lifecycle(&events), Ok(()));
        let closers = repair::close(&events);
        let mut ids: Vec<_> = closers.iter().map(|event| event.id).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), closers.len());
        repair::extend(&mut events, closers);
        prop_assert_eq!(lifecycle(&events), Ok(()));
        prop_assert!(repair::close(&events).is_empty());
        prop_assert!(logs::turns(&events).open.is_none());
    }

    /// A list costs the model nothing: with and without it, the messages are the same.
    #[test]
    fn lists_never_reach_the_messages(events in histories()) {
        let without: Vec<_> = events.iter().filter(|event| event.ty != TodoWrite::TYPE).collect();
        prop_assert_eq!(derive_messages(without), derive_messages(&events));
    }

    /// The surface, event by event, is at each event what the whole log up to there gives.
    #[test]
    fn the_surface_grows_as_it_derives(events in histories()) {
        let mut surface = Surface::default();
        for (at, event) in events.iter().enumerate() {
            let before: Vec<_> = surface.messages().cloned().collect();
            let changed = surface.apply(event);
            let now: Vec<_> = surface.messages().cloned().collect();
            prop_assert!(changed || now == before);
            prop_assert_eq!(now, derive_messages(&events[..=at]));
        }
    }

    #[test]
    fn no_two_items_have_one_key(items in proptest::collection::vec(("[ab\u{0}2]{0,4}", proptest::option::of("[ab\u{0}2]{0,3}")), 0..12)) {
        let items = items.into_iter().map(|(content, id)| TodoItem { id, ..TodoItem::new(content, Status::Pending) });
        let mut keys = TodoList(items.collect()).keys();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        prop_assert_eq!(keys.len(), count);
    }

    /// Wherever a session stands, what a fact brings about can be appended: one turn open at most, numbers that grow.
    #[test]
    fn ensure_asks_for_nothing_a_log_cannot_take(
        choices in proptest::collection::vec(any::<Choice>(), 0..40),
        key in proptest::option::of("key[0-9]"),
        implicit in any::<bool>(),
        seen in any::<bool>(),
    ) {
        let turns = logs::turns(&observed(&choices));
        let ensured = turns.ensure(&stream(), key.as_deref(), implicit, |_| seen);
        let mut open = turns.open.as_ref().map(|open| (open.turn, open.key.is_some()));
        for change in &ensured.changes {
            match change {
                TurnChange::End(end) => prop_assert_eq!(open.take().map(|(turn, _)| turn), Some(end.turn)),
                TurnChange::Bound(bound) => {
                    prop_assert_eq!(open, Some((bound.turn, false)));
                    open = Some((bound.turn, true));
                }
                TurnChange::Start(start) => {
                    prop_assert_eq!(open, None);
                    prop_assert!(start.turn > turns.last || start.turn == 9_007_199_254_740_991);
                    prop_assert!(start.check().is_ok());
                    open = Some((start.turn, start.key.is_some()));
                }
            }
        }
        prop_assert!(open.is_some() || ensured.late);
        prop_assert!(!ensured.late || ensured.changes.is_empty());
    }

    /// The folds of a hostile log never panic, whatever its numbers say.
    #[test]
    fn numbers_in_imported_logs_do_no_harm(numbers in proptest::collection::vec(any::<u64>(), 1..20)) {
        let mut turns = Turns::default();
        let mut events = log("observed");
        turns.apply(&events[0]);
        for (number, seq) in numbers.into_iter().zip(1..) {
            let data = TurnStart { turn: number, key: None, implicit: false };
            events.push(logs::at(seq, &data));
            turns.apply(events.last().unwrap());
            let _ = turns.next();
        }
        let fold = folded(&events);
        prop_assert_eq!(fold.state::<TurnsUnit>(), &turns);
        prop_assert!(events.last().and_then(read::<TurnStart>).is_some());
        prop_assert_eq!(TurnsUnit::KEY, "turns");
    }
}
