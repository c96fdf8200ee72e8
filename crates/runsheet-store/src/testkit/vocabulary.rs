//! A vocabulary for tests: everything Runsheet knows, and types of its own that no domain would declare.

use std::sync::Arc;

use runsheet_core::log::{EventData, Placement, TypeSpec, Upcaster, Vocabulary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// `test/header`: event 0 of a test's task list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {}

impl EventData for Header {
    const TYPE: &'static str = "test/header";
    const PLACEMENT: Placement = Placement::Header;
}

/// `test/note` in version 2. Version 1 was `{"says": …}` and had no volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// What it says; never `wrong`.
    pub text: String,
    /// How loud.
    pub volume: u32,
}

impl EventData for Note {
    const TYPE: &'static str = "test/note";
    const V: u32 = 2;
    const UPCASTERS: &'static [Upcaster] = &[|old: Value| match old.get("says") {
        Some(text) => Ok(json!({"text": text, "volume": 1})),
        None => Err("`says` is missing".into()),
    }];

    fn check(&self) -> Result<(), String> {
        if self.text == "wrong" { Err("`text` is wrong".into()) } else { Ok(()) }
    }
}

/// `test/mark`: another type, to select by, which readers that do not know it may skip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {}

impl EventData for Mark {
    const TYPE: &'static str = "test/mark";
    const IGNORABLE: bool = true;
}

/// The types of tests.
pub const TYPES: &[TypeSpec] = &[TypeSpec::of::<Header>(), TypeSpec::of::<Note>(), TypeSpec::of::<Mark>()];

/// Everything Runsheet knows, and [`TYPES`].
#[must_use]
pub fn vocabulary() -> Arc<Vocabulary> {
    let tables: Vec<_> = runsheet_core::TYPES.iter().copied().chain([TYPES]).collect();
    Arc::new(Vocabulary::new("testkit/1", &tables))
}
