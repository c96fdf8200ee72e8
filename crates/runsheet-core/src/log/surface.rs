//! What the model sees of a log.

use serde::{Deserialize, Serialize};

use super::{
    compaction::{CompactionEnd, RolledBack},
    event::{Recorded, Seq},
    message::{AssistantMessage, Block, ContentBlock, NoteModel, UserMessage},
    tool::{Scope, ToolResult},
    vocabulary::{EventData, read},
};

/// One message of the model's past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The event it comes from.
    pub seq: Seq,
    /// Who speaks and what they say.
    #[serde(flatten)]
    pub role: Role,
}

/// Who speaks in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Role {
    /// A person.
    User {
        /// What they say.
        content: Vec<ContentBlock>,
    },
    /// The model.
    Assistant {
        /// What it says and calls.
        content: Vec<Block>,
    },
    /// A tool.
    Tool {
        /// The call answered.
        call_id: String,
        /// The answer.
        content: Vec<ContentBlock>,
        /// Whether the call failed.
        is_error: bool,
    },
    /// A discipline.
    Note {
        /// What it says.
        text: String,
    },
    /// A compaction's summary, in place of what it replaced.
    Summary {
        /// The summary.
        text: String,
        /// The open todo items given back.
        carried: Option<String>,
    },
}

/// The messages of a session as the model sees them now: the fold of the surface types. Other types add nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// In the order the model would see them, the replaced ones too: they come back when their summary is rolled back.
    /// One flat list, however many summaries stand for each other.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    message: Message,
    /// Where in the log it stands: its own event, or the beginning of what it summarises.
    place: Seq,
    /// The summary that stands for it.
    replaced_by: Option<Seq>,
}

impl Node {
    const fn is_visible(&self) -> bool {
        self.replaced_by.is_none()
    }
}

impl Surface {
    /// The types that reach the surface or change it.
    pub const TYPES: &'static [&'static str] = &[
        UserMessage::TYPE,
        AssistantMessage::TYPE,
        NoteModel::TYPE,
        ToolResult::TYPE,
        CompactionEnd::TYPE,
        RolledBack::TYPE,
    ];

    /// Folds one event; says whether the messages changed.
    pub fn apply(&mut self, event: &Recorded) -> bool {
        let role = match &*event.ty {
            UserMessage::TYPE => read::<UserMessage>(event).map(|user| Role::User { content: user.content }),
            AssistantMessage::TYPE => read::<AssistantMessage>(event)
                .filter(|assistant| !assistant.content.is_empty())
                .map(|assistant| Role::Assistant { content: assistant.content }),
            NoteModel::TYPE => read::<NoteModel>(event).map(|note| Role::Note { text: note.text }),
            // A sub-agent's results are the sub-agent's past.
            ToolResult::TYPE => read::<ToolResult>(event).filter(|result| result.scope == Scope::Main).map(|result| {
                Role::Tool { call_id: result.call_id, content: result.content, is_error: result.is_error }
            }),
            CompactionEnd::TYPE => return read(event).is_some_and(|end| self.compact(event.seq, end)),
            RolledBack::TYPE => return read::<RolledBack>(event).is_some_and(|back| self.roll_back(back.to_seq)),
            _ => None,
        };
        let Some(role) = role else { return false };
        let seq = event.seq;
        self.nodes.push(Node { message: Message { seq, role }, place: seq, replaced_by: None });
        true
    }

    fn compact(&mut self, seq: Seq, end: CompactionEnd) -> bool {
        let (Some(range), Some(text)) = (end.replaced, end.summary) else { return false };
        let mut at = None;
        for (index, node) in self.nodes.iter_mut().enumerate() {
            if node.is_visible() && (range.first..=range.last).contains(&node.message.seq) {
                node.replaced_by = Some(seq);
                at.get_or_insert(index);
            }
        }
        // Where the range would begin, when none of it is here: the fold began after it.
        let at = at
            .or_else(|| self.nodes.iter().position(|node| node.is_visible() && node.place >= range.first))
            .unwrap_or(self.nodes.len());
        let role = Role::Summary { text, carried: end.carried };
        self.nodes.insert(at, Node { message: Message { seq, role }, place: range.first, replaced_by: None });
        true
    }

    fn roll_back(&mut self, to: Seq) -> bool {
        // Whatever is replaced was so by a later message, so a change always shows.
        let changed = self.messages().any(|message| message.seq > to);
        self.nodes.retain(|node| node.message.seq <= to);
        for node in &mut self.nodes {
            node.replaced_by = node.replaced_by.filter(|summary| *summary <= to);
        }
        changed
    }

    /// The messages, in the order the model sees them.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.nodes.iter().filter(|node| node.is_visible()).map(|node| &node.message)
    }
}

/// The messages of a log.
#[must_use]
pub fn derive_messages<'a>(events: impl IntoIterator<Item = &'a Recorded>) -> Vec<Message> {
    let mut surface = Surface::default();
    for event in events {
        surface.apply(event);
    }
    surface.nodes.into_iter().filter(Node::is_visible).map(|node| node.message).collect()
}
