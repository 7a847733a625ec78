//! What is put into feeds, and as which row.

use super::{Cell, Row, RowPlace};
use crate::{
    conversation::{Conversation, Message, Participant},
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
    pub fn into_row(self) -> Row {
        match self {
            Self::Conversation(dated) => conversation_row(*dated),
            Self::Message(message) => message_row(message),
            Self::VocabularyChange(change) => vocabulary_row(&change),
            Self::RedactionChange(record) => redaction_row(&record),
        }
    }
}

fn conversation_row(dated: DatedConversation) -> Row {
    let DatedConversation { conversation, created_at, updated_at } = dated;
    let (agent_external_id, agent_name) = conversation.agent.map_or((Cell::Null, Cell::Null), participant_cells);
    let (customer_external_id, customer_name) = participant_cells(conversation.customer);
    vec![
        Cell::Shared(conversation.id.into_shared()),
        Cell::Text(conversation.external_id.into_string()),
        agent_external_id,
        agent_name,
        customer_external_id,
        customer_name,
        conversation.metadata.map_or(Cell::Null, |metadata| Cell::Pairs(metadata.into_pairs())),
        Cell::Moment(conversation.started_at),
        Cell::Moment(created_at),
        Cell::Moment(updated_at),
    ]
}

fn participant_cells(participant: Participant) -> (Cell, Cell) {
    let name = participant.name.map_or(Cell::Null, |name| Cell::Text(name.into_string()));
    (Cell::Text(participant.external_id.into_string()), name)
}

fn message_row(message: Message) -> Row {
    vec![
        Cell::Shared(message.id.into_shared()),
        Cell::Shared(message.conversation.into_shared()),
        Cell::Word(message.sender.role.as_str()),
        Cell::Text(message.sender.external_id.into_string()),
        Cell::Text(message.text.into_string()),
        Cell::Moment(message.sent_at),
        Cell::Moment(message.created_at),
    ]
}

fn vocabulary_row(change: &VocabularyChange) -> Row {
    let alternatives = change.entry.sounds_like.alternatives().iter();
    vec![
        Cell::Text(change.entry.id.as_str().to_owned()),
        Cell::Word(change.kind.as_str()),
        Cell::Text(change.entry.phrase.as_str().to_owned()),
        Cell::Texts(alternatives.map(Alternative::as_str).map(ToOwned::to_owned).collect()),
        Cell::Moment(change.at),
    ]
}

fn redaction_row(record: &SwitchRecord) -> Row {
    let text = |text: &str| Cell::Text(text.to_owned());
    let (credential, approval) = match &record.by {
        SwitchedBy::Credential(id) => (text(id.as_str()), None),
        SwitchedBy::Embedder => (Cell::Null, None),
        SwitchedBy::Approvers(approval) => (Cell::Null, Some(approval)),
    };
    let approver = |place: usize| {
        let named = approval.and_then(|approval| approval.approvers().get(place));
        named.map_or(Cell::Null, |approver| text(approver.as_str()))
    };
    vec![
        text(record.id.as_str()),
        Cell::Word(record.entity.label()),
        Cell::Flag(record.from == Activity::On),
        Cell::Flag(record.to == Activity::On),
        Cell::Moment(record.at),
        credential,
        approval.map_or(Cell::Null, |approval| text(approval.reference().as_str())),
        approver(0),
        approver(1),
    ]
}
