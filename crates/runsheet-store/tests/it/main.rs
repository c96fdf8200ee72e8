//! Tests of the stores.

mod memory;
mod sqlite;
