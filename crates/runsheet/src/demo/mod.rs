//! What `runsheet demo` plays: sessions of several turns, through the engine, without a model.

mod script;
mod stage;

pub(crate) use stage::{Pace, play};
