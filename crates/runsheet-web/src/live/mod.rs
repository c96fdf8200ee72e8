//! The live feed: one follower of the engine, fanned out to every reader.
//!
//! A reader has a bounded mailbox: the latest value of each projection, and a queue of events. One that does not keep up
//! gets later values instead of more, and is told to start over when its queue is full. Frames are rendered once and
//! their bytes shared.
//!
//! An `id:` tells where a reader stands in the store's feed: everything up to it was sent. So that this holds wherever a
//! connection breaks, values go before the events they came with, events carry their own places, and the place of the
//! whole batch goes last.

mod frame;
mod hub;
mod mailbox;
mod reader;
mod wanted;

pub(crate) use hub::Hub;
pub(crate) use wanted::Wanted;
