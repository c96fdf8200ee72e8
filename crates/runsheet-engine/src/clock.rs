//! Time and fresh ids: the core takes them as arguments, and here they come from.

use runsheet_core::{
    log::{EventId, Time},
    observe::Stamp,
};
use uuid::Uuid;

/// A source of time and fresh ids.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Time;
    /// An id never given before.
    fn id(&self) -> EventId;

    /// Time and ids for one batch.
    fn stamp(&self) -> Stamp {
        Stamp { time: self.now(), ids: std::array::from_fn(|_| self.id()) }
    }
}

/// The machine's clock and random v7 ids.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time::from_ms(jiff::Timestamp::now().as_millisecond())
    }

    fn id(&self) -> EventId {
        EventId::new(Uuid::now_v7())
    }
}
