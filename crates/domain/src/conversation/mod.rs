//! Conversations between an agent and a customer, their messages, and whole transcripts.

mod conversations;
mod exported;
mod masking;
mod message;
mod messages;
mod metadata;
mod model;
mod recent;
mod recording;
mod store;
mod stored;
mod transcript;
mod upsert;

pub use conversations::Conversations;
pub use exported::ExportMasking;
pub use masking::Masking;
pub use message::{
    Message, MessageBatch, MessagePage, MessagePosition, Neighbours, NewMessage, PageLimit, Role, Sender, UnknownRole,
};
pub use messages::Messages;
pub use metadata::{Metadata, MetadataViolation};
pub use model::{Conversation, Participant};
pub use store::{Addition, Append, ConversationStore, MessageStore, Remask, Upserted};
pub use stored::{BrokenMember, MessageRun, StoredMessage};
#[cfg(test)]
pub(crate) use stored::{broken_samples, sample};
pub use transcript::{Transcript, TranscriptSelector, Transcripts};
pub use upsert::{Change, Existing, Upsert, UpsertRefusal, UpsertRequest, decide};

#[cfg(feature = "mocks")]
pub use store::{MockConversationStore, MockMessageStore};
