//! The one way for a write: a tool call, from the edge to the log and back.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::Ordering::Relaxed},
    time::Instant,
};

use runsheet_core::{
    dialect::{Parsed, Refusal, Resolved},
    log::{
        ContentBlock, EndReason, Event, EventId, NoteModel, Recorded, Scope, Seq, ShapeFault, StreamId, ToolResult,
        TurnEnd, read,
    },
    observe::{self, Place, ServedCall, Stamp},
    projection::{Fold, TurnsUnit},
    todo::{self, Author, Policy, TodoList, TodoWrite, Todos},
};
use runsheet_store::{CacheRow, Decision, Order, Select, Tail};

use crate::{
    caller::Caller, engine::Engine, error::EngineError, identity::Owner, session::CACHE_EVERY, settings::Toolset,
};

/// The hint beside the refusal of a call that no session owns.
const NO_OWNER_HINT: &str = "This connection names no session. Use the URL /mcp/s/<name>, send the header \
                             `Runsheet-Session: <name>`, or run `runsheet mcp` over stdio.";

/// What a write is answered that does not know of a person's edit.
const EDITED: &str = "Error: not written, because a person has changed the list since you last wrote it";

/// What a call gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutcome {
    /// What the model is told. The first block is the dialect's own text, to the letter; further ones are ours.
    pub blocks: Vec<String>,
    /// Whether the call failed.
    pub is_error: bool,
    /// The list as it stands after the call, where the call wrote one.
    pub todos: Option<TodoList>,
    /// The session, where one owns the call.
    pub session: Option<StreamId>,
}

impl ToolOutcome {
    fn refused(refusal: Refusal) -> Self {
        Self { blocks: vec![refusal.text], is_error: true, todos: None, session: None }
    }
}

impl Engine {
    /// Serves a call of a todo tool. `arguments` is the JSON the model wrote, or whatever came in its place.
    ///
    /// The outcome is given once it is durable. A call that was served before (same client, same id) gets the recorded
    /// result again. A refused call changes no list and opens no turn; where a session owns it, it is on the log like
    /// any other.
    ///
    /// # Errors
    /// When the store fails: then nothing is known to have changed, and the error says so where it is not known.
    pub async fn call_tool(
        &self,
        caller: &Caller,
        tools: &Toolset,
        tool: &str,
        arguments: &str,
    ) -> Result<ToolOutcome, EngineError> {
        let began = Instant::now();
        let outcome = self.serve_call(caller, tools, tool, arguments).await;
        let metrics = self.metrics();
        metrics.call.observe(began.elapsed());
        let counter = match &outcome {
            Ok(outcome) if outcome.is_error => &metrics.calls_refused,
            Ok(_) => &metrics.calls_served,
            Err(_) => &metrics.calls_failed,
        };
        counter.fetch_add(1, Relaxed);
        outcome
    }

    async fn serve_call(
        &self,
        caller: &Caller,
        tools: &Toolset,
        tool: &str,
        arguments: &str,
    ) -> Result<ToolOutcome, EngineError> {
        let parsed = tools.dialect.parse(tool, arguments, &tools.rules);
        let store = self.store().await?;
        let alias = match &caller.call_id {
            Some(id) => store
                .alias(caller.principal.clone(), id.clone())
                .await
                .map_err(EngineError::store("asking whose call it is"))?,
            None => None,
        };
        let Some(owner) = Owner::of(caller, alias, tools.settings.share_anonymous) else {
            return Ok(match parsed {
                Err(refusal) => ToolOutcome::refused(refusal),
                Ok(_) => {
                    let mut outcome = ToolOutcome::refused(tools.dialect.no_owner(tool));
                    outcome.blocks.push(NO_OWNER_HINT.into());
                    outcome
                }
            });
        };
        let Some(session) = owner.stream.session() else {
            return Err(EngineError::NoSession(owner.stream.to_string()));
        };
        let live = self.live(&owner.stream).await?;
        let stamp = self.clock().stamp();
        let joined = self.presence().attach(&*store, &owner.stream, stamp.time)?;
        if let Some((stream, attached)) = joined.over {
            self.leave(&stream, attached).await;
        }
        let deserted = joined.deserted;
        let base = live.fold();
        let after = base.seq();
        let decided = Arc::new(Mutex::new(Decided::Nothing));
        let work = Work {
            engine: self.clone(),
            base,
            call_id: caller.call_id.clone().unwrap_or_else(|| self.clock().id().to_string()),
            header_id: self.clock().id(),
            header: owner.header(&caller.client, caller.via, tools.dialect.name()),
            owner,
            session,
            tools: tools.clone(),
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            parsed,
            stamp,
            deserted,
            decided: Arc::clone(&decided),
        };
        let (stream, call_id) = (work.owner.stream.clone(), work.call_id.clone());
        let done = store
            .transact(stream.clone(), after, Box::new(move |tail| work.decide(tail)))
            .await
            .map_err(EngineError::store("writing the list"))?;
        live.advance(done.before.iter().chain(&done.appended));
        let decided = std::mem::replace(&mut *decided.lock().unwrap_or_else(PoisonError::into_inner), Decided::Nothing);
        match decided {
            Decided::Served(mut outcome) => {
                outcome.session = Some(stream);
                Ok(outcome)
            }
            Decided::Foreign(source) => Err(EngineError::Foreign { stream, source }),
            Decided::Before | Decided::Nothing => self.recorded(&stream, session, &call_id).await,
        }
    }

    /// The result of a call that was served before.
    async fn recorded(
        &self,
        stream: &StreamId,
        session: uuid::Uuid,
        call_id: &str,
    ) -> Result<ToolOutcome, EngineError> {
        let id = observe::result_event_id(session, call_id);
        let mut to = Seq::MAX;
        loop {
            let types = Some(vec![<ToolResult as runsheet_core::log::EventData>::TYPE]);
            let page = self.events(stream, Select { from: 0, to, types, order: Order::Backward, limit: 500 }).await?;
            if let Some(result) = page.events.iter().find(|event| event.id == id).and_then(read::<ToolResult>) {
                return Ok(ToolOutcome {
                    blocks: result.content.into_iter().map(|ContentBlock::Text { text }| text).collect(),
                    is_error: result.is_error,
                    todos: None,
                    session: Some(stream.clone()),
                });
            }
            match page.events.last() {
                Some(last) if page.more && last.seq > 0 => to = last.seq - 1,
                _ => return Err(EngineError::NoSession(stream.to_string())),
            }
        }
    }
}

/// What came of a decision, as far as its batch does not say it.
enum Decided {
    /// Not decided yet.
    Nothing,
    /// The call was served before.
    Before,
    /// A later version of runsheet has written to the session meanwhile.
    Foreign(ShapeFault),
    /// The call is served when the batch is durable.
    Served(ToolOutcome),
}

/// Everything a decision needs, so that it can run under the store's lock, and run again.
struct Work {
    engine: Engine,
    base: Arc<Fold>,
    owner: Owner,
    session: uuid::Uuid,
    header: runsheet_core::log::SessionCreated,
    header_id: EventId,
    tools: Toolset,
    tool: String,
    arguments: String,
    parsed: Result<Parsed, Refusal>,
    call_id: String,
    stamp: Stamp,
    deserted: bool,
    decided: Arc<Mutex<Decided>>,
}

impl Work {
    fn decide(&self, tail: &dyn Tail) -> Decision {
        let (decided, decision) = self.decision(tail);
        *self.decided.lock().unwrap_or_else(PoisonError::into_inner) = decided;
        decision
    }

    fn decision(&self, tail: &dyn Tail) -> (Decided, Decision) {
        let vocabulary = self.engine.vocabulary();
        for event in tail.new_events() {
            if let Err(fault) = vocabulary.follows(&event.ty, event.v, event.ignorable, &event.by) {
                return (Decided::Foreign(fault), Decision::default());
            }
        }
        if tail.has(observe::call_event_id(self.session, &self.call_id)) {
            return (Decided::Before, Decision::default());
        }
        let fold = self.folded(tail.new_events());
        let mut turns = fold.state::<TurnsUnit>().clone();
        let mut batch = Vec::with_capacity(6);
        if tail.head().is_none() {
            batch.push(vocabulary.event(self.header_id, self.stamp.time, &self.header));
        }
        if self.deserted {
            let left = (EndReason::Disconnected, true);
            let ended = observe::ended(vocabulary, &turns, self.session, left, &self.stamp);
            if !ended.is_empty() {
                turns.open = None;
            }
            batch.extend(ended);
        }
        let current = fold.state::<Todos>().standing();
        let resolved =
            self.parsed.clone().and_then(|parsed| self.tools.dialect.resolve(&parsed, current, &self.tools.rules));
        let note = resolved.as_ref().ok().and_then(|resolved| self.untold(fold.state::<Todos>(), &resolved.todos));
        let resolved = match &note {
            Some(_) => Err(Refusal { code: "edited", text: EDITED.into() }),
            None => resolved,
        };
        let mut outcome = match &resolved {
            Ok(resolved) => ToolOutcome {
                blocks: vec![resolved.text.clone()],
                is_error: false,
                todos: Some(resolved.todos.clone()),
                session: None,
            },
            Err(refusal) => ToolOutcome::refused(refusal.clone()),
        };
        outcome.blocks.extend(note.iter().map(|note| note.text.clone()));
        let place = Place {
            stream: &self.owner.stream,
            session: self.session,
            scope: &self.owner.scope,
            key: self.owner.key.as_deref(),
        };
        let answer: Vec<_> = outcome.blocks.iter().map(ContentBlock::text).collect();
        let call = ServedCall {
            call_id: &self.call_id,
            tool: &self.tool,
            arguments: &self.arguments,
            answer: &answer,
            refused: resolved.as_ref().err().map(|refusal| refusal.code),
        };
        let write = resolved.ok().map(|resolved| self.write(resolved));
        let has = |id| tail.has(id);
        batch.extend(observe::served_call(vocabulary, &turns, &place, &call, write, &self.stamp, has));
        // Only a refused call has a note, and no other event of such a call takes an id of the stamp.
        batch.extend(note.map(|note| vocabulary.event(self.stamp.ids[0], self.stamp.time, &note)));
        let cache = due(&fold, &batch);
        (Decided::Served(outcome), Decision { batch, cache })
    }

    /// What the model is told instead of having its list written: a person changed the list, and the model writes as if
    /// nobody had. Told once, it may write what it wants.
    fn untold(&self, state: &todo::TodosState, list: &TodoList) -> Option<NoteModel> {
        let (known, main) = (state.untold.as_ref()?, state.main.as_ref()?);
        if self.owner.scope != Scope::Main || main.todos == *list {
            return None;
        }
        Some(NoteModel {
            discipline: todo::EDIT.into(),
            text: todo::notice(known, &main.todos),
            told_revision: Some(state.revision),
        })
    }

    fn folded(&self, new: &[Recorded]) -> Arc<Fold> {
        if new.is_empty() {
            return Arc::clone(&self.base);
        }
        let mut fold = Fold::clone(&self.base);
        for event in new {
            fold.apply(event);
        }
        Arc::new(fold)
    }

    fn write(&self, resolved: Resolved) -> TodoWrite {
        TodoWrite {
            scope: self.owner.scope.clone(),
            todos: resolved.todos,
            author: Author::Model,
            call_id: Some(self.call_id.clone()),
            dialect: self.tools.dialect.name().to_owned(),
            lifetime: self.tools.dialect.lifetime(),
            policy: Policy { allow_parallel_in_progress: self.tools.rules.parallel.allowed },
            explanation: resolved.explanation,
            late: false,
        }
    }
}

/// The states to cache with a batch: at a turn's end, else when [`CACHE_EVERY`] events went by. They ride on a commit
/// that happens anyway.
pub(crate) fn due(fold: &Fold, batch: &[Event]) -> Vec<CacheRow> {
    let next = fold.seq().map_or(0, |seq| seq + 1);
    let last = next + batch.len() as Seq;
    let turn_ends = batch.iter().any(|event| event.ty == <TurnEnd as runsheet_core::log::EventData>::TYPE);
    if !turn_ends && next / CACHE_EVERY == last / CACHE_EVERY {
        return Vec::new();
    }
    let mut fold = Fold::clone(fold);
    for (event, seq) in batch.iter().zip(next..) {
        fold.apply(&event.clone().at(seq));
    }
    let Some((seq, event_id)) = fold.at() else { return Vec::new() };
    fold.save().map(|(key, version, state)| CacheRow { key, version, seq, event_id, state }).collect()
}
