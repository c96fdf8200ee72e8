//! All projections of a session at one event.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;
use serde_json::value::RawValue;

use super::unit::{Cell, Projection, Unit};
use crate::log::{EventId, Recorded, Seq};

/// The states of a list of projections, folded up to one event.
pub struct Fold {
    units: &'static [Unit],
    cells: Vec<Box<dyn Cell>>,
    at: Option<(Seq, EventId)>,
}

/// What clients see of a session at one event.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// The last event folded; `None` for a stream without events.
    pub as_of_seq: Option<Seq>,
    /// The views by key. A key is absent when the session has no such capability.
    pub values: BTreeMap<&'static str, Box<RawValue>>,
}

impl Fold {
    /// The states before any event.
    #[must_use]
    pub fn new(units: &'static [Unit]) -> Self {
        Self { units, cells: units.iter().map(Unit::fresh).collect(), at: None }
    }

    /// The states as cached at one event; `None` when one of them does not parse.
    #[must_use]
    pub fn load<'a>(
        units: &'static [Unit],
        at: (Seq, EventId),
        state: impl Fn(&'static str) -> Option<&'a [u8]>,
    ) -> Option<Self> {
        let cells = units.iter().map(|unit| unit.load(state(unit.key)?)).collect::<Option<_>>()?;
        Some(Self { units, cells, at: Some(at) })
    }

    /// The last event folded.
    #[must_use]
    pub const fn at(&self) -> Option<(Seq, EventId)> {
        self.at
    }

    /// The seq of the last event folded.
    #[must_use]
    pub fn seq(&self) -> Option<Seq> {
        self.at.map(|(seq, _)| seq)
    }

    /// Folds the next event; gives the projections that changed. Any other event is passed over: one at or before the
    /// last was folded, and after a gap [`at`](Self::at) stays where it is, so that whoever folds reads on from there.
    pub fn apply(&mut self, event: &Recorded) -> Vec<&'static str> {
        let next = self.seq().map_or(Some(0), |seq| seq.checked_add(1));
        if next != Some(event.seq) {
            return Vec::new();
        }
        self.at = Some((event.seq, event.id));
        let cells = self.units.iter().zip(&mut self.cells);
        cells.filter_map(|(unit, cell)| cell.apply(event).then_some(unit.key)).collect()
    }

    /// The state of a projection.
    ///
    /// # Panics
    /// When it is not among this fold's units.
    #[must_use]
    pub fn state<P: Projection>(&self) -> &P::State {
        let at = self.units.iter().position(|unit| unit.key == P::KEY).expect("the projection is among the units");
        self.cells[at].state().downcast_ref().expect("a key names one projection")
    }

    /// What clients see of one projection.
    #[must_use]
    pub fn view(&self, key: &str) -> Option<Box<RawValue>> {
        let at = self.units.iter().position(|unit| unit.visible && unit.key == key)?;
        self.cells[at].view()
    }

    /// What clients see of all of them, in one cut.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let views = self.units.iter().zip(&self.cells).filter(|(unit, _)| unit.visible);
        let values = views.filter_map(|(unit, cell)| Some((unit.key, cell.view()?))).collect();
        Snapshot { as_of_seq: self.seq(), values }
    }

    /// The states as they are cached, with key and version.
    pub fn save(&self) -> impl Iterator<Item = (&'static str, u32, Vec<u8>)> + '_ {
        self.units.iter().zip(&self.cells).map(|(unit, cell)| (unit.key, unit.version, cell.save()))
    }
}

impl Clone for Fold {
    fn clone(&self) -> Self {
        Self { units: self.units, cells: self.cells.iter().map(|cell| cell.copy()).collect(), at: self.at }
    }
}

impl fmt::Debug for Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fold").field("at", &self.at).finish_non_exhaustive()
    }
}
