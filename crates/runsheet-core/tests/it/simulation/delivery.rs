//! What arrives of a history: some facts lost, some twice, some late.

use runsheet_core::log::Scope;

use super::{
    history::{Client, Fact, History, What},
    seeded::Seeded,
};

/// Per cent of the facts, each.
const LOST: u64 = 2;
const DOUBLED: u64 = 2;
const LATE: u64 = 3;

/// What can happen to reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// As clients work. Hooks are lost, doubled and late without limit. A call is answered: the model that gets no
    /// answer calls again, and its own next step never comes before the answer; others' facts may.
    Answered,
    /// The same, but a call that is lost is lost for good.
    LostForGood,
    /// Any fact is lost for good, doubled or late, calls too, with no regard to who waits for what.
    Blind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Disturbance {
    Lost,
    Doubled,
    Late,
}

/// A disturbance and the kind of fact it struck.
pub(crate) type Struck = (Disturbance, &'static str);

/// The facts in the order in which they arrive, and what happened to them.
pub(crate) fn deliver(history: &History, model: Model, random: &mut Seeded) -> (Vec<Fact>, Vec<Struck>) {
    // Where a fact arrives: after the fact of this index. Ties keep the order in which they happened.
    let mut arrivals: Vec<(usize, Fact)> = Vec::with_capacity(history.facts.len() + 2);
    let mut struck = Vec::new();
    for (at, fact) in history.facts.iter().enumerate() {
        let kind = kind(fact);
        let mut fact = fact.clone();
        // A Claude call is known by its PreToolUse; without it, it seems to be the session's own and has no key.
        if history.client == Client::Claude && matches!(fact.what, What::Call { .. }) && random.percent(LOST) {
            struck.push((Disturbance::Lost, if fact.scope == Scope::Main { "alias" } else { "agent alias" }));
            (fact.key, fact.scope) = (None, Scope::Main);
        }
        let mut arrives = at;
        match random.below(100) {
            roll if roll < LOST => {
                struck.push((Disturbance::Lost, kind));
                match &mut fact.what {
                    What::Call { id, .. } if model == Model::Answered => id.push_str("_again"),
                    _ => continue,
                }
            }
            roll if roll < LOST + DOUBLED => {
                struck.push((Disturbance::Doubled, kind));
                arrivals.push((at + usize::try_from(random.below(4)).unwrap(), fact.clone()));
            }
            roll if roll < LOST + DOUBLED + LATE => {
                let wanted = at + 1 + usize::try_from(random.below(4)).unwrap();
                arrives = match model {
                    Model::Blind => wanted,
                    Model::Answered | Model::LostForGood => wanted.min(waits(&history.facts, at)),
                };
                if arrives > at {
                    struck.push((Disturbance::Late, kind));
                }
            }
            _ => {}
        }
        arrivals.push((arrives, fact));
    }
    arrivals.sort_by_key(|(arrives, _)| *arrives);
    (arrivals.into_iter().map(|(_, fact)| fact).collect(), struck)
}

/// The last fact that can come before this one's arrival: an agent whose call is open does nothing else.
fn waits(facts: &[Fact], at: usize) -> usize {
    if !matches!(facts[at].what, What::Call { .. }) {
        return usize::MAX;
    }
    let own = |fact: &Fact| fact.scope == facts[at].scope;
    facts[at + 1..].iter().position(own).map_or(usize::MAX, |next| at + next)
}

fn kind(fact: &Fact) -> &'static str {
    match (&fact.what, &fact.scope) {
        (What::Prompt, Scope::Main) => "prompt",
        (What::Call { .. }, Scope::Main) => "call",
        (What::Stop, Scope::Main) => "stop",
        (What::Prompt, _) => "agent prompt",
        (What::Call { .. }, _) => "agent call",
        (What::Stop, _) => "agent stop",
        (What::End, _) => "end",
    }
}
