//! Messages of conversations: the model, the use cases, redaction, transcripts and the store port.

mod append;
mod earlier_spans;
mod error;
mod export_redaction;
mod import;
mod masked_message;
mod message_ref;
mod messages;
mod model;
mod new_message;
mod number_run;
mod preview;
mod recent_cache;
mod redaction;
mod redactions;
mod store;
mod stored_copies;
mod transcript;
mod transcripts;

pub use error::{AppendError, FindMessageError, ReadMessagesError};
pub use export_redaction::ExportRedaction;
pub use import::ImportDay;
pub use message_ref::{InvalidMember, MessageArena, MessageRef};
#[cfg(test)]
pub(crate) use message_ref::{invalid_samples, sample};
pub use messages::Messages;
pub use model::{Message, MessagePage, MessagePosition, Neighbours, PageLimit, Role, Sender, UnknownRole};
pub use new_message::{MessageBatch, NewMessage};
pub use preview::{PreviewMessage, PreviewMessages, PreviewedText, RedactionPreview};
pub use redaction::MessageRedaction;
pub use redactions::Redactions;
pub use store::{AppendBatch, AppendOutcome, MaskUpdate, MessageStore};
pub use transcript::Transcript;
pub use transcripts::{TranscriptSelector, Transcripts};

#[cfg(feature = "mocks")]
pub use store::MockMessageStore;
