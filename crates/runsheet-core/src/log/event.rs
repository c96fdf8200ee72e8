//! The envelope of an event, its id and its time.

use std::{borrow::Cow, fmt, str::FromStr, sync::Arc};

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The position of an event in its stream: 0-based, contiguous, equal to its index.
pub type Seq = u64;

/// The largest number an event may name a turn, a step or a seq by: every JSON reader holds it exactly, and there is room
/// to count on from it.
pub(super) const MAX_NUMBER: u64 = (1 << 53) - 1;

/// When an event was written: milliseconds since the Unix epoch. It informs people and never orders anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// A text that is not an RFC 3339 time with at most millisecond precision.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not an RFC 3339 time of millisecond precision, like 2026-11-30T20:15:00.000Z")]
pub struct TimeError(String);

impl Time {
    /// The first time that can be written, in the year -9999.
    pub const MIN: Self = Self(-377_705_023_201_000);
    /// The last time that can be written, in the year 9999.
    pub const MAX: Self = Self(253_402_207_200_000);

    /// A time from milliseconds since the Unix epoch, brought between [`Self::MIN`] and [`Self::MAX`].
    #[must_use]
    pub const fn from_ms(ms: i64) -> Self {
        if ms < Self::MIN.0 {
            Self::MIN
        } else if ms > Self::MAX.0 {
            Self::MAX
        } else {
            Self(ms)
        }
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub const fn as_ms(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every time is in jiff's range: that is what `from_ms` is for.
        let at = Timestamp::from_millisecond(self.0).map_err(|_| fmt::Error)?;
        write!(f, "{at:.3}")
    }
}

impl FromStr for Time {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let at: Timestamp = text.parse().map_err(|_| TimeError(text.into()))?;
        // Finer times would be stored rounded, and an import would then not be lossless.
        let time = Self::from_ms(at.as_millisecond());
        if at.subsec_nanosecond() % 1_000_000 != 0 || time.0 != at.as_millisecond() {
            return Err(TimeError(text.into()));
        }
        Ok(time)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// What an observed fact is, for the id derived from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdKind {
    /// The start or the binding of a turn, by the client's key for it.
    Turn,
    /// A prompt, by the client's key of its turn and its text.
    Prompt,
    /// A tool call, by the client's id for it.
    Call,
    /// The list written by a tool call.
    Write,
    /// The result of a tool call.
    Result,
    /// A record that closes what a crash left open.
    Closer,
}

impl IdKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Prompt => "prompt",
            Self::Call => "call",
            Self::Write => "write",
            Self::Result => "result",
            Self::Closer => "closer",
        }
    }
}

/// The id of an event: a UUID unique in its stream. It makes an append idempotent.
///
/// Events that Runsheet originates carry a v7 id, made by the caller. Facts it observes carry a v8 id derived from the
/// fact, so that two reports of one fact have one id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(Uuid);

impl EventId {
    /// An id made elsewhere.
    #[must_use]
    pub const fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// The id of an observed fact. `session` is the stream's uuid, itself derived from principal, client and native
    /// session, so that a fact of another session never has this id.
    #[must_use]
    pub fn observed(session: Uuid, kind: IdKind, native: &str) -> Self {
        Self(derived(&[session.as_bytes(), kind.name().as_bytes(), native.as_bytes()]))
    }

    /// The uuid.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A v8 uuid from the SHA-256 of length-prefixed parts: no two lists of parts share one by concatenation.
pub(super) fn derived(parts: &[&[u8]]) -> Uuid {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    Uuid::new_v8(bytes)
}

/// An event before it has a place in a stream.
#[derive(Clone, Debug)]
pub struct Event {
    /// Unique in the stream.
    pub id: EventId,
    /// When it was written.
    pub time: Time,
    /// The type, `domain/verb`.
    pub ty: Cow<'static, str>,
    /// The version of the type's data.
    pub v: u32,
    /// The version of the program that wrote it.
    pub by: Arc<str>,
    /// The data, as raw JSON: kept byte for byte, never rewritten.
    pub data: Arc<RawValue>,
    /// Whether a reader that does not know the type may skip it.
    pub ignorable: bool,
}

impl Event {
    /// The event at a place in a stream.
    #[must_use]
    pub fn at(self, seq: Seq) -> Recorded {
        let Self { id, time, ty, v, by, data, ignorable } = self;
        Recorded { seq, id, time, ty, v, by, data, ignorable }
    }

    /// Whether two events are the same: id, type, version and data. Time and writer do not count, so that a repeated
    /// append is recognised after a restart or an upgrade.
    #[must_use]
    pub fn same(&self, other: &Recorded) -> bool {
        self.id == other.id && self.ty == other.ty && self.v == other.v && same_json(&self.data, &other.data)
    }
}

/// Byte equality decides almost always; a value that was reformatted on the way (by `jq`, say) is still the same.
fn same_json(a: &RawValue, b: &RawValue) -> bool {
    a.get() == b.get()
        || matches!(
            (serde_json::from_str::<serde_json::Value>(a.get()), serde_json::from_str::<serde_json::Value>(b.get())),
            (Ok(a), Ok(b)) if a == b
        )
}

/// An event in its place in a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The place: 0-based, contiguous.
    pub seq: Seq,
    /// Unique in the stream.
    pub id: EventId,
    /// When it was written.
    pub time: Time,
    /// The type, `domain/verb`.
    #[serde(rename = "type")]
    pub ty: Cow<'static, str>,
    /// The version of the type's data.
    pub v: u32,
    /// The version of the program that wrote it.
    pub by: Arc<str>,
    /// The data, as raw JSON.
    pub data: Arc<RawValue>,
    /// Whether a reader that does not know the type may skip it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignorable: bool,
}

impl Recorded {
    /// The event without its place.
    #[must_use]
    pub fn into_event(self) -> Event {
        let Self { seq: _, id, time, ty, v, by, data, ignorable } = self;
        Event { id, time, ty, v, by, data, ignorable }
    }
}
