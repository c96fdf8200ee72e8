//! What the model sees of a log.

use serde::{Deserialize, Serialize};

use super::{
    compaction::{CompactionEnd, RolledBack},
    event::{Recorded, Seq},
    message::{AssistantMessage, Block, ContentBlock, NoteModel, UserMessage},
    tool::ToolResult,
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
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    message: Message,
    /// What a summary stands for: it comes back when the summary is rolled back.
    replaced: Vec<Node>,
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
            ToolResult::TYPE => read::<ToolResult>(event).map(|result| Role::Tool {
                call_id: result.call_id,
                content: result.content,
                is_error: result.is_error,
            }),
            CompactionEnd::TYPE => return read(event).is_some_and(|end| self.compact(event.seq, end)),
            RolledBack::TYPE => return read::<RolledBack>(event).is_some_and(|back| self.roll_back(back.to_seq)),
            _ => None,
        };
        let Some(role) = role else { return false };
        self.nodes.push(Node { message: Message { seq: event.seq, role }, replaced: Vec::new() });
        true
    }

    fn compact(&mut self, seq: Seq, end: CompactionEnd) -> bool {
        let (Some(range), Some(text)) = (end.replaced, end.summary) else { return false };
        let inside = |node: &Node| (range.first..=range.last).contains(&node.message.seq);
        // The place is where the range would begin, also when the fold began after it and holds none of it.
        let at = self.nodes.iter().position(|node| node.message.seq >= range.first).unwrap_or(self.nodes.len());
        let (replaced, kept) = std::mem::take(&mut self.nodes).into_iter().partition(inside);
        self.nodes = kept;
        let role = Role::Summary { text, carried: end.carried };
        self.nodes.insert(at, Node { message: Message { seq, role }, replaced });
        true
    }

    fn roll_back(&mut self, to: Seq) -> bool {
        let before = self.nodes.len();
        let mut kept = Vec::with_capacity(before);
        // The stack holds what is left to look at, next on top: a summary rolled back gives way to what it replaced.
        let mut rest: Vec<Node> = std::mem::take(&mut self.nodes).into_iter().rev().collect();
        let mut changed = false;
        while let Some(node) = rest.pop() {
            if node.message.seq <= to {
                kept.push(node);
            } else {
                changed = true;
                rest.extend(node.replaced.into_iter().rev());
            }
        }
        self.nodes = kept;
        changed
    }

    /// The messages, in the order the model sees them.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.nodes.iter().map(|node| &node.message)
    }
}

/// The messages of a log.
#[must_use]
pub fn derive_messages<'a>(events: impl IntoIterator<Item = &'a Recorded>) -> Vec<Message> {
    let mut surface = Surface::default();
    for event in events {
        surface.apply(event);
    }
    surface.nodes.into_iter().map(|node| node.message).collect()
}
