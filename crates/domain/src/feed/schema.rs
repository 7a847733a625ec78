//! The feeds that the service produces, with their versions and columns. A published version never changes: a column
//! that is added, dropped or given another meaning makes a new version.

use std::collections::BTreeMap;

use super::{Dataset, FeedName, FeedVersion, FileFormat};
use crate::time::Timestamp;

/// A feed that the service produces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feed {
    /// Conversations, each in its state when the day is written.
    Conversations,
    /// Messages, masked with the entities that are active when the day is written.
    Messages,
    /// Entries that were added to the vocabulary or removed from it.
    VocabularyChanges,
    /// Switches of redaction entities.
    RedactionChanges,
}

/// The type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Timestamps: RFC 3339 in UTC with `Z`; in Parquet microseconds since 1970-01-01.
    DateTime,
    /// `true` and `false`.
    Boolean,
    /// Lists of texts: a JSON array. CSV and Parquet hold the array as JSON text.
    ListOfTexts,
    /// Maps of texts to texts: a JSON object. CSV and Parquet hold the object as JSON text.
    MapOfTexts,
}

/// A column of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name of the column in every format.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnKind,
    /// Whether a row may lack a value: `null` in JSON and Parquet, an empty field in CSV.
    pub nullable: bool,
    /// The meaning of its values, for readers.
    pub description: &'static str,
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'record> {
    /// No value.
    Null,
    /// A text.
    Text(&'record str),
    /// A timestamp.
    DateTime(Timestamp),
    /// `true` or `false`.
    Boolean(bool),
    /// A list of texts.
    ListOfTexts(Vec<&'record str>),
    /// A map of texts to texts.
    MapOfTexts(&'record BTreeMap<String, String>),
}

const fn column(name: &'static str, kind: ColumnKind, description: &'static str) -> Column {
    Column { name, kind, nullable: false, description }
}

const fn optional(name: &'static str, kind: ColumnKind, description: &'static str) -> Column {
    Column { name, kind, nullable: true, description }
}

use ColumnKind::{Boolean, DateTime, ListOfTexts, MapOfTexts, Text};

const CONVERSATIONS: &[Column] = &[
    column("conversationId", Text, "the service's id"),
    column("externalId", Text, "the caller's identifier"),
    optional("agentExternalId", Text, "the agent in the caller's system, if there is one"),
    optional("agentName", Text, "the agent's name"),
    column("customerExternalId", Text, "the customer in the caller's system"),
    optional("customerName", Text, "the customer's name"),
    optional("metadata", MapOfTexts, "the caller's key-value pairs"),
    column("timestamp", DateTime, "start of the conversation, by the caller's clock"),
    column("createdTimestamp", DateTime, "arrival time, by the service's clock; determines the day"),
    column("updatedTimestamp", DateTime, "time of the last write, by the service's clock"),
];

const MESSAGES: &[Column] = &[
    column("messageId", Text, "the service's id"),
    column("conversationId", Text, "the service's id of the conversation"),
    column("senderRole", Text, "agent, customer or system"),
    column("senderExternalId", Text, "the sender in the caller's system"),
    column("text", Text, "the message text, masked"),
    column("clientTimestamp", DateTime, "sending time, by the caller's clock"),
    column("createdTimestamp", DateTime, "arrival time, by the service's clock; determines the day"),
];

const VOCABULARY_CHANGES: &[Column] = &[
    column("vocabularyId", Text, "the service's id of the entry"),
    column("change", Text, "added or removed"),
    column("phrase", Text, "the text that a transcript should contain"),
    column("soundsLike", ListOfTexts, "texts that the phrase may sound like"),
    column("changedTimestamp", DateTime, "time of the change, by the service's clock; determines the day"),
];

const REDACTION_CHANGES: &[Column] = &[
    column("changeId", Text, "the service's id of the switch"),
    column("entityId", Text, "the label of the redaction entity"),
    column("wasActive", Boolean, "whether the entity was active before the switch"),
    column("isActive", Boolean, "whether the entity is active after the switch"),
    column("changedTimestamp", DateTime, "time of the change, by the service's clock; determines the day"),
    optional("credential", Text, "the API id of the credential, if the tenant switched the entity"),
    optional("reference", Text, "the reference of the approval, if the operator switched the entity"),
    optional("firstApprover", Text, "the first approver"),
    optional("secondApprover", Text, "the second approver"),
];

impl Feed {
    /// Every feed, in the order of production.
    pub const ALL: [Self; 4] = [Self::Conversations, Self::Messages, Self::VocabularyChanges, Self::RedactionChanges];

    /// The name of the feed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conversations => "conversations",
            Self::Messages => "messages",
            Self::VocabularyChanges => "vocabulary_changes",
            Self::RedactionChanges => "redaction_changes",
        }
    }

    /// The schema version that the service produces.
    #[must_use]
    pub fn version_text(self) -> &'static str {
        "1"
    }

    /// The columns of the feed.
    #[must_use]
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Conversations => CONVERSATIONS,
            Self::Messages => MESSAGES,
            Self::VocabularyChanges => VOCABULARY_CHANGES,
            Self::RedactionChanges => REDACTION_CHANGES,
        }
    }

    /// The columns whose values together are unique among all rows of a tenant, across all days.
    #[must_use]
    pub fn unique_key(self) -> &'static [&'static str] {
        match self {
            Self::Conversations => &["conversationId"],
            Self::Messages => &["messageId"],
            Self::VocabularyChanges => &["vocabularyId", "change"],
            Self::RedactionChanges => &["changeId"],
        }
    }

    /// The meaning of the rows, for readers.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Conversations => {
                "the conversations that arrived on the day, each in its state when the day is written"
            }
            Self::Messages => {
                "the messages that arrived on the day, masked with the entities that are active when the day is written"
            }
            Self::VocabularyChanges => "the vocabulary entries that were added or removed on the day",
            Self::RedactionChanges => "the redaction entities that were switched on the day",
        }
    }

    /// The feed with this name, if the service produces it.
    #[must_use]
    pub fn from_name(name: &FeedName) -> Option<Self> {
        Self::ALL.into_iter().find(|feed| feed.as_str() == name.as_str())
    }

    /// The name of the feed as a path segment.
    #[must_use]
    pub fn name(self) -> FeedName {
        FeedName::new_unchecked(self.as_str())
    }

    /// The schema version as a path segment.
    #[must_use]
    pub fn version(self) -> FeedVersion {
        FeedVersion::new_unchecked(self.version_text())
    }

    /// The dataset of the feed in a format.
    #[must_use]
    pub fn dataset(self, format: FileFormat) -> Dataset {
        Dataset { feed: self.name(), version: self.version(), format: format.name() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_and_versions_of_produced_feeds_are_valid() {
        for feed in Feed::ALL {
            assert_eq!(FeedName::parse(feed.as_str()), Ok(feed.name()));
            assert_eq!(FeedVersion::parse(feed.version_text()), Ok(feed.version()));
            assert_eq!(Feed::from_name(&feed.name()), Some(feed));
        }
    }

    #[test]
    fn a_unique_key_has_only_columns_that_always_have_a_value() {
        for feed in Feed::ALL {
            for key in feed.unique_key() {
                assert!(feed.columns().iter().any(|column| column.name == *key && !column.nullable), "{key}");
            }
        }
    }
}
