//! What types of event there are, what their data must be, and how old data is read.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};
use std::{borrow::Cow, collections::HashMap, sync::Arc};

use super::event::{Event, EventId, Recorded, Seq, Time};

/// Turns the data of one version of a type into the next version's. Pure; stored bytes are never rewritten.
pub type Upcaster = fn(Value) -> Result<Value, String>;

/// The data of one type of event, in its current version.
pub trait EventData: Serialize + DeserializeOwned {
    /// The type's name, `domain/verb`.
    const TYPE: &'static str;
    /// The current version, from 1.
    const V: u32 = 1;
    /// Whether a reader that does not know the type may skip it.
    const IGNORABLE: bool = false;
    /// Where an event of the type may stand in an owned session.
    const PLACEMENT: Placement = Placement::Anywhere;
    /// `UPCASTERS[i]` reads version `i + 1` and gives version `i + 2`: one fewer than [`Self::V`].
    const UPCASTERS: &'static [Upcaster] = &[];

    /// What must hold of the data beyond its types.
    ///
    /// # Errors
    /// A sentence that names the field at fault.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether this event, unlike others of its type, may stand outside a turn.
    fn stands_alone(&self) -> bool {
        false
    }
}

/// Where an event may stand in an owned session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Only as event 0 of a stream.
    Header,
    /// In a turn or between turns.
    Anywhere,
    /// In an open turn, unless the event [stands alone](EventData::stands_alone).
    InTurn,
}

/// One type as the vocabulary knows it.
#[derive(Clone, Copy, Debug)]
pub struct TypeSpec {
    /// The type's name.
    pub name: &'static str,
    /// The current version.
    pub v: u32,
    /// Whether unknowing readers may skip it.
    pub ignorable: bool,
    /// Where it may stand.
    pub placement: Placement,
    upcasters: &'static [Upcaster],
    check: fn(&str) -> Result<bool, String>,
}

impl TypeSpec {
    /// The entry of a type.
    #[must_use]
    pub const fn of<T: EventData>() -> Self {
        assert!(T::UPCASTERS.len() + 1 == T::V as usize, "one upcaster for each older version");
        Self {
            name: T::TYPE,
            v: T::V,
            ignorable: T::IGNORABLE,
            placement: T::PLACEMENT,
            upcasters: T::UPCASTERS,
            check: |json| {
                let data: T = serde_json::from_str(json).map_err(|error| error.to_string())?;
                data.check()?;
                Ok(data.stands_alone())
            },
        }
    }

    fn current<'a>(&self, v: u32, data: &'a RawValue) -> Result<Cow<'a, str>, String> {
        if v == self.v {
            return Ok(Cow::Borrowed(data.get()));
        }
        let mut value: Value = serde_json::from_str(data.get()).map_err(|error| error.to_string())?;
        let from = usize::try_from(v).ok().and_then(|v| v.checked_sub(1)).ok_or("version 0 does not exist")?;
        let upcasters = self.upcasters.get(from..).ok_or_else(|| format!("this version knows {}", self.v))?;
        for upcast in upcasters {
            value = upcast(value)?;
        }
        Ok(Cow::Owned(value.to_string()))
    }
}

/// Bounds on what an event may be. Domains bound their own data more tightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most bytes of JSON in one event's data.
    pub max_data_bytes: usize,
    /// The deepest nesting of objects and arrays in one event's data.
    pub max_depth: usize,
    /// The most events in one append.
    pub max_batch_events: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { max_data_bytes: 1 << 20, max_depth: 64, max_batch_events: 10_000 }
    }
}

/// An event that no stream may hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeFault {
    /// The type is not in the vocabulary and may not be skipped.
    #[error("event type `{ty}` (written by {by}) is not known to this version")]
    UnknownType {
        /// The type.
        ty: String,
        /// The writer's version.
        by: String,
    },
    /// The type's data is of a later version than this one knows.
    #[error("event type `{ty}` is in version {v} (written by {by}), this version knows {known}")]
    NewerVersion {
        /// The type.
        ty: String,
        /// The data's version.
        v: u32,
        /// The writer's version.
        by: String,
        /// The latest version known here.
        known: u32,
    },
    /// The data does not parse, or a field is wrong.
    #[error("the data of `{ty}` is wrong: {fault}")]
    Data {
        /// The type.
        ty: String,
        /// What is wrong.
        fault: String,
    },
    /// The data is larger or deeper than the bounds allow.
    #[error("the data of `{ty}` is too big: {what} {is}, at most {limit}")]
    TooBig {
        /// The type.
        ty: String,
        /// What is bounded.
        what: &'static str,
        /// How much there is.
        is: usize,
        /// How much may be.
        limit: usize,
    },
    /// A header stands elsewhere than at 0, or something else stands there.
    #[error("`{ty}` at {seq}: a stream begins with its header and has no other")]
    Header {
        /// The type.
        ty: String,
        /// Where it stands.
        seq: Seq,
    },
    /// The flag disagrees with the type's.
    #[error("`{ty}` says ignorable: {is}, the type says {must}")]
    Ignorable {
        /// The type.
        ty: String,
        /// What the event says.
        is: bool,
        /// What the type says.
        must: bool,
    },
}

/// Data that could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} (`{ty}` version {v}) does not decode: {fault}")]
pub struct DecodeError {
    /// The event's place.
    pub seq: Seq,
    /// Its type.
    pub ty: String,
    /// Its version.
    pub v: u32,
    /// What is wrong.
    pub fault: String,
}

/// All types known to a program: the tables of its domains, joined.
#[derive(Debug)]
pub struct Vocabulary {
    types: HashMap<&'static str, TypeSpec>,
    by: Arc<str>,
}

impl Vocabulary {
    /// Joins the tables of the domains. `by` is the version that stands in every event written with it.
    ///
    /// # Panics
    /// When two domains declare one name: a mistake of the program, not of its input.
    #[must_use]
    pub fn new(by: &str, tables: &[&[TypeSpec]]) -> Self {
        let mut types = HashMap::new();
        for spec in tables.iter().copied().flatten() {
            assert!(types.insert(spec.name, *spec).is_none(), "two domains declare `{}`", spec.name);
        }
        Self { types, by: by.into() }
    }

    /// The version that stands in events written with this vocabulary.
    #[must_use]
    pub fn by(&self) -> &Arc<str> {
        &self.by
    }

    /// The entry of a type.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&TypeSpec> {
        self.types.get(name)
    }

    /// All entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &TypeSpec> {
        self.types.values()
    }

    /// The vocabulary's own copy of a type's name, so that events read back share it.
    #[must_use]
    pub fn intern(&self, name: &str) -> Cow<'static, str> {
        self.types.get(name).map_or_else(|| Cow::Owned(name.into()), |spec| Cow::Borrowed(spec.name))
    }

    /// An event from its data.
    ///
    /// # Panics
    /// When the data does not serialize, which plain data always does.
    #[must_use]
    pub fn event<T: EventData>(&self, id: EventId, time: Time, data: &T) -> Event {
        let data = serde_json::value::to_raw_value(data).expect("event data is plain and serializes");
        Event {
            id,
            time,
            ty: Cow::Borrowed(T::TYPE),
            v: T::V,
            by: Arc::clone(&self.by),
            data: data.into(),
            ignorable: T::IGNORABLE,
        }
    }

    /// Whether a reader of this version can follow a type, skip it, or must leave the stream alone.
    ///
    /// # Errors
    /// [`ShapeFault::UnknownType`] or [`ShapeFault::NewerVersion`], for a type that may not be skipped.
    pub fn follows(&self, ty: &str, v: u32, ignorable: bool, by: &str) -> Result<bool, ShapeFault> {
        match self.types.get(ty) {
            Some(spec) if v <= spec.v => Ok(true),
            _ if ignorable => Ok(false),
            Some(spec) => Err(ShapeFault::NewerVersion { ty: ty.into(), v, by: by.into(), known: spec.v }),
            None => Err(ShapeFault::UnknownType { ty: ty.into(), by: by.into() }),
        }
    }

    /// The shape invariants of one event at a place. Every store runs this on every append, in every build.
    ///
    /// # Errors
    /// The first [`ShapeFault`] found.
    pub fn check(&self, seq: Seq, event: &Event, bounds: &Bounds) -> Result<(), ShapeFault> {
        let ty = || event.ty.to_string();
        let size = event.data.get().len();
        if size > bounds.max_data_bytes {
            let limit = bounds.max_data_bytes;
            return Err(ShapeFault::TooBig { ty: ty(), what: "bytes", is: size, limit });
        }
        let depth = depth(event.data.get());
        if depth > bounds.max_depth {
            return Err(ShapeFault::TooBig { ty: ty(), what: "levels", is: depth, limit: bounds.max_depth });
        }
        let header = self.get(&event.ty).is_some_and(|spec| spec.placement == Placement::Header);
        if header != (seq == 0) {
            return Err(ShapeFault::Header { ty: ty(), seq });
        }
        if !self.follows(&event.ty, event.v, event.ignorable, &event.by)? {
            return Ok(());
        }
        let Some(spec) = self.get(&event.ty) else { return Ok(()) };
        if event.ignorable != spec.ignorable {
            return Err(ShapeFault::Ignorable { ty: ty(), is: event.ignorable, must: spec.ignorable });
        }
        spec.current(event.v, &event.data)
            .and_then(|json| (spec.check)(&json).map(drop))
            .map_err(|fault| ShapeFault::Data { ty: ty(), fault })
    }

    /// Whether an event must stand in an open turn of an owned session.
    #[must_use]
    pub fn needs_turn(&self, event: &Recorded) -> bool {
        self.get(&event.ty).is_some_and(|spec| {
            spec.placement == Placement::InTurn
                && spec.current(event.v, &event.data).and_then(|json| (spec.check)(&json)).is_ok_and(|alone| !alone)
        })
    }

    /// The data of an event of type `T`, upcast to its current version; `None` when the event is of another type.
    ///
    /// # Errors
    /// When the data does not decode, or is of a later version.
    pub fn decode<T: EventData>(event: &Recorded) -> Result<Option<T>, DecodeError> {
        if event.ty != T::TYPE {
            return Ok(None);
        }
        let fault = |fault: String| DecodeError { seq: event.seq, ty: event.ty.to_string(), v: event.v, fault };
        let spec = const { TypeSpec::of::<T>() };
        let json = spec.current(event.v, &event.data).map_err(fault)?;
        serde_json::from_str(&json).map(Some).map_err(|error| fault(error.to_string()))
    }
}

/// The deepest nesting of valid JSON, without parsing it into values.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut text, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if text => escaped = true,
            b'"' => text = !text,
            b'{' | b'[' if !text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Decoding as folds do it: another type, a later version or damaged data is `None`. A fold never stops; that data
/// parses was checked when it was appended, and that a stream can be followed when it was opened.
pub fn read<T: EventData>(event: &Recorded) -> Option<T> {
    Vocabulary::decode(event).ok().flatten()
}
