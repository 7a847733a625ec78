//! What is put into feeds, and as which row.

use super::{Cell, RowPlace};
use crate::{
    conversation::{Conversation, Message, Participant, StoredMessage},
    redaction::{Activity, SwitchRecord, SwitchedBy},
    time::Timestamp,
    vocabulary::{Alternative, Vocabulary},
};

/// A conversation with the service's own times of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedConversation {
    /// The conversation.
    pub conversation: Conversation,
    /// When it arrived.
    pub created_at: Timestamp,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// What became of an entry of a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VocabularyChangeKind {
    /// It was added.
    Added,
    /// It was removed.
    Removed,
}

impl VocabularyChangeKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Added, Self::Removed];

    /// The kind's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// A change of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyChange {
    /// The entry.
    pub entry: Vocabulary,
    /// What became of it.
    pub kind: VocabularyChangeKind,
    /// When.
    pub at: Timestamp,
}

/// What one row of a feed is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Of [`Feed::Conversations`](super::Feed::Conversations).
    Conversation(Box<DatedConversation>),
    /// Of [`Feed::Messages`](super::Feed::Messages).
    Message(Message),
    /// Of [`Feed::VocabularyChanges`](super::Feed::VocabularyChanges).
    VocabularyChange(Box<VocabularyChange>),
    /// Of [`Feed::RedactionChanges`](super::Feed::RedactionChanges).
    RedactionChange(Box<SwitchRecord>),
}

impl Record {
    /// Where it stands among the rows of its day.
    #[must_use]
    pub fn place(&self) -> RowPlace {
        match self {
            Self::Conversation(dated) => {
                RowPlace { at: dated.created_at, key: dated.conversation.id.as_str().to_owned() }
            }
            Self::Message(message) => RowPlace { at: message.created_at, key: message.id.as_str().to_owned() },
            Self::VocabularyChange(change) => {
                RowPlace { at: change.at, key: format!("{} {}", change.entry.id, change.kind.as_str()) }
            }
            Self::RedactionChange(record) => RowPlace { at: record.at, key: record.id.as_str().to_owned() },
        }
    }

    /// Its values, in the order of the feed's columns.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell<'_>> {
        match self {
            Self::Conversation(dated) => conversation_cells(dated),
            Self::Message(message) => message_cells(&StoredMessage::from(message)).into(),
            Self::VocabularyChange(change) => vocabulary_cells(change),
            Self::RedactionChange(record) => redaction_cells(record),
        }
    }
}

fn conversation_cells(dated: &DatedConversation) -> Vec<Cell<'_>> {
    let DatedConversation { conversation, created_at, updated_at } = dated;
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
        conversation.metadata.as_ref().map_or(Cell::Null, |metadata| Cell::Pairs(metadata.pairs())),
        Cell::Moment(conversation.started_at),
        Cell::Moment(*created_at),
        Cell::Moment(*updated_at),
    ]
}

fn participant_cells(participant: &Participant) -> (Cell<'_>, Cell<'_>) {
    let name = participant.name.as_ref().map_or(Cell::Null, |name| Cell::Text(name.as_str()));
    (Cell::Text(participant.external_id.as_str()), name)
}

pub(super) fn message_cells<'texts>(message: &StoredMessage<'texts>) -> [Cell<'texts>; 7] {
    [
        Cell::Text(message.id),
        Cell::Text(message.conversation),
        Cell::Text(message.role.as_str()),
        Cell::Text(message.sender_external_id),
        Cell::Text(message.text),
        Cell::Moment(message.sent_at),
        Cell::Moment(message.created_at),
    ]
}

fn vocabulary_cells(change: &VocabularyChange) -> Vec<Cell<'_>> {
    let alternatives = change.entry.sounds_like.alternatives().iter();
    vec![
        Cell::Text(change.entry.id.as_str()),
        Cell::Text(change.kind.as_str()),
        Cell::Text(change.entry.phrase.as_str()),
        Cell::Texts(alternatives.map(Alternative::as_str).collect()),
        Cell::Moment(change.at),
    ]
}

fn redaction_cells(record: &SwitchRecord) -> Vec<Cell<'_>> {
    let (credential, approval) = match &record.by {
        SwitchedBy::Credential(id) => (Cell::Text(id.as_str()), None),
        SwitchedBy::Embedder => (Cell::Null, None),
        SwitchedBy::Approvers(approval) => (Cell::Null, Some(approval)),
    };
    let approver = |place: usize| {
        let named = approval.and_then(|approval| approval.approvers().get(place));
        named.map_or(Cell::Null, |approver| Cell::Text(approver.as_str()))
    };
    vec![
        Cell::Text(record.id.as_str()),
        Cell::Text(record.entity.label()),
        Cell::Flag(record.from == Activity::On),
        Cell::Flag(record.to == Activity::On),
        Cell::Moment(record.at),
        credential,
        approval.map_or(Cell::Null, |approval| Cell::Text(approval.reference().as_str())),
        approver(0),
        approver(1),
    ]
}
