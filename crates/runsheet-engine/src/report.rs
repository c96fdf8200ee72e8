//! What programs are told of sessions: the shapes of `ls --json` and `show --json`.

use runsheet_core::{
    log::{Agent, EventData, Scope, Seq, StreamId, Time, read},
    plan::{PlanDecided, PlanDecision, PlanProposed},
    progress::{AlertCleared, AlertRaised},
    projection::{Catalogue, CatalogueEntry, Fold, SessionState, TurnsUnit},
    todo::{Counts, TodoItem, TodoList, TodoWrite, Todos},
};
use runsheet_store::{Head, Select, StreamInfo, StreamKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{engine::Engine, error::EngineError};

/// The families whose session ids a person may name a session by, besides names given in a URL.
const FAMILIES: &[&str] = &["named", "codex", "claude-code", "opencode", "dsh", "gemini-cli"];

/// `ls --json`.
#[derive(Clone, Debug, Serialize)]
pub struct ListReport {
    /// The sessions, those written last first.
    pub sessions: Vec<ListEntry>,
    /// A sentence for each session that is there and cannot even be named: its row is damaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
}

/// One session of `ls --json`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListEntry {
    /// The session.
    pub session: Uuid,
    /// Its agent.
    pub agent: AgentReport,
    /// The agent's working folder.
    pub cwd: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// What it is doing.
    pub state: SessionState,
    /// Of its last list.
    pub counts: Counts,
    /// What runs now.
    pub running: Option<String>,
    /// When it was last written to.
    pub updated: Time,
}

/// An agent, in a report.
#[derive(Clone, Debug, Serialize)]
pub struct AgentReport {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
}

impl From<&Agent> for AgentReport {
    fn from(agent: &Agent) -> Self {
        Self { name: agent.name.clone(), version: agent.version.clone() }
    }
}

/// `show --json`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowReport {
    /// The session.
    pub session: Uuid,
    /// Its agent.
    pub agent: AgentReport,
    /// The agent's working folder.
    pub cwd: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// What it is doing.
    pub state: SessionState,
    /// The number of the latest turn.
    pub turn: u64,
    /// The standing list; `null` when none stands.
    pub todos: Option<TodoList>,
    /// The last list, where it no longer stands.
    pub carried: Option<TodoList>,
    /// Of the list above.
    pub counts: Counts,
    /// How many items it has.
    pub total: usize,
    /// The last proposed plan.
    pub plan: Option<PlanReport>,
    /// Alerts that are not cleared.
    pub alerts: Vec<AlertRaised>,
    /// The last list of each scope.
    pub lists: Vec<ScopeList>,
    /// The last event this is of.
    pub as_of_seq: Option<Seq>,
}

/// The last proposed plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanReport {
    /// `proposed` until it is decided.
    pub state: String,
    /// The plan.
    pub text: String,
}

/// The last list of a scope.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScopeList {
    /// `main` or `agent:<id>`.
    pub scope: String,
    /// `todo`, for a list written whole.
    pub kind: &'static str,
    /// Its items.
    pub items: Vec<ScopeItem>,
}

/// An item of a scope's list.
pub type ScopeItem = TodoItem;

impl Engine {
    /// The session a person means: a uuid or the beginning of one, the client's own id of it, or a name from a URL.
    ///
    /// # Errors
    /// When there is no such session, or more than one.
    pub async fn find(&self, principal: &str, name: &str) -> Result<StreamId, EngineError> {
        let store = self.store().await?;
        let failed = || EngineError::store("looking for the session");
        let id = name.strip_prefix("session/").unwrap_or(name);
        if let Ok(uuid) = id.parse::<Uuid>() {
            let stream = StreamId::Session(uuid);
            if store.head(stream.clone()).await.map_err(failed())?.is_some() {
                return Ok(stream);
            }
        }
        for family in FAMILIES {
            let stream = StreamId::observed(principal, family, name);
            if store.head(stream.clone()).await.map_err(failed())?.is_some() {
                return Ok(stream);
            }
        }
        let sessions = store.streams(StreamKind::Sessions, usize::MAX).await.map_err(failed())?.streams;
        let begins = |info: &StreamInfo| info.stream.session().is_some_and(|uuid| uuid.to_string().starts_with(id));
        let mut meant: Vec<_> = sessions.into_iter().filter(|info| id.len() >= 4 && begins(info)).collect();
        match (meant.pop(), meant.len()) {
            (None, _) => Err(EngineError::NoSession(name.chars().take(100).collect())),
            (Some(info), 0) => Ok(info.stream),
            (Some(_), more) => Err(EngineError::Ambiguous { name: name.to_owned(), count: more + 1 }),
        }
    }

    /// The sessions, those written last first.
    ///
    /// # Errors
    /// When the store fails. A session that is damaged, or of a later version, is listed as unknown.
    pub async fn list(&self, limit: usize) -> Result<ListReport, EngineError> {
        let store = self.store().await?;
        let listing =
            store.streams(StreamKind::Sessions, limit).await.map_err(EngineError::store("listing the sessions"))?;
        let mut sessions = Vec::with_capacity(listing.streams.len());
        for info in listing.streams {
            let Some(session) = info.stream.session() else { continue };
            let (entry, state) = match self.entry(&info).await {
                Ok(entry) => {
                    let state = entry.state(store.deserted(session));
                    (entry, state)
                }
                Err(error) if error.is_of_one_session() => (CatalogueEntry::default(), SessionState::Unknown),
                Err(error) => return Err(error),
            };
            sessions.push(ListEntry {
                session,
                agent: (&entry.agent).into(),
                title: entry.title.title().map(Into::into),
                state,
                counts: entry.counts.unwrap_or_default(),
                cwd: entry.cwd,
                running: entry.running,
                updated: info.updated,
            });
        }
        Ok(ListReport { sessions, damaged: listing.damaged })
    }

    /// One line about a session, from its cached state where that is of its end.
    async fn entry(&self, info: &StreamInfo) -> Result<CatalogueEntry, EngineError> {
        use runsheet_core::projection::Projection;
        let store = self.store().await?;
        let wanted = vec![(Catalogue::KEY, Catalogue::VERSION)];
        let rows =
            store.cached(info.stream.clone(), wanted).await.map_err(EngineError::store("listing the sessions"))?;
        let cached = rows.iter().find(|row| row.seq == info.head);
        if let Some(entry) = cached.and_then(|row| serde_json::from_slice(&row.state).ok()) {
            return Ok(entry);
        }
        let fold = self.fold(&info.stream).await?;
        Ok(fold.map(|fold| fold.state::<Catalogue>().clone()).unwrap_or_default())
    }

    /// A session in full.
    ///
    /// # Errors
    /// When there is no such session, the store fails, or the session was written by a later version.
    pub async fn show(&self, stream: &StreamId) -> Result<ShowReport, EngineError> {
        let missing = || EngineError::NoSession(stream.to_string());
        let (fold, head) = self.folded(stream).await?.ok_or_else(missing)?;
        let session = stream.session().ok_or_else(missing)?;
        let entry = fold.state::<Catalogue>();
        let todos = fold.state::<Todos>();
        let list = todos.standing().or(todos.carried());
        let counts = list.map(TodoList::counts).unwrap_or_default();
        Ok(ShowReport {
            session,
            agent: (&entry.agent).into(),
            cwd: entry.cwd.clone(),
            title: entry.title.title().map(Into::into),
            state: entry.state(self.store().await?.deserted(session)),
            turn: fold.state::<TurnsUnit>().last,
            todos: todos.standing().cloned(),
            carried: todos.carried().cloned(),
            counts,
            total: counts.total(),
            plan: self.plan(stream, &head).await?,
            alerts: self.alerts(stream, &head).await?,
            lists: self.lists(stream, &fold).await?,
            as_of_seq: fold.seq(),
        })
    }

    async fn lists(&self, stream: &StreamId, fold: &Fold) -> Result<Vec<ScopeList>, EngineError> {
        let todos = fold.state::<Todos>();
        let list =
            |scope: &Scope, todos: TodoList| ScopeList { scope: scope.to_string(), kind: "todo", items: todos.0 };
        let mut lists: Vec<_> = todos.main.iter().map(|main| list(&Scope::Main, main.todos.clone())).collect();
        for agent in &todos.agents {
            let select = Select { to: agent.seq, limit: 1, ..Select::from(agent.seq) };
            let page = self.events(stream, select).await?;
            let write = page.events.first().and_then(read::<TodoWrite>);
            lists.extend(write.map(|write| list(&agent.scope, write.todos)));
        }
        Ok(lists)
    }

    async fn plan(&self, stream: &StreamId, head: &Head) -> Result<Option<PlanReport>, EngineError> {
        if !holds(head, PlanProposed::TYPE) {
            return Ok(None);
        }
        let Some(proposed) = self.last_of(stream, &[PlanProposed::TYPE], Seq::MAX).await? else { return Ok(None) };
        let decided = self.last_of(stream, &[PlanDecided::TYPE], Seq::MAX).await?;
        let decided = decided.filter(|decided| decided.seq > proposed.seq);
        let state = match decided.as_ref().and_then(read::<PlanDecided>).map(|decided| decided.decision) {
            None => "proposed",
            Some(PlanDecision::Approved) => "approved",
            Some(PlanDecision::Rejected) => "rejected",
            Some(PlanDecision::KeepPlanning) => "keep-planning",
        };
        let text = read::<PlanProposed>(&proposed).map(|proposed| proposed.text).unwrap_or_default();
        Ok(Some(PlanReport { state: state.into(), text }))
    }

    async fn alerts(&self, stream: &StreamId, head: &Head) -> Result<Vec<AlertRaised>, EngineError> {
        if !holds(head, AlertRaised::TYPE) {
            return Ok(Vec::new());
        }
        let types = Some(vec![AlertRaised::TYPE, AlertCleared::TYPE]);
        let select = Select { types, ..Select::from(0) };
        let mut open: Vec<AlertRaised> = Vec::new();
        for event in self.events(stream, select).await?.events {
            if let Some(cleared) = read::<AlertCleared>(&event) {
                open.retain(|alert| alert.alert != cleared.alert);
            } else if let Some(raised) = read::<AlertRaised>(&event) {
                open.retain(|alert| alert.alert != raised.alert);
                open.push(raised);
            }
        }
        Ok(open)
    }
}

/// Whether a stream holds events of a type: most hold neither plans nor alerts, and need not be searched for them.
fn holds(head: &Head, ty: &str) -> bool {
    head.types.iter().any(|used| used.ty == ty)
}
