//! `/metrics`, as OpenMetrics text.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use runsheet_engine::{BUCKETS_US, EngineMetrics, Histogram};

/// What this host counts.
#[derive(Debug, Default)]
pub(crate) struct WebMetrics {
    /// Requests by the first digit of their status, from 1 on.
    requests: [AtomicU64; 5],
    /// How long requests took, but for the live feed's.
    pub(crate) request: Histogram,
    /// Requests that were refused for where they came from.
    pub(crate) refused: AtomicU64,
    /// Readers of the live feed now.
    pub(crate) readers: AtomicU64,
    /// Frames handed to readers.
    pub(crate) frames: AtomicU64,
    /// Values that a later one of the same projection replaced before the reader took it.
    pub(crate) coalesced: AtomicU64,
    /// Readers that were told to start over.
    pub(crate) resets: AtomicU64,
    /// From an event's own time to its fan-out.
    pub(crate) fan_out: Histogram,
}

impl WebMetrics {
    /// Counts a request by its status.
    pub(crate) fn answered(&self, status: u16) {
        if let Some(counter) = self.requests.get(usize::from(status / 100).saturating_sub(1)) {
            counter.fetch_add(1, Relaxed);
        }
    }

    /// All of it, with the engine's and the number of events in the store.
    pub(crate) fn text(&self, engine: &EngineMetrics, appended: u64, version: &str) -> String {
        let mut out = Text(String::with_capacity(8 * 1024));
        out.family("runsheet_build", "info", "The program.");
        out.line("runsheet_build_info", &format!("version=\"{version}\""), 1);
        out.counter(
            "runsheet_events_appended",
            "Events in the store, whichever process appended them.",
            &[("", appended)],
        );
        let calls = [
            ("outcome=\"served\"", &engine.calls_served),
            ("outcome=\"refused\"", &engine.calls_refused),
            ("outcome=\"failed\"", &engine.calls_failed),
        ];
        let calls = calls.map(|(label, count)| (label, count.load(Relaxed)));
        out.counter("runsheet_calls", "Tool calls of this process.", &calls);
        out.histogram("runsheet_call_seconds", "How long a call took, until it was durable.", &engine.call);
        let edits = [("outcome=\"written\"", &engine.edits), ("outcome=\"conflict\"", &engine.edit_conflicts)];
        let edits = edits.map(|(label, count)| (label, count.load(Relaxed)));
        out.counter("runsheet_edits", "Lists edited by people.", &edits);
        let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"].map(|class| format!("status=\"{class}\""));
        let requests: Vec<_> =
            classes.iter().map(String::as_str).zip(self.requests.iter().map(|count| count.load(Relaxed))).collect();
        out.counter("runsheet_http_requests", "Requests by status.", &requests);
        out.histogram("runsheet_http_request_seconds", "How long a request took.", &self.request);
        let refused = self.refused.load(Relaxed);
        out.counter("runsheet_http_refused", "Requests refused for where they came from.", &[("", refused)]);
        out.family("runsheet_feed_readers", "gauge", "Readers of the live feed.");
        out.line("runsheet_feed_readers", "", self.readers.load(Relaxed));
        out.counter("runsheet_feed_frames", "Frames handed to readers.", &[("", self.frames.load(Relaxed))]);
        let coalesced = self.coalesced.load(Relaxed);
        out.counter("runsheet_feed_coalesced", "Values replaced before a reader took them.", &[("", coalesced)]);
        out.counter("runsheet_feed_resets", "Readers told to start over.", &[("", self.resets.load(Relaxed))]);
        out.histogram("runsheet_feed_fan_out_seconds", "From an event's time to its fan-out.", &self.fan_out);
        out.0.push_str("# EOF\n");
        out.0
    }
}

struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.0, "# TYPE {name} {kind}\n# HELP {name} {help}\n");
    }

    fn line(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, values: &[(&str, u64)]) {
        self.family(name, "counter", help);
        for (labels, value) in values {
            self.line(&format!("{name}_total"), labels, value);
        }
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.family(name, "histogram", help);
        let (counts, sum_us) = histogram.read();
        let mut total = 0;
        for (at, count) in counts.iter().enumerate() {
            total += count;
            let bound = BUCKETS_US.get(at).map_or("+Inf".to_owned(), |us| seconds(*us));
            self.line(&format!("{name}_bucket"), &format!("le=\"{bound}\""), total);
        }
        self.line(&format!("{name}_sum"), "", seconds(sum_us));
        self.line(&format!("{name}_count"), "", total);
    }
}

/// Microseconds as seconds, exactly.
fn seconds(us: u64) -> String {
    let text = format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}
