//! Observed sessions whose reports are lost, doubled and late: no event is ever rejected, and the list that people see
//! is the one they would see had nothing gone wrong (Must hold 5).

mod delivery;
mod history;
mod seeded;

use std::collections::{BTreeMap, HashSet};

use runsheet_core::{
    log::{
        Agent, Bounds, EndReason, Event, EventId, FORMAT, Ownership, Scope, SessionCreated, Source, StreamId, Time,
        Turns,
    },
    observe::{self, Place, ServedCall, Stamp},
    projection::Projection,
    todo::{Author, Policy, TodoList, TodoWrite, Todos, TodosState},
    vocabulary,
};
use uuid::Uuid;

use delivery::{Model, Struck, deliver};
use history::{Client, Fact, History, What, history};
use seeded::Seeded;

const SEED: u64 = 20_261_130;
const HISTORIES: u64 = 20_000;

/// What people see of a list: it stands, or it did.
type Seen = (Option<TodoList>, Option<TodoList>);

/// A stream as a store would keep it: it refuses what a store refuses.
#[derive(Clone)]
struct Stream {
    id: StreamId,
    session: Uuid,
    seq: u64,
    fresh: u128,
    ids: HashSet<EventId>,
    turns: Turns,
    todos: TodosState,
    /// Whether the shape of events is checked: of what happened it need not be, of what arrived it is.
    checked: bool,
    rejected: u64,
}

impl Stream {
    fn new() -> Self {
        let session = Uuid::from_u128(7);
        let mut stream = Self {
            id: StreamId::Session(session),
            session,
            seq: 0,
            fresh: 1 << 64,
            ids: HashSet::new(),
            turns: Turns::default(),
            todos: TodosState::default(),
            checked: true,
            rejected: 0,
        };
        let header = SessionCreated {
            format: FORMAT,
            cwd: None,
            agent: Agent { name: "claude-code".into(), version: None, dialect: Some("dsh".into()) },
            parent: None,
            source: Source { kind: "mcp".into(), native: None },
            lifecycle: Ownership::Observed,
        };
        let id = stream.fresh();
        stream.append([vocabulary().event(id, Time::default(), &header)].into());
        stream
    }

    fn fresh(&mut self) -> EventId {
        self.fresh += 1;
        EventId::new(Uuid::from_u128(self.fresh))
    }

    fn stamp(&mut self) -> Stamp {
        Stamp { time: Time::default(), ids: std::array::from_fn(|_| self.fresh()) }
    }

    fn append(&mut self, batch: Vec<Event>) {
        for event in batch {
            let fits = !self.checked || vocabulary().check(self.seq, &event, &Bounds::default()).is_ok();
            if !fits || !self.ids.insert(event.id) {
                self.rejected += 1;
                continue;
            }
            let event = event.at(self.seq);
            self.seq += 1;
            let (turn, was_open) = (self.turns.last, self.turns.open.is_some());
            self.turns.apply(&event);
            if self.turns.last != turn {
                assert!(self.turns.last > turn && !was_open, "turns increase and do not nest");
            }
            if Todos::TYPES.contains(&&*event.ty) {
                Todos::apply(&mut self.todos, &event);
            }
        }
    }

    fn take(&mut self, history: &History, fact: &Fact) {
        let stamp = self.stamp();
        let (vocabulary, has) = (vocabulary(), |id| self.ids.contains(&id));
        let place = Place { stream: &self.id, session: self.session, scope: &fact.scope, key: fact.key.as_deref() };
        let batch = match &fact.what {
            What::Prompt => observe::prompt(vocabulary, &self.turns, &place, "go on", &stamp, has),
            What::Stop => observe::stopped(vocabulary, &self.turns, &place, &stamp, has),
            What::End => {
                let how = (EndReason::Disconnected, history.client != Client::Claude);
                observe::ended(vocabulary, &self.turns, self.session, how, &stamp)
            }
            // Of two reports of one call the first wins: the caller asks.
            What::Call { id, .. } if has(observe::call_event_id(self.session, id)) => Vec::new(),
            What::Call { id, list } => {
                let refused = list.is_none().then_some("invalid");
                let call = ServedCall { call_id: id, tool: "todo_write", arguments: "{}", answer: &[], refused };
                let write = list.clone().map(|todos| TodoWrite {
                    scope: fact.scope.clone(),
                    todos,
                    author: Author::Model,
                    call_id: Some(id.clone()),
                    dialect: "dsh".into(),
                    lifetime: history.lifetime,
                    policy: Policy { allow_parallel_in_progress: true },
                    explanation: None,
                    late: false,
                });
                observe::served_call(vocabulary, &self.turns, &place, &call, write, &stamp, has)
            }
        };
        self.append(batch);
    }

    fn take_all(mut self, history: &History, facts: &[Fact]) -> Self {
        for fact in facts {
            self.take(history, fact);
        }
        self
    }

    fn seen(&self) -> Seen {
        (self.todos.standing().cloned(), self.todos.carried().cloned())
    }
}

/// The last call to write a list of the session's own, by its number among the calls of one turn.
fn last_list(facts: &[Fact]) -> Option<&TodoList> {
    let mut known = HashSet::new();
    let lists = facts.iter().filter_map(|fact| match &fact.what {
        What::Call { id, list: Some(list) } if fact.scope == Scope::Main && known.insert(id) => Some(list),
        _ => None,
    });
    lists.last()
}

/// What came of all histories under one model.
#[derive(Debug, Default)]
struct Outcome {
    histories: u64,
    disturbed: u64,
    rejected: u64,
    wrong: u64,
    /// Of the wrong ones: the last list never arrived, or not as the last, so nothing that did arrive could tell it.
    untold: u64,
    /// By disturbance: histories it struck, of these wrong, of these with no other disturbance.
    kinds: BTreeMap<Struck, (u64, u64, u64)>,
}

impl Outcome {
    fn add(&mut self, empty: &Stream, history: &History, model: Model, random: &mut Seeded) {
        let (arrived, mut struck) = deliver(history, model, random);
        self.histories += 1;
        if struck.is_empty() {
            return;
        }
        self.disturbed += 1;
        // Up to the first disturbance both are one stream.
        let same = history.facts.iter().zip(&arrived).take_while(|(happened, arrived)| happened == arrived).count();
        let start = empty.clone().take_all(history, &history.facts[..same]);
        let right = Stream { checked: false, ..start.clone() }.take_all(history, &history.facts[same..]).seen();
        let disturbed = start.take_all(history, &arrived[same..]);
        let wrong = u64::from(disturbed.seen() != right);
        self.rejected += disturbed.rejected;
        self.wrong += wrong;
        self.untold +=
            wrong * u64::from(last_list(&arrived).is_none_or(|last| Some(last) != last_list(&history.facts)));
        struck.sort_unstable();
        struck.dedup();
        let alone = u64::from(struck.len() == 1);
        for kind in struck {
            let (all, bad, only) = self.kinds.entry(kind).or_default();
            *all += 1;
            *bad += wrong;
            *only += wrong * alone;
        }
    }

    fn merge(&mut self, other: Self) {
        self.histories += other.histories;
        self.disturbed += other.disturbed;
        self.rejected += other.rejected;
        self.wrong += other.wrong;
        self.untold += other.untold;
        for (kind, (all, bad, only)) in other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            *sum = (sum.0 + all, sum.1 + bad, sum.2 + only);
        }
    }

    fn right_percent(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of thousands")]
        let share = |n: u64| n as f64 * 100.0 / self.histories as f64;
        100.0 - share(self.wrong)
    }

    #[expect(clippy::print_stdout, reason = "the figures and the seed are what a run is for")]
    fn print(&self, model: Model) {
        println!(
            "{model:?}: seed {SEED}, {} histories, {} disturbed, {} events rejected, {} wrong ({} of them: the last \
             list was not the last to come, or never came) = {:.2} % right",
            self.histories,
            self.disturbed,
            self.rejected,
            self.wrong,
            self.untold,
            self.right_percent()
        );
        for ((disturbance, fact), (all, bad, only)) in &self.kinds {
            println!(
                "  {:<24} {all:>6} histories, {bad:>4} wrong, {only:>4} of them with nothing else",
                format!("{disturbance:?} {fact}")
            );
        }
    }
}

/// Each history has a seed of its own, so it can be run alone, and the threads do not matter.
fn simulate(model: Model, histories: u64) -> Outcome {
    let part = |from: u64, to: u64| {
        let (mut outcome, empty) = (Outcome::default(), Stream::new());
        for at in from..to {
            let mut random = Seeded::new(SEED.wrapping_add(at << 20));
            let history = history(&mut random);
            outcome.add(&empty, &history, model, &mut random);
        }
        outcome
    };
    let outcome = std::thread::scope(|scope| {
        let half = scope.spawn(|| part(0, histories / 2));
        let mut outcome = part(histories / 2, histories);
        outcome.merge(half.join().unwrap());
        outcome
    });
    outcome.print(model);
    outcome
}

/// As clients work: what is lost, doubled and late are hooks; a call is answered, or made again.
#[test]
fn reports_that_are_lost_doubled_or_late_do_not_change_the_list() {
    let outcome = simulate(Model::Answered, HISTORIES);
    assert_eq!((outcome.histories, outcome.rejected), (HISTORIES, 0));
    assert!(outcome.right_percent() >= 98.8);
}

/// Harder than clients are: calls too are lost for good; then also an agent's calls overtake each other. No rule can tell
/// a list that never came, or which of two lists of one turn was written first when the clock orders nothing: those are
/// counted, and of all others as many must be right as above.
#[test]
fn calls_lost_for_good_cost_what_only_they_told() {
    for (model, least) in [(Model::LostForGood, 97.5), (Model::Blind, 95.0)] {
        let outcome = simulate(model, HISTORIES / 4);
        assert_eq!(outcome.rejected, 0);
        assert!(outcome.right_percent() >= least);
        let others = outcome.wrong - outcome.untold;
        assert!(others * 1000 <= outcome.histories * 12, "{others} of {}", outcome.histories);
    }
}
