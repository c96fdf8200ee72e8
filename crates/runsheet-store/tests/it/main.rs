//! Tests of the stores.

mod smoke;
