//! Which feeds are produced here, in which version, and with which columns. A published version never changes: a column
//! that is added, dropped or means something else makes a new one.

use std::collections::BTreeMap;

use super::{FeedName, FeedTable, FeedVersion, Format};
use crate::time::Timestamp;

/// A feed that is produced here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feed {
    /// Conversations, each as it is when its day is written.
    Conversations,
    /// Messages, masked with what is active when their day is written.
    Messages,
    /// Entries added to the vocabulary and removed from it.
    VocabularyChanges,
    /// Switches of redaction entities.
    RedactionChanges,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Moments: RFC 3339 in UTC with `Z`; in Parquet microseconds since 1970.
    Moment,
    /// `true` and `false`.
    Flag,
    /// Lists of texts: a JSON array; in CSV and Parquet its JSON text.
    Texts,
    /// Maps of texts to texts: a JSON object; in CSV and Parquet its JSON text.
    Pairs,
}

/// A column of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in every format.
    pub name: &'static str,
    /// What its values are.
    pub kind: ColumnKind,
    /// Whether a row may have no value in it: `null` in JSON and Parquet, an empty field in CSV.
    pub nullable: bool,
    /// What its values mean.
    pub meaning: &'static str,
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'record> {
    /// No value.
    Null,
    /// A text.
    Text(&'record str),
    /// A moment.
    Moment(Timestamp),
    /// `true` or `false`.
    Flag(bool),
    /// A list of texts.
    Texts(Vec<&'record str>),
    /// A map of texts to texts.
    Pairs(&'record BTreeMap<String, String>),
}

const fn column(name: &'static str, kind: ColumnKind, meaning: &'static str) -> Column {
    Column { name, kind, nullable: false, meaning }
}

const fn optional(name: &'static str, kind: ColumnKind, meaning: &'static str) -> Column {
    Column { name, kind, nullable: true, meaning }
}

use ColumnKind::{Flag, Moment, Pairs, Text, Texts};

const CONVERSATIONS: &[Column] = &[
    column("conversationId", Text, "the service's id"),
    column("externalId", Text, "the caller's identifier"),
    optional("agentExternalId", Text, "the agent in the caller's system, where there is one"),
    optional("agentName", Text, "the agent's name"),
    column("customerExternalId", Text, "the customer in the caller's system"),
    optional("customerName", Text, "the customer's name"),
    optional("metadata", Pairs, "the caller's key-value pairs"),
    column("timestamp", Moment, "when it began, by the caller's clock"),
    column("createdTimestamp", Moment, "when it arrived, by the service's clock: its day"),
    column("updatedTimestamp", Moment, "when it was last written, by the service's clock"),
];

const MESSAGES: &[Column] = &[
    column("messageId", Text, "the service's id"),
    column("conversationId", Text, "the service's id of its conversation"),
    column("senderRole", Text, "agent, customer or system"),
    column("senderExternalId", Text, "who sent it, in the caller's system"),
    column("text", Text, "what was said, masked"),
    column("clientTimestamp", Moment, "when it was sent, by the caller's clock"),
    column("createdTimestamp", Moment, "when it arrived, by the service's clock: its day"),
];

const VOCABULARY_CHANGES: &[Column] = &[
    column("vocabularyId", Text, "the service's id of the entry"),
    column("change", Text, "added or removed"),
    column("phrase", Text, "what is to stand in the transcribed text"),
    column("soundsLike", Texts, "what is heard when the phrase is meant"),
    column("changedTimestamp", Moment, "when, by the service's clock: its day"),
];

const REDACTION_CHANGES: &[Column] = &[
    column("changeId", Text, "the service's id of the switch"),
    column("entityId", Text, "the label of the redaction entity"),
    column("wasActive", Flag, "what was in force before"),
    column("isActive", Flag, "what is in force since"),
    column("changedTimestamp", Moment, "when, by the service's clock: its day"),
    optional("credential", Text, "the API id that switched it, where the tenant did"),
    optional("reference", Text, "where the approval is filed, where the operator did"),
    optional("firstApprover", Text, "who approved"),
    optional("secondApprover", Text, "who else approved"),
];

impl Feed {
    /// Every feed, in the order in which they are produced.
    pub const ALL: [Self; 4] = [Self::Conversations, Self::Messages, Self::VocabularyChanges, Self::RedactionChanges];

    /// Its name as text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conversations => "conversations",
            Self::Messages => "messages",
            Self::VocabularyChanges => "vocabulary_changes",
            Self::RedactionChanges => "redaction_changes",
        }
    }

    /// The version of its schema that is produced.
    #[must_use]
    pub fn version_text(self) -> &'static str {
        "1"
    }

    /// Its columns.
    #[must_use]
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Conversations => CONVERSATIONS,
            Self::Messages => MESSAGES,
            Self::VocabularyChanges => VOCABULARY_CHANGES,
            Self::RedactionChanges => REDACTION_CHANGES,
        }
    }

    /// The columns that no two rows of a tenant have alike, whatever the day.
    #[must_use]
    pub fn unique_key(self) -> &'static [&'static str] {
        match self {
            Self::Conversations => &["conversationId"],
            Self::Messages => &["messageId"],
            Self::VocabularyChanges => &["vocabularyId", "change"],
            Self::RedactionChanges => &["changeId"],
        }
    }

    /// What its rows are.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Conversations => "the conversations that arrived on the day, each as it is when the day is written",
            Self::Messages => {
                "the messages that arrived on the day, masked with what is active when the day is written"
            }
            Self::VocabularyChanges => "the entries that were added to the vocabulary or removed from it on the day",
            Self::RedactionChanges => "the redaction entities that were switched on the day",
        }
    }

    /// The feed of this name, where it is one that is produced here.
    #[must_use]
    pub fn find(name: &FeedName) -> Option<Self> {
        Self::ALL.into_iter().find(|feed| feed.as_str() == name.as_str())
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> FeedName {
        FeedName::of(self.as_str())
    }

    /// Its version.
    #[must_use]
    pub fn version(self) -> FeedVersion {
        FeedVersion::of(self.version_text())
    }

    /// Where its files of a format are.
    #[must_use]
    pub fn table(self, format: Format) -> FeedTable {
        FeedTable { feed: self.name(), version: self.version(), format: format.name() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_what_is_produced_are_names() {
        for feed in Feed::ALL {
            assert_eq!(FeedName::parse(feed.as_str()), Ok(feed.name()));
            assert_eq!(FeedVersion::parse(feed.version_text()), Ok(feed.version()));
            assert_eq!(Feed::find(&feed.name()), Some(feed));
        }
    }

    #[test]
    fn a_unique_key_is_of_columns_that_always_have_a_value() {
        for feed in Feed::ALL {
            for key in feed.unique_key() {
                assert!(feed.columns().iter().any(|column| column.name == *key && !column.nullable), "{key}");
            }
        }
    }
}
