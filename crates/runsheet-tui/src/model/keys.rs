//! What the keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::{Effect, Focus, Model, Overlay, Reader};

/// How far a page goes.
const PAGE: isize = 10;
/// The longest filter, in characters.
const MAX_FILTER: usize = 60;

impl Model {
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return vec![Effect::Quit];
        }
        if self.filtering {
            self.type_filter(key.code, control);
            return Vec::new();
        }
        if self.overlay.is_some() {
            self.read_on(key.code, control);
            return Vec::new();
        }
        match key.code {
            KeyCode::Char('q') => vec![Effect::Quit],
            KeyCode::Char('?') | KeyCode::F(1) => {
                self.overlay = Some(Overlay::Help);
                Vec::new()
            }
            KeyCode::Char('/') if self.setup.only.is_none() => {
                (self.filtering, self.focus) = (true, Focus::Sessions);
                Vec::new()
            }
            KeyCode::Char('t') => {
                if self.open.is_some() {
                    self.tall_plan = !self.tall_plan;
                    self.focus = if self.tall_plan { Focus::Plan } else { Focus::Timeline };
                }
                Vec::new()
            }
            KeyCode::Char('[') => self.scrub(false),
            KeyCode::Char(']') => self.scrub(true),
            KeyCode::Tab => self.turn_to(1),
            KeyCode::BackTab => self.turn_to(2),
            KeyCode::Esc => self.back(),
            KeyCode::Char('h') | KeyCode::Left => self.leave(),
            KeyCode::Char('l') | KeyCode::Right if self.focus == Focus::Sessions => self.enter(),
            KeyCode::Enter => self.enter(),
            code => match motion(code, control) {
                Some(Motion::By(by)) => self.step(by),
                Some(Motion::ToEnd(end)) => self.go(end),
                None => Vec::new(),
            },
        }
    }

    fn type_filter(&mut self, code: KeyCode, control: bool) {
        let mut filter = self.sessions.filter().to_owned();
        match code {
            KeyCode::Enter | KeyCode::Tab => self.filtering = false,
            KeyCode::Esc => {
                filter.clear();
                self.filtering = false;
            }
            KeyCode::Char('u') if control => filter.clear(),
            KeyCode::Backspace => {
                filter.pop();
            }
            KeyCode::Down => self.sessions.step(1),
            KeyCode::Up => self.sessions.step(-1),
            KeyCode::Char(c) if !control && filter.chars().count() < MAX_FILTER => filter.push(c),
            _ => {}
        }
        self.sessions.look_for(filter);
    }

    fn read_on(&mut self, code: KeyCode, control: bool) {
        match (&mut self.overlay, code) {
            (Some(Overlay::Reader(reader)), code) if !matches!(code, KeyCode::Enter | KeyCode::Esc) => {
                match motion(code, control) {
                    Some(Motion::By(by)) => reader.top = reader.top.saturating_add_signed(by),
                    Some(Motion::ToEnd(end)) => reader.top = if end { usize::MAX } else { 0 },
                    None if matches!(code, KeyCode::Char('q') | KeyCode::Left) => self.overlay = None,
                    None => {}
                }
            }
            _ => self.overlay = None,
        }
    }

    pub(super) fn step(&mut self, by: isize) -> Vec<Effect> {
        match (self.focus, &mut self.open) {
            (Focus::Sessions, _) => self.sessions.step(by),
            (Focus::Timeline, Some(open)) => {
                let want = open.timeline.step(by);
                return want.map(|want| Effect::History(open.session, want)).into_iter().collect();
            }
            (Focus::Plan, Some(open)) => {
                let last = open.plan().todos().map_or(0, |todos| todos.len().saturating_sub(1));
                open.item = open.item.min(last).saturating_add_signed(by).min(last);
            }
            _ => {}
        }
        Vec::new()
    }

    fn go(&mut self, end: bool) -> Vec<Effect> {
        if self.focus == Focus::Timeline
            && let Some(open) = &mut self.open
        {
            let want = open.timeline.go(end);
            return want.map(|want| Effect::History(open.session, want)).into_iter().collect();
        }
        self.step(if end { isize::MAX } else { isize::MIN })
    }

    /// Goes to the next pane, or round to the one before.
    fn turn_to(&mut self, by: usize) -> Vec<Effect> {
        if self.open.is_none() && self.sessions.selected().is_none() {
            return Vec::new();
        }
        let panes: &[Focus] = match (self.setup.only, self.tall_plan) {
            (None, false) => &[Focus::Sessions, Focus::Timeline, Focus::Plan],
            (None, true) => &[Focus::Sessions, Focus::Plan, Focus::Plan],
            (Some(_), false) => &[Focus::Timeline, Focus::Plan, Focus::Timeline],
            (Some(_), true) => &[Focus::Plan, Focus::Plan, Focus::Plan],
        };
        let at = panes.iter().position(|pane| *pane == self.focus).unwrap_or(0);
        self.focus = panes[(at + by) % panes.len()];
        Vec::new()
    }

    fn enter(&mut self) -> Vec<Effect> {
        match (self.focus, &self.open) {
            (Focus::Sessions, _) if self.sessions.selected().is_some() => {
                self.focus = if self.tall_plan { Focus::Plan } else { Focus::Timeline };
            }
            (Focus::Timeline, Some(open)) => {
                let entry = open.timeline.at().and_then(|at| open.timeline.entries().get(at));
                let details = entry.map(|entry| Effect::Details(open.session, entry.seqs().take(8).collect()));
                return details.into_iter().collect();
            }
            (Focus::Plan, Some(open)) => {
                let plan = open.plan();
                let items = plan.todos().map(|todos| &*todos.0).unwrap_or_default();
                let item = items.get(open.item.min(items.len().saturating_sub(1)));
                self.overlay = item.map(|item| Overlay::Reader(Reader::item(item)));
            }
            _ => {}
        }
        Vec::new()
    }

    /// One step back: out of the past, out of the tall plan, out of the session, out of the filter.
    fn back(&mut self) -> Vec<Effect> {
        if let Some(open) = self.open.as_mut().filter(|open| open.earlier.is_some()) {
            open.earlier = None;
        } else if self.focus != Focus::Sessions {
            return self.leave();
        } else {
            self.sessions.look_for(String::new());
        }
        Vec::new()
    }

    fn leave(&mut self) -> Vec<Effect> {
        if self.tall_plan {
            (self.tall_plan, self.focus) = (false, Focus::Timeline);
        } else if self.setup.only.is_none() {
            self.focus = Focus::Sessions;
        }
        Vec::new()
    }

    /// Looks at the list as the write before left it, or goes back towards now.
    fn scrub(&mut self, later: bool) -> Vec<Effect> {
        let Some(open) = &mut self.open else { return Vec::new() };
        let now = open.todos().and_then(|todos| todos.main.as_ref()).map(|main| main.seq);
        let from = open.earlier.as_ref().map(|earlier| earlier.event.seq).or(now);
        let Some(from) = from else { return Vec::new() };
        if later && (open.earlier.is_none() || Some(from) >= now) {
            open.earlier = None;
            return Vec::new();
        }
        vec![Effect::Write { session: open.session, from, later }]
    }
}

enum Motion {
    By(isize),
    ToEnd(bool),
}

fn motion(code: KeyCode, control: bool) -> Option<Motion> {
    Some(match code {
        KeyCode::Char('d') if control => Motion::By(PAGE),
        KeyCode::Char('u') if control => Motion::By(-PAGE),
        KeyCode::Char('j') | KeyCode::Down => Motion::By(1),
        KeyCode::Char('k') | KeyCode::Up => Motion::By(-1),
        KeyCode::PageDown | KeyCode::Char(' ') => Motion::By(PAGE),
        KeyCode::PageUp => Motion::By(-PAGE),
        KeyCode::Char('g') | KeyCode::Home => Motion::ToEnd(false),
        KeyCode::Char('G') | KeyCode::End => Motion::ToEnd(true),
        _ => return None,
    })
}
