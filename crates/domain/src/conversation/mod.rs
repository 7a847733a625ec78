//! Conversations between an agent and a customer: the model, the upsert rule, the use cases and the store port.

mod conversations;
mod criteria;
mod error;
mod field_redaction;
mod import;
mod index_choice;
mod metadata;
mod model;
mod page;
mod store;
mod upsert;

pub use conversations::Conversations;
pub use criteria::{ConversationCriteria, EmptyPeriod, MetadataCriteria, Period};
pub use error::{FindConversationError, ListConversationsError, UpsertError};
pub use field_redaction::{FieldRedaction, MaskedFields};
pub use import::ImportedAs;
pub(crate) use import::{ImportWrite, ImportedConversation, PreparedImport};
pub use index_choice::ConversationIndex;
pub use metadata::{Metadata, MetadataViolation};
pub use model::{Conversation, Participant};
pub use page::{
    ConversationCursor, ConversationPage, ConversationPageLimit, ConversationPosition, ConversationQuery,
    ListConversations, ListedConversations,
};
pub use store::{ConversationStore, UpsertOutcome};
pub use upsert::{Change, Upsert, UpsertLookup, UpsertRefusal, UpsertRequest, decide};

#[cfg(feature = "mocks")]
pub use store::MockConversationStore;
