//! Clocks that other processes share.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds of the machine's monotonic clock: the same in every process.
pub(crate) fn monotonic_ns() -> i64 {
    ns(ClockId::Monotonic)
}

/// Nanoseconds of processor time this process has used, over all its threads.
pub(crate) fn cpu_ns() -> i64 {
    ns(ClockId::ProcessCPUTime)
}

fn ns(clock: ClockId) -> i64 {
    let now = clock_gettime(clock);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}
