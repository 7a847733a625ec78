//! Conversations between an agent and a customer: the model, the upsert rule, the use cases and the store port.

mod conversations;
mod error;
mod field_redaction;
mod import;
mod metadata;
mod model;
mod store;
mod upsert;

pub use conversations::Conversations;
pub use error::{FindConversationError, UpsertError};
pub use field_redaction::{FieldRedaction, MaskedFields};
pub use import::ImportedAs;
pub(crate) use import::{ImportWrite, ImportedConversation};
pub use metadata::{Metadata, MetadataViolation};
pub use model::{Conversation, Participant};
pub use store::{ConversationStore, UpsertOutcome};
pub use upsert::{Change, Upsert, UpsertLookup, UpsertRefusal, UpsertRequest, decide};

#[cfg(feature = "mocks")]
pub use store::MockConversationStore;
