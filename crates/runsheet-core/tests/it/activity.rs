//! The projection `activity`.

use runsheet_core::{
    log::{
        ContentBlock, EndReason, Event, EventData, EventId, Scope, Time, ToolCall, ToolProgress, ToolResult, TurnEnd,
        TurnStart,
    },
    progress::{SubagentEnded, SubagentStarted},
    projection::{Activity, ActivityState, Projection},
    vocabulary,
};
use uuid::Uuid;

/// Folds events a second apart, or at times of their own.
#[derive(Default)]
struct Told {
    state: ActivityState,
    seq: u64,
    ms: i64,
}

impl Told {
    /// Says whether the event changed anything.
    fn at(&mut self, ms: i64, data: &impl EventData) -> bool {
        self.ms = ms;
        let event: Event =
            vocabulary().event(EventId::new(Uuid::from_u128(u128::from(self.seq))), Time::from_ms(ms), data);
        self.seq += 1;
        Activity::apply(&mut self.state, &event.at(self.seq - 1))
    }

    fn next(&mut self, data: &impl EventData) -> bool {
        self.at(self.ms + 1_000, data)
    }

    fn calls(&self) -> Vec<&str> {
        self.state.calls.iter().map(|call| call.call_id.as_str()).collect()
    }
}

fn call(id: &str, scope: Scope) -> ToolCall {
    ToolCall { call_id: id.into(), name: "bash".into(), arguments: "{}".into(), scope, late: false }
}

fn result(id: &str, scope: Scope) -> ToolResult {
    let content = vec![ContentBlock::text("ok")];
    ToolResult { call_id: id.into(), content, is_error: false, facts: None, scope, late: false, unpaired: false }
}

fn agent(id: &str) -> Scope {
    Scope::Agent(id.into())
}

fn started(id: &str) -> SubagentStarted {
    SubagentStarted { agent_id: id.into(), agent_type: Some("explore".into()), session: None, call_id: None }
}

fn ended(id: &str) -> SubagentEnded {
    SubagentEnded { agent_id: id.into(), is_error: false }
}

#[test]
fn a_call_is_open_until_its_result_and_a_second_report_is_no_news() {
    let mut told = Told::default();
    assert!(told.next(&call("a", Scope::Main)));
    assert!(!told.at(told.ms, &call("a", Scope::Main)));
    assert_eq!(told.calls(), ["a"]);
    assert!(told.next(&result("a", Scope::Main)));
    assert!(!told.at(told.ms, &result("a", Scope::Main)));
    assert_eq!(told.calls(), [""; 0]);
}

#[test]
fn progress_is_at_most_four_a_second_and_one_line() {
    let mut told = Told::default();
    let progress = |text: &str| ToolProgress { call_id: "a".into(), text: text.into() };
    assert!(!told.next(&progress("of nothing")));
    told.next(&call("a", Scope::Main));
    assert!(told.at(5_000, &progress("\n 1 of 9 \nmore")));
    assert!(!told.at(5_100, &progress("2 of 9")));
    assert_eq!(told.state.calls[0].progress.as_deref(), Some("1 of 9"));
    assert!(told.at(5_250, &progress(&"x".repeat(5_000))));
    assert_eq!(told.state.calls[0].progress.as_ref().map(String::len), Some(200));
}

#[test]
fn the_main_agents_calls_end_with_its_turn_and_a_sub_agents_do_not() {
    let mut told = Told::default();
    told.next(&TurnStart { turn: 1, key: None, implicit: false });
    told.next(&started("x"));
    told.next(&call("mine", Scope::Main));
    told.next(&call("its", agent("x")));
    told.next(&TurnEnd { turn: 1, reason: EndReason::Completed });
    assert_eq!(told.calls(), ["its"]);
    told.next(&TurnStart { turn: 2, key: None, implicit: false });
    assert_eq!(told.calls(), ["its"]);
    let sign = told.state.last_sign;
    told.next(&TurnEnd { turn: 2, reason: EndReason::Disconnected });
    assert_eq!(told.calls(), [""; 0]);
    assert!(told.state.children[0].ended.is_some());
    assert_eq!(told.state.last_sign, sign, "nobody was heard of");
}

#[test]
fn a_sub_agents_first_end_counts_and_takes_its_calls() {
    let mut told = Told::default();
    told.next(&started("x"));
    told.next(&call("its", agent("x")));
    assert_eq!(told.state.children[0].last_sign, Time::from_ms(told.ms));
    assert!(told.next(&SubagentEnded { agent_id: "x".into(), is_error: true }));
    let first = told.state.children[0].ended;
    assert!(!told.next(&ended("x")) && !told.next(&ended("nobody")));
    assert_eq!((told.state.children[0].ended, told.state.children[0].is_error), (first, true));
    assert_eq!(told.calls(), [""; 0]);
    // One that is started again is another.
    assert!(told.next(&started("x")));
    assert_eq!((told.state.children.len(), told.state.children[0].ended), (1, None));
}

#[test]
fn late_facts_are_no_signs_of_life() {
    let mut told = Told::default();
    assert!(!told.next(&ToolCall { late: true, ..call("a", Scope::Main) }));
    assert!(!told.next(&ToolResult { late: true, ..result("a", Scope::Main) }));
    assert_eq!(told.state, ActivityState::default());
}

#[test]
fn it_stays_bounded() {
    let mut told = Told::default();
    told.next(&started("first"));
    told.next(&ended("first"));
    for n in 0..300 {
        told.next(&started(&format!("x{n}")));
        told.next(&call(&format!("c{n}"), agent(&format!("x{n}"))));
        told.next(&call(&"long".repeat(1_000 + n), Scope::Main));
    }
    assert_eq!((told.state.calls.len(), told.state.children.len()), (256, 64));
    assert_eq!(told.state.calls[0].call_id, "c44");
    assert!(told.state.children.iter().all(|child| child.ended.is_none()));
    assert_eq!(told.state.dropped, 44 + 236);
    let state = serde_json::to_string(&told.state).unwrap();
    assert_eq!(serde_json::from_str::<ActivityState>(&state).unwrap(), told.state);
}
