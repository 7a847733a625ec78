//! The records of feeds and their conversion into rows.

use super::{Cell, RowCursor};
use crate::{
    conversation::{Conversation, Participant},
    message::{Message, MessageRef},
    redaction::{Activity, SwitchActor, SwitchRecord},
    time::Timestamp,
    vocabulary::{Alternative, VocabularyEntry},
};

/// A conversation with the service's own timestamps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRecord {
    /// The conversation.
    pub conversation: Conversation,
    /// The arrival time, by the service's clock.
    pub created_at: Timestamp,
    /// The time of the last write, by the service's clock.
    pub updated_at: Timestamp,
}

/// The kind of a vocabulary change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VocabularyChangeKind {
    /// The entry was added.
    Added,
    /// The entry was removed.
    Removed,
}

impl VocabularyChangeKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Added, Self::Removed];

    /// The word for the kind.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// One change of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyChange {
    /// The entry.
    pub entry: VocabularyEntry,
    /// The kind of the change.
    pub kind: VocabularyChangeKind,
    /// The time of the change.
    pub changed_at: Timestamp,
}

/// The source of one row of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedRecord {
    /// A row of [`Feed::Conversations`](super::Feed::Conversations).
    Conversation(Box<ConversationRecord>),
    /// A row of [`Feed::Messages`](super::Feed::Messages).
    Message(Message),
    /// A row of [`Feed::VocabularyChanges`](super::Feed::VocabularyChanges).
    VocabularyChange(Box<VocabularyChange>),
    /// A row of [`Feed::RedactionChanges`](super::Feed::RedactionChanges).
    RedactionChange(Box<SwitchRecord>),
}

impl FeedRecord {
    /// The position of the row within its period.
    #[must_use]
    pub fn cursor(&self) -> RowCursor {
        match self {
            Self::Conversation(dated) => {
                RowCursor { timestamp: dated.created_at, key: dated.conversation.id.as_str().to_owned() }
            }
            Self::Message(message) => RowCursor { timestamp: message.created_at, key: message.id.as_str().to_owned() },
            Self::VocabularyChange(change) => {
                RowCursor { timestamp: change.changed_at, key: format!("{} {}", change.entry.id, change.kind.as_str()) }
            }
            Self::RedactionChange(record) => {
                RowCursor { timestamp: record.switched_at, key: record.id.as_str().to_owned() }
            }
        }
    }

    /// The cells of the row, in the column order of the feed.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell<'_>> {
        match self {
            Self::Conversation(dated) => conversation_cells(dated),
            Self::Message(message) => message_cells(&MessageRef::from(message)).into(),
            Self::VocabularyChange(change) => vocabulary_cells(change),
            Self::RedactionChange(record) => redaction_cells(record),
        }
    }
}

fn conversation_cells(record: &ConversationRecord) -> Vec<Cell<'_>> {
    let ConversationRecord { conversation, created_at, updated_at } = record;
    let (agent_external_id, agent_name) =
        conversation.agent.as_ref().map_or((Cell::Null, Cell::Null), participant_cells);
    let (customer_external_id, customer_name) = participant_cells(&conversation.customer);
    vec![
        Cell::Text(conversation.id.as_str()),
        Cell::Text(conversation.external_id.as_str()),
        agent_external_id,
        agent_name,
        customer_external_id,
        customer_name,
        conversation.metadata.as_ref().map_or(Cell::Null, |metadata| Cell::MapOfTexts(metadata.pairs())),
        Cell::DateTime(conversation.started_at),
        Cell::DateTime(*created_at),
        Cell::DateTime(*updated_at),
    ]
}

fn participant_cells(participant: &Participant) -> (Cell<'_>, Cell<'_>) {
    let name = participant.name.as_ref().map_or(Cell::Null, |name| Cell::Text(name.as_str()));
    (Cell::Text(participant.external_id.as_str()), name)
}

pub(super) fn message_cells<'texts>(message: &MessageRef<'texts>) -> [Cell<'texts>; 7] {
    [
        Cell::Text(message.id),
        Cell::Text(message.conversation),
        Cell::Text(message.role.as_str()),
        Cell::Text(message.sender_external_id),
        Cell::Text(message.text),
        Cell::DateTime(message.sent_at),
        Cell::DateTime(message.created_at),
    ]
}

fn vocabulary_cells(change: &VocabularyChange) -> Vec<Cell<'_>> {
    let alternatives = change.entry.sounds_like.alternatives().iter();
    vec![
        Cell::Text(change.entry.id.as_str()),
        Cell::Text(change.kind.as_str()),
        Cell::Text(change.entry.phrase.as_str()),
        Cell::ListOfTexts(alternatives.map(Alternative::as_str).collect()),
        Cell::DateTime(change.changed_at),
    ]
}

fn redaction_cells(record: &SwitchRecord) -> Vec<Cell<'_>> {
    let (credential, approval) = match &record.actor {
        SwitchActor::Credential(id) => (Cell::Text(id.as_str()), None),
        SwitchActor::Embedder => (Cell::Null, None),
        SwitchActor::Approvers(approval) => (Cell::Null, Some(approval)),
    };
    let approver = |index: usize| {
        let approver = approval.and_then(|approval| approval.approvers().get(index));
        approver.map_or(Cell::Null, |approver| Cell::Text(approver.as_str()))
    };
    vec![
        Cell::Text(record.id.as_str()),
        Cell::Text(record.entity.label()),
        Cell::Boolean(record.from == Activity::On),
        Cell::Boolean(record.to == Activity::On),
        Cell::DateTime(record.switched_at),
        credential,
        approval.map_or(Cell::Null, |approval| Cell::Text(approval.reference().as_str())),
        approver(0),
        approver(1),
    ]
}
