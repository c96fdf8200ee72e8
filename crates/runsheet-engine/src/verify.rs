//! `store verify`: whether what the store holds is what it says.

use std::{collections::HashMap, fmt};

use runsheet_core::{
    log::{Bounds, Lifecycle, StreamId},
    projection::{Fold, UNITS},
};
use runsheet_store::{CacheRow, Listing, Select, Store, StoreError, StreamKind};
use serde::Serialize;

use crate::{engine::Engine, error::EngineError};

/// What was looked at, and what was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verified {
    /// Streams looked at.
    pub streams: usize,
    /// Events looked at.
    pub events: u64,
    /// What is wrong; empty when all is well.
    pub findings: Vec<Finding>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The stream, where it is of one.
    pub stream: Option<StreamId>,
    /// What is wrong, in a sentence.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stream {
            Some(stream) if !self.what.starts_with(&format!("`{stream}`")) => write!(f, "{stream}: {}", self.what),
            _ => f.write_str(&self.what),
        }
    }
}

impl Engine {
    /// Checks the medium, then every stream: that its events are contiguous, have the shape of their types, may follow
    /// each other, and fold to the states that are cached. It changes nothing.
    ///
    /// # Errors
    /// When the store cannot be read at all; damage is a finding.
    pub async fn verify(&self) -> Result<Verified, EngineError> {
        let store = self.store().await?;
        let failed = || EngineError::store("verifying the store");
        let mut verified = Verified::default();
        match store.check_medium().await {
            Ok(medium) => medium.into_iter().for_each(|what| verified.find(None, what)),
            Err(StoreError::Damaged { what }) => verified.find(None, what),
            Err(error) => return Err(failed()(error)),
        }
        for kind in [StreamKind::Sessions, StreamKind::Tasks] {
            let listing = match store.streams(kind, usize::MAX).await {
                Ok(listing) => listing,
                Err(StoreError::Damaged { what }) => Listing { damaged: vec![what], ..Listing::default() },
                Err(error) => return Err(failed()(error)),
            };
            listing.damaged.into_iter().for_each(|what| verified.find(None, what));
            for info in listing.streams {
                verified.streams += 1;
                if let Err(what) = self.verify_stream(&*store, &info.stream, &mut verified).await {
                    verified.find(Some(info.stream), what);
                }
            }
        }
        Ok(verified)
    }

    async fn verify_stream(&self, store: &dyn Store, stream: &StreamId, verified: &mut Verified) -> Result<(), String> {
        let wanted = UNITS.iter().map(|unit| (unit.key, unit.version)).collect();
        let rows = store.cached(stream.clone(), wanted).await.map_err(sentence)?;
        let (mut fold, mut lifecycle) = (Fold::new(UNITS), Lifecycle::default());
        let mut next = 0;
        loop {
            let page = store.read(stream.clone(), Select::from(next)).await.map_err(sentence)?;
            for event in page.events {
                if event.seq != next {
                    return Err(format!("event {next} is missing: {} follows", event.seq));
                }
                let (seq, time, id) = (event.seq, event.time, event.id);
                self.vocabulary()
                    .check(seq, &event.clone().into_event(), &Bounds::default())
                    .map_err(|fault| format!("event {seq} ({id}, {time}): {fault}"))?;
                lifecycle.next(self.vocabulary(), &event).map_err(|fault| fault.to_string())?;
                fold.apply(&event);
                let found = stale(&rows, &fold, seq).map(|what| Finding { stream: Some(stream.clone()), what });
                verified.findings.extend(found);
                verified.events += 1;
                next += 1;
            }
            if !page.more {
                return Ok(());
            }
        }
    }
}

impl Verified {
    /// Adds a finding. A row is read on more than one way; what is wrong with it is said once.
    fn find(&mut self, stream: Option<StreamId>, what: String) {
        match self.findings.iter_mut().find(|known| known.what == what && (known.stream.is_none() || stream.is_none()))
        {
            Some(known) => known.stream = known.stream.take().or(stream),
            None => self.findings.push(Finding { stream, what }),
        }
    }
}

fn sentence(error: StoreError) -> String {
    match error {
        StoreError::Damaged { what } => what,
        error => error.to_string(),
    }
}

/// A cached state of this event that is not what its events fold to.
fn stale(rows: &[CacheRow], fold: &Fold, seq: u64) -> Option<String> {
    if rows.iter().all(|row| row.seq != seq) {
        return None;
    }
    let states: HashMap<_, _> = fold.save().map(|(key, _, state)| (key, state)).collect();
    let row = rows.iter().filter(|row| row.seq == seq).find(|row| states.get(row.key) != Some(&row.state))?;
    Some(format!("the cached state of `{}` at event {seq} is not what its events fold to", row.key))
}
