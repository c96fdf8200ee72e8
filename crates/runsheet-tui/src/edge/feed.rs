//! What the model hears of the store, and what it asks the store for.

use std::{collections::BTreeSet, error::Error, time::Duration};

use runsheet_core::{
    log::{EventData, Recorded, Seq, StreamId},
    projection::{Catalogue, Fold},
    todo::TodoWrite,
};
use runsheet_engine::{
    Engine, EngineError,
    store::{Cursor, Order, Select},
};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::model::{Effect, Event, MAX_SESSIONS, Part, Row, Want, is_main_list};

/// How many events of a history are read at once.
const PAGE: usize = 200;
/// How often a store that is not there yet is looked for, and one that failed is tried again.
const AGAIN: Duration = Duration::from_millis(500);
/// How many lists of sub-agents are passed over to find one of the session's own agent.
const PASS_OVER: usize = 16;

/// Gives the engine once there is a store.
pub(crate) type Opening = Box<dyn FnMut() -> Option<Engine> + Send>;

/// Reads for the model until it is gone.
pub(crate) async fn run(mut open: Opening, events: mpsc::Sender<Event>, effects: mpsc::UnboundedReceiver<Effect>) {
    let mut told = false;
    let engine = loop {
        if let Some(engine) = open() {
            break engine;
        }
        if !std::mem::replace(&mut told, true) {
            _ = events.send(Event::NoStore).await;
        }
        tokio::time::sleep(AGAIN).await;
        if events.is_closed() {
            return;
        }
    };
    // Where the feed stands is taken before anything is read, so that no event falls between.
    let mut cursor = None;
    while cursor.is_none() {
        match engine.follow(None).await {
            Ok(follower) => cursor = Some(follower.cursor()),
            Err(error) => {
                if events.send(Event::Trouble(Some(sentence(&error)))).await.is_err() {
                    return;
                }
                tokio::time::sleep(AGAIN).await;
            }
        }
    }
    tokio::select! {
        () = follow(&engine, cursor, &events) => {}
        () = serve(&engine, effects, &events) => {}
    }
}

/// Follows all sessions; whatever fails is told, and tried again.
async fn follow(engine: &Engine, mut cursor: Option<Cursor>, events: &mpsc::Sender<Event>) {
    let mut failed = false;
    loop {
        let Err(error) = follow_from(engine, &mut cursor, events, failed).await else { return };
        failed = true;
        if events.send(Event::Trouble(Some(sentence(&error)))).await.is_err() {
            return;
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn follow_from(
    engine: &Engine,
    cursor: &mut Option<Cursor>,
    events: &mpsc::Sender<Event>,
    failed: bool,
) -> Result<(), EngineError> {
    let mut follower = engine.follow(*cursor).await?;
    if failed {
        // Proves that the store can be read again.
        engine.list(1).await?;
        for event in [Event::Trouble(None), Event::Reset] {
            if events.send(event).await.is_err() {
                return Ok(());
            }
        }
    }
    loop {
        let changes = follower.next().await?;
        *cursor = Some(changes.next);
        let event = if changes.reset {
            Event::Reset
        } else {
            let of = changes.events.into_iter().filter_map(|entry| Some((entry.stream.session()?, entry.event)));
            let of: Vec<(Uuid, Recorded)> = of.collect();
            let sessions: BTreeSet<Uuid> = of.iter().map(|(session, _)| *session).collect();
            let mut rows = Vec::new();
            for session in sessions {
                rows.extend(row(engine, session).await?);
            }
            Event::Happened { rows, events: of }
        };
        if events.send(event).await.is_err() {
            return Ok(());
        }
    }
}

/// A session as it is now; `None` where it cannot be read, which does not keep the others from being shown.
async fn row(engine: &Engine, session: Uuid) -> Result<Option<Row>, EngineError> {
    let deserted = engine.store().await?.deserted(session);
    let fold = engine.fold(&StreamId::Session(session)).await;
    let row = |fold: &Fold| Row::new(session, fold.state::<Catalogue>(), deserted);
    Ok(fold.ok().flatten().map(|fold| row(&fold)))
}

/// Does what the model asks for, one after the other.
async fn serve(engine: &Engine, mut effects: mpsc::UnboundedReceiver<Effect>, events: &mpsc::Sender<Event>) {
    while let Some(first) = effects.recv().await {
        let mut wanted = vec![first];
        while let Ok(next) = effects.try_recv() {
            wanted.push(next);
        }
        // Of sessions that were passed by, only the last is still looked at.
        let last = wanted.iter().rposition(|effect| matches!(effect, Effect::Open(_)));
        for (at, effect) in wanted.into_iter().enumerate() {
            if matches!(effect, Effect::Open(_)) && Some(at) != last {
                continue;
            }
            for event in answer(engine, effect).await {
                if events.send(event).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn answer(engine: &Engine, effect: Effect) -> Vec<Event> {
    let (session, answer) = match effect {
        Effect::List => {
            let listed = engine.list(MAX_SESSIONS + 1).await.map(|report| {
                let more = report.sessions.len() > MAX_SESSIONS;
                let rows = report.sessions.into_iter().take(MAX_SESSIONS).map(Row::from).collect();
                Event::Listed(rows, more)
            });
            return vec![listed.unwrap_or_else(|error| Event::Trouble(Some(sentence(&error))))];
        }
        Effect::Look(sessions) => return look(engine, sessions).await.into_iter().collect(),
        Effect::Quit => return Vec::new(),
        Effect::Open(session) => (session, open(engine, session).await),
        Effect::Fold(session) => (session, folded(engine, session).await.map(|event| vec![event])),
        Effect::History(session, want) => {
            let part = history(engine, session, want).await;
            (session, part.map(|part| vec![Event::History(session, want, part)]))
        }
        Effect::Write { session, from, later } => {
            let write = write(engine, session, from, later).await;
            (session, write.map(|write| vec![Event::Write(session, write)]))
        }
        Effect::Details(session, seqs) => {
            let details = details(engine, session, seqs).await;
            (session, details.map(|details| vec![Event::Details(details)]))
        }
    };
    answer.unwrap_or_else(|error| vec![Event::Unreadable(session, sentence(&error))])
}

/// Of these sessions, those that nobody serves any more.
async fn look(engine: &Engine, sessions: Vec<Uuid>) -> Option<Event> {
    let store = engine.store().await.ok()?;
    let mut rows = Vec::new();
    for session in sessions.into_iter().filter(|session| store.deserted(*session)) {
        rows.extend(row(engine, session).await.ok()?);
    }
    (!rows.is_empty()).then_some(Event::Happened { rows, events: Vec::new() })
}

async fn open(engine: &Engine, session: Uuid) -> Result<Vec<Event>, EngineError> {
    let folded = folded(engine, session).await?;
    let part = history(engine, session, Want::End).await?;
    Ok(vec![folded, Event::History(session, Want::End, part)])
}

async fn folded(engine: &Engine, session: Uuid) -> Result<Event, EngineError> {
    let stream = StreamId::Session(session);
    let fold = engine.fold(&stream).await?.ok_or_else(|| EngineError::NoSession(session.to_string()))?;
    Ok(Event::Folded(session, Box::new(Fold::clone(&fold))))
}

async fn history(engine: &Engine, session: Uuid, want: Want) -> Result<Part, EngineError> {
    let stream = StreamId::Session(session);
    let (from, to, order) = match want {
        Want::End => (0, Seq::MAX, Order::Backward),
        Want::Start => (0, Seq::MAX, Order::Forward),
        Want::Before(0) => return Ok(Part { from_start: true, ..Part::default() }),
        Want::Before(seq) => (0, seq - 1, Order::Backward),
        Want::After(seq) => (seq + 1, Seq::MAX, Order::Forward),
    };
    let page = engine.events(&stream, Select { from, to, types: None, order, limit: PAGE }).await?;
    let mut events = page.events;
    if order == Order::Backward {
        events.reverse();
    }
    let (first, last) = (events.first().map(|event| event.seq), events.last().map(|event| event.seq));
    let before = match first {
        Some(first) if first > 0 => main_list(engine, &stream, first - 1).await?,
        _ => None,
    };
    let from_start = first.is_none_or(|first| first == 0);
    Ok(Part { events, before, from_start, to_end: last.is_none() || last >= page.head })
}

/// The last list of the session's own agent at or before an event.
async fn main_list(engine: &Engine, stream: &StreamId, mut to: Seq) -> Result<Option<Recorded>, EngineError> {
    for _ in 0..PASS_OVER {
        match engine.last_of(stream, &[TodoWrite::TYPE], to).await? {
            Some(event) if is_main_list(&event) => return Ok(Some(event)),
            Some(event) if event.seq > 0 => to = event.seq - 1,
            _ => return Ok(None),
        }
    }
    Ok(None)
}

async fn write(engine: &Engine, session: Uuid, from: Seq, later: bool) -> Result<Option<Recorded>, EngineError> {
    let stream = StreamId::Session(session);
    if !later {
        return if from == 0 { Ok(None) } else { main_list(engine, &stream, from - 1).await };
    }
    let types = Some(vec![TodoWrite::TYPE]);
    let page = engine.events(&stream, Select { types, limit: PASS_OVER, ..Select::from(from + 1) }).await?;
    Ok(page.events.into_iter().find(is_main_list))
}

async fn details(engine: &Engine, session: Uuid, seqs: Vec<Seq>) -> Result<Vec<Recorded>, EngineError> {
    let stream = StreamId::Session(session);
    let mut details = Vec::new();
    for seq in seqs {
        let page = engine.events(&stream, Select { to: seq, limit: 1, ..Select::from(seq) }).await?;
        details.extend(page.events);
    }
    Ok(details)
}

/// An error and its causes, as one sentence.
fn sentence(error: &EngineError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    if let Some(hint) = error.hint() {
        text.push_str(" · ");
        text.push_str(&hint);
    }
    text
}
