//! A projection, and its erased form.

use std::any::Any;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::log::Recorded;

/// A pure fold over a session's events.
pub trait Projection: 'static {
    /// Its name, as clients see it.
    const KEY: &'static str;
    /// Raised when the state's fields or the fold's meaning change.
    const VERSION: u32;
    /// The types it reads; the others never reach [`apply`](Self::apply). Empty: it reads all.
    const TYPES: &'static [&'static str];
    /// Whether clients see it.
    const VISIBLE: bool = true;
    /// What is folded.
    type State: Clone + Default + Send + Sync + Serialize + DeserializeOwned + 'static;
    /// What clients see of it.
    type View<'a>: Serialize;

    /// Folds one event; says whether the state changed.
    fn apply(state: &mut Self::State, event: &Recorded) -> bool;

    /// What clients see; `None` when the session has no such capability, which is another answer than an empty one.
    fn view(state: &Self::State) -> Option<Self::View<'_>>;
}

/// The state of one projection, whichever it is.
pub trait Cell: Send + Sync {
    /// Folds one event; says whether the state changed.
    fn apply(&mut self, event: &Recorded) -> bool;
    /// What clients see, as JSON.
    fn view(&self) -> Option<Box<RawValue>>;
    /// The state as it is cached.
    fn save(&self) -> Vec<u8>;
    /// A copy.
    fn copy(&self) -> Box<dyn Cell>;
    /// The state itself.
    fn state(&self) -> &dyn Any;
}

struct Folded<P: Projection>(P::State);

impl<P: Projection> Cell for Folded<P> {
    fn apply(&mut self, event: &Recorded) -> bool {
        (P::TYPES.is_empty() || P::TYPES.contains(&&*event.ty)) && P::apply(&mut self.0, event)
    }

    fn view(&self) -> Option<Box<RawValue>> {
        P::view(&self.0).map(|view| serde_json::value::to_raw_value(&view).expect("views are plain and serialize"))
    }

    fn save(&self) -> Vec<u8> {
        serde_json::to_vec(&self.0).expect("states are plain and serialize")
    }

    fn copy(&self) -> Box<dyn Cell> {
        Box::new(Self(self.0.clone()))
    }

    fn state(&self) -> &dyn Any {
        &self.0
    }
}

/// A projection in erased form.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its name.
    pub key: &'static str,
    /// Its version.
    pub version: u32,
    /// The types it reads.
    pub types: &'static [&'static str],
    /// Whether clients see it.
    pub visible: bool,
    fresh: fn() -> Box<dyn Cell>,
    load: fn(&[u8]) -> Option<Box<dyn Cell>>,
}

impl Unit {
    /// The erased form of a projection.
    #[must_use]
    pub const fn of<P: Projection>() -> Self {
        Self {
            key: P::KEY,
            version: P::VERSION,
            types: P::TYPES,
            visible: P::VISIBLE,
            fresh: || Box::new(Folded::<P>(P::State::default())),
            load: |bytes| {
                let state = serde_json::from_slice(bytes).ok()?;
                Some(Box::new(Folded::<P>(state)))
            },
        }
    }

    /// The state before any event.
    #[must_use]
    pub fn fresh(&self) -> Box<dyn Cell> {
        (self.fresh)()
    }

    /// A cached state; `None` when it does not parse, which only means that it must be folded again.
    #[must_use]
    pub fn load(&self, bytes: &[u8]) -> Option<Box<dyn Cell>> {
        (self.load)(bytes)
    }
}
