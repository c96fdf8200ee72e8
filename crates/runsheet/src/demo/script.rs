//! The script: who does what, and how long after the line before.

use runsheet_core::todo::Status::{self, Completed as Done, InProgress as Runs, Pending as Open};

/// The sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cast {
    /// Codex mends a login, over two turns and with a sub-agent.
    Login,
    /// Claude Code writes a changelog meanwhile.
    Changelog,
    /// opencode was stopped with items left.
    Intro,
}

/// A line.
pub(super) enum Act {
    /// A person asks for something: a turn begins.
    Asks(&'static str),
    /// The agent says something.
    Says(&'static str),
    /// The agent runs a command, which takes so many milliseconds and ends with this code.
    Runs(&'static str, u64, i64),
    /// The agent writes its list.
    Plans(&'static [(&'static str, Status)]),
    /// A sub-agent starts.
    Sends(&'static str),
    /// A sub-agent writes its own list.
    SubPlans(&'static str, &'static [(&'static str, Status)]),
    /// A sub-agent ends.
    Returns(&'static str),
    /// The turn ends.
    Ends,
}

use Act::{Asks, Ends, Plans, Returns, Says, Sends, SubPlans};
use Cast::{Changelog, Intro, Login};

/// Milliseconds after the line before, who, and what.
pub(super) const SCRIPT: &[(u64, Cast, Act)] = &[
    (0, Intro, Asks("Rewrite the introduction of the handbook")),
    (0, Intro, Plans(&[("Read the old one", Done), ("Draft the new one", Runs), ("Ask for a review", Open)])),
    (0, Intro, Ends),
    (200, Changelog, Asks("Write the changelog of 0.2")),
    (300, Login, Asks("Fix the failing login test")),
    (300, Changelog, Plans(&[("Collect what was merged", Runs), ("Group it", Open), ("Write it", Open)])),
    (
        500,
        Login,
        Plans(&[
            ("Read the code", Runs),
            ("Find out why the test fails", Open),
            ("Write the fix", Open),
            ("Run all tests", Open),
            ("Update the docs", Open),
        ]),
    ),
    (300, Login, Act::Runs("cargo test -p auth", 1_400, 1)),
    (
        300,
        Login,
        Plans(&[
            ("Read the code", Done),
            ("Find out why the test fails", Runs),
            ("Write the fix", Open),
            ("Run all tests", Open),
            ("Update the docs", Open),
        ]),
    ),
    (700, Changelog, Plans(&[("Collect what was merged", Done), ("Group it", Runs), ("Write it", Open)])),
    (300, Login, Says("The token check compares times as texts. I mend it, and a reviewer reads along.")),
    (
        500,
        Login,
        Plans(&[
            ("Read the code", Done),
            ("Find out why the test fails", Done),
            ("Write the fix", Runs),
            ("Add a test for expired tokens", Runs),
            ("Run all tests", Open),
            ("Update the docs", Open),
        ]),
    ),
    (400, Login, Sends("reviewer")),
    (500, Login, SubPlans("reviewer", &[("Read the diff", Runs), ("Look for other times that are texts", Open)])),
    (900, Changelog, Plans(&[("Collect what was merged", Done), ("Group it", Done), ("Write it", Runs)])),
    // Refused: one item is there twice. The list stays as it is, and the refusal says why.
    (600, Login, Plans(&[("Write the fix", Runs), ("Write the fix", Done)])),
    (700, Login, SubPlans("reviewer", &[("Read the diff", Done), ("Look for other times that are texts", Runs)])),
    (
        800,
        Login,
        Plans(&[
            ("Read the code", Done),
            ("Find out why the test fails", Done),
            ("Write the fix", Done),
            ("Add a test for expired tokens", Runs),
            ("Run all tests", Open),
            ("Update the docs", Open),
        ]),
    ),
    (500, Changelog, Plans(&[("Collect what was merged", Done), ("Group it", Done), ("Write it", Done)])),
    (200, Changelog, Says("The changelog is written: two fixes, one new command.")),
    (200, Changelog, Ends),
    (400, Login, SubPlans("reviewer", &[("Read the diff", Done), ("Look for other times that are texts", Done)])),
    (200, Login, Returns("reviewer")),
    (
        400,
        Login,
        Plans(&[
            ("Read the code", Done),
            ("Find out why the test fails", Done),
            ("Write the fix", Done),
            ("Add a test for expired tokens", Done),
            ("Run all tests", Runs),
            ("Update the docs", Open),
        ]),
    ),
    (200, Login, Act::Runs("cargo test", 1_800, 0)),
    (
        300,
        Login,
        Plans(&[
            ("Read the code", Done),
            ("Find out why the test fails", Done),
            ("Write the fix", Done),
            ("Add a test for expired tokens", Done),
            ("Run all tests", Done),
            ("Update the docs", Open),
        ]),
    ),
    (300, Login, Says("Fixed, and all tests pass. The docs are still to do.")),
    (300, Login, Ends),
    // A new turn: the list of the one before no longer stands, and what it left open is said until a new one is written.
    (1_800, Login, Asks("Slow down repeated logins too, and do the docs")),
    (2_200, Login, Plans(&[("Count failed logins", Runs), ("Answer 429 after ten", Open), ("Update the docs", Open)])),
    (1_500, Login, Plans(&[("Count failed logins", Done), ("Answer 429 after ten", Runs), ("Update the docs", Runs)])),
    (300, Login, Act::Runs("cargo test -p auth", 1_200, 0)),
    (600, Login, Plans(&[("Count failed logins", Done), ("Answer 429 after ten", Done), ("Update the docs", Done)])),
    (300, Login, Says("Done. That was the demo: press q, and see how to connect your own agent.")),
    (200, Login, Ends),
];
