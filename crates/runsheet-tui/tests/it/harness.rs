//! Sessions made of events, and what a model of them shows.

use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};
use runsheet_core::{
    log::{
        Agent, AssistantMessage, Block, ContentBlock, EndReason, EventData, EventId, FORMAT, Ownership, Recorded,
        Scope, SessionCreated, Source, Time, ToolCall, ToolFacts, ToolResult, TurnEnd, TurnStart, UserMessage,
    },
    projection::{Catalogue, Fold, UNITS},
    todo::{Author, ListLifetime, Policy, Status, TodoItem, TodoList, TodoWrite},
    vocabulary,
};
use runsheet_engine::escape;
use runsheet_tui::{Effect, Event, Model, Part, Row, Setup, Want, draw};
use uuid::Uuid;

/// The time it is in every test.
pub(crate) const NOW: Time = Time::from_ms(1_800_000_000_000);

/// A session, event by event.
pub(crate) struct Story {
    pub(crate) session: Uuid,
    pub(crate) events: Vec<Recorded>,
    /// How long before now the next event is written.
    pub(crate) ago_s: i64,
    calls: u64,
}

impl Story {
    /// A session of an agent in a folder.
    pub(crate) fn new(number: u128, agent: &str, cwd: Option<&str>) -> Self {
        let mut story =
            Self { session: Uuid::new_v8((number << 96).to_be_bytes()), events: Vec::new(), ago_s: 600, calls: 0 };
        story.with_header(agent, cwd, Some("dsh"));
        story
    }

    /// A session of an agent that has no todo tool of ours.
    pub(crate) fn without_tool(number: u128, agent: &str) -> Self {
        let mut story = Self::new(number, agent, None);
        story.events.clear();
        story.with_header(agent, None, None);
        story
    }

    fn with_header(&mut self, agent: &str, cwd: Option<&str>, dialect: Option<&str>) {
        let header = SessionCreated {
            format: FORMAT,
            cwd: cwd.map(Into::into),
            agent: Agent { name: agent.into(), version: Some("1.2".into()), dialect: dialect.map(Into::into) },
            parent: None,
            source: Source { kind: "mcp".into(), native: None },
            lifecycle: Ownership::Observed,
        };
        self.event(&header);
    }

    pub(crate) fn event<T: EventData>(&mut self, data: &T) -> &mut Self {
        let seq = self.events.len() as u64;
        let time = Time::from_ms(NOW.as_ms() - self.ago_s * 1_000);
        let id = EventId::new(Uuid::from_u128(u128::from(seq) + 1));
        self.events.push(vocabulary().event(id, time, data).at(seq));
        self
    }

    /// From here on, events are this old.
    pub(crate) fn ago(&mut self, seconds: i64) -> &mut Self {
        self.ago_s = seconds;
        self
    }

    pub(crate) fn turn(&mut self, turn: u64) -> &mut Self {
        self.event(&TurnStart { turn, key: None, implicit: false })
    }

    pub(crate) fn ends(&mut self, turn: u64) -> &mut Self {
        self.event(&TurnEnd { turn, reason: EndReason::Completed })
    }

    pub(crate) fn asks(&mut self, text: &str) -> &mut Self {
        self.event(&UserMessage { content: vec![ContentBlock::text(text)] })
    }

    pub(crate) fn says(&mut self, text: &str) -> &mut Self {
        let content = vec![Block::Text { text: text.into() }];
        self.event(&AssistantMessage { content, model: None, usage: None, interrupted: false })
    }

    pub(crate) fn runs(&mut self, tool: &str, arguments: &str) -> &mut Self {
        self.calls += 1;
        self.called(tool, arguments, Scope::Main)
    }

    fn called(&mut self, tool: &str, arguments: &str, scope: Scope) -> &mut Self {
        let call_id = self.calls.to_string();
        self.event(&ToolCall { call_id, name: tool.into(), arguments: arguments.into(), scope, late: false })
    }

    pub(crate) fn gives(&mut self, text: &str, exit: Option<i64>, failed: bool) -> &mut Self {
        self.resulted(text, exit, failed, Scope::Main)
    }

    fn resulted(&mut self, text: &str, exit: Option<i64>, failed: bool, scope: Scope) -> &mut Self {
        self.event(&ToolResult {
            call_id: self.calls.to_string(),
            content: vec![ContentBlock::text(text)],
            is_error: failed,
            facts: exit.map(|exit| ToolFacts::from_iter([("exitCode".to_owned(), exit.into())])),
            scope,
            late: false,
            unpaired: false,
        })
    }

    /// A list, as a call writes it: `done: read`, `runs: write`, `open: test`, `gone: think`.
    pub(crate) fn plans(&mut self, items: &[&str]) -> &mut Self {
        self.writes(Scope::Main, Author::Model, ListLifetime::Turn, items)
    }

    pub(crate) fn writes(&mut self, scope: Scope, author: Author, lifetime: ListLifetime, items: &[&str]) -> &mut Self {
        self.calls += 1;
        let by_call = author == Author::Model;
        if by_call {
            self.called("todo_write", "{}", scope.clone());
        }
        let call_id = by_call.then(|| self.calls.to_string());
        self.event(&TodoWrite {
            scope: scope.clone(),
            todos: list(items),
            author,
            call_id,
            dialect: "dsh".into(),
            lifetime,
            policy: Policy { allow_parallel_in_progress: true },
            explanation: None,
            late: false,
        });
        if by_call {
            self.resulted("Updated todo list.", None, false, scope);
        }
        self
    }

    pub(crate) fn fold(&self) -> Fold {
        let mut fold = Fold::new(UNITS);
        for event in &self.events {
            fold.apply(event);
        }
        fold
    }

    pub(crate) fn row(&self) -> Row {
        Row::new(self.session, self.fold().state::<Catalogue>(), false)
    }

    /// All of it, as it is read when it is opened.
    pub(crate) fn part(&self) -> Part {
        Part { events: self.events.clone(), before: None, from_start: true, to_end: true }
    }
}

pub(crate) fn list(items: &[&str]) -> TodoList {
    let item = |text: &&str| {
        let (status, content) = text.split_once(": ").unwrap();
        let status = match status {
            "done" => Status::Completed,
            "runs" => Status::InProgress,
            "gone" => Status::Cancelled,
            _ => Status::Pending,
        };
        TodoItem::new(content, status)
    };
    TodoList(items.iter().map(item).collect())
}

/// A model that has read these sessions; the first is selected.
pub(crate) fn model(stories: &[&Story], size: (u16, u16)) -> Model {
    with(
        Setup { connect: vec!["Codex  codex mcp add runsheet -- runsheet mcp".into()], ..Setup::default() },
        stories,
        size,
    )
}

pub(crate) fn with(setup: Setup, stories: &[&Story], size: (u16, u16)) -> Model {
    let (mut model, effects) = Model::new(setup, NOW, size);
    answer(&mut model, stories, effects);
    model
}

/// Gives the model what it asks for, as the feed does.
pub(crate) fn answer(model: &mut Model, stories: &[&Story], effects: Vec<Effect>) {
    let mut wanted = effects;
    while let Some(effect) = wanted.pop() {
        let story = |session| stories.iter().find(|story| story.session == session).unwrap();
        match effect {
            Effect::List => {
                let rows = stories.iter().map(|story| story.row()).collect();
                wanted.extend(model.update(Event::Listed(rows, false)));
            }
            Effect::Open(session) => {
                wanted.extend(model.update(Event::Folded(session, Box::new(story(session).fold()))));
                wanted.extend(model.update(Event::History(session, Want::End, story(session).part())));
            }
            Effect::Details(session, seqs) => {
                let events = &story(session).events;
                let details = events.iter().filter(|event| seqs.contains(&event.seq)).cloned().collect();
                wanted.extend(model.update(Event::Details(details)));
            }
            Effect::Write { session, from, later } => {
                let mut lists = story(session).events.iter().filter(|event| runsheet_tui::is_main_list(event));
                let found = if later {
                    lists.find(|event| event.seq > from).cloned()
                } else {
                    lists.rev().find(|event| event.seq < from).cloned()
                };
                wanted.extend(model.update(Event::Write(session, found)));
            }
            _ => {}
        }
    }
}

/// Presses keys: single characters, and names for the others.
pub(crate) fn press(model: &mut Model, stories: &[&Story], keys: &str) -> Vec<Effect> {
    let mut last = Vec::new();
    for key in keys.split(' ') {
        let code = match key {
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "tab" => KeyCode::Tab,
            "down" => KeyCode::Down,
            "backspace" => KeyCode::Backspace,
            key => KeyCode::Char(key.chars().next().unwrap()),
        };
        last = model.update(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        answer(model, stories, last.clone());
    }
    last
}

/// What is drawn.
pub(crate) fn buffer(model: &Model) -> Buffer {
    let (width, height) = model.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(model, frame.area(), frame.buffer_mut())).unwrap();
    terminal.backend().buffer().clone()
}

/// What is drawn, as text; blanks at line ends are left out.
pub(crate) fn screen(model: &Model) -> String {
    let buffer = buffer(model);
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let (mut line, mut x) = (String::new(), 0);
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(escape::width(symbol)).unwrap().max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Compares what a model shows with a snapshot.
macro_rules! check {
    ($model:expr, @$expected:literal) => {
        insta::assert_snapshot!($crate::harness::screen(&$model), @$expected)
    };
}
pub(crate) use check;
