//! The log: streams of events, their vocabulary and what must hold of them.
//!
//! A stream is one ordered sequence of [`Recorded`] events. Event 0 is its header. Everything else in Runsheet is a fold
//! over a stream. This module knows nothing of todo lists, plans or tasks: a domain declares its event types
//! ([`EventData`]) and exports a table of [`TypeSpec`]s, and the tables are joined into one [`Vocabulary`].
//!
//! Two kinds of invariant live here. *Shape* ([`Vocabulary::check`]) holds in every stream of every store. *Lifecycle*
//! ([`Lifecycle`]) holds in streams whose header says `owned`; in `observed` ones the engine normalises what it is told
//! ([`Turns::ensure`]) and never rejects it.

mod compaction;
mod event;
mod fork;
mod header;
mod lifecycle;
mod message;
mod repair;
mod stream;
mod surface;
mod tool;
mod turn;
mod turns;
mod vocabulary;

pub use compaction::{CompactionEnd, CompactionStart, RolledBack, SeqRange};
pub use event::{Event, EventId, IdKind, Recorded, Seq, Time, TimeError};
pub use fork::{ForkError, fork};
pub use header::{Agent, EndSeed, Ownership, Parent, SessionCreated, SessionTitle, Source};
pub use lifecycle::{Lifecycle, LifecycleFault};
pub use message::{AssistantMessage, Block, ContentBlock, NoteModel, RequestHeader, Usage, UserMessage};
pub use repair::{TOOL_NOT_STARTED, TOOL_OUTCOME_UNKNOWN, closers};
pub use stream::{StreamId, StreamIdError};
pub use surface::{Message, Role, Surface, derive_messages};
pub use tool::{Scope, ToolCall, ToolFacts, ToolProgress, ToolResult};
pub use turn::{EndReason, StepEnd, StepStart, TurnBound, TurnEnd, TurnStart};
pub use turns::{Ensured, OpenCall, OpenStep, OpenTurn, TurnChange, Turns};
pub use vocabulary::{Bounds, DecodeError, EventData, Placement, ShapeFault, TypeSpec, Upcaster, Vocabulary, read};

/// The version of the stream format that headers written by this version carry.
pub const FORMAT: u32 = 1;

/// The event types of the log itself.
pub const TYPES: &[TypeSpec] = &[
    TypeSpec::of::<SessionCreated>(),
    TypeSpec::of::<SessionTitle>(),
    TypeSpec::of::<EndSeed>(),
    TypeSpec::of::<TurnStart>(),
    TypeSpec::of::<TurnBound>(),
    TypeSpec::of::<TurnEnd>(),
    TypeSpec::of::<StepStart>(),
    TypeSpec::of::<StepEnd>(),
    TypeSpec::of::<UserMessage>(),
    TypeSpec::of::<AssistantMessage>(),
    TypeSpec::of::<NoteModel>(),
    TypeSpec::of::<RequestHeader>(),
    TypeSpec::of::<ToolCall>(),
    TypeSpec::of::<ToolProgress>(),
    TypeSpec::of::<ToolResult>(),
    TypeSpec::of::<CompactionStart>(),
    TypeSpec::of::<CompactionEnd>(),
    TypeSpec::of::<RolledBack>(),
];
