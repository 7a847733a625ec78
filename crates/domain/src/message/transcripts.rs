//! The use case of transcripts: a whole conversation, by its id or its external identifier.

use crate::{
    access::{AuthorizedCaller, ReadConversations},
    conversation::{Conversation, Conversations, FindConversationError},
    id::ConversationId,
    message::{Messages, ReadMessagesError, Transcript},
    text::ExternalId,
};

/// Selects the conversation of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranscriptSelector {
    /// The conversation with this id.
    Id(ConversationId),
    /// The conversation with this external identifier.
    ExternalId(ExternalId),
}

/// Reads transcripts (spec §4.6).
#[derive(Clone)]
pub struct Transcripts {
    conversations: Conversations,
    messages: Messages,
}

impl Transcripts {
    /// Uses these services.
    #[must_use]
    pub fn new(conversations: Conversations, messages: Messages) -> Self {
        Self { conversations, messages }
    }

    /// The transcript of one conversation.
    ///
    /// # Errors
    /// As [`Messages::transcript`].
    pub async fn full(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        selector: TranscriptSelector,
    ) -> Result<Transcript, ReadMessagesError> {
        let id = match selector {
            TranscriptSelector::Id(id) => id,
            TranscriptSelector::ExternalId(external_id) => {
                let found = self.conversations.search(caller, &external_id).await?;
                found.ok_or(ReadMessagesError::NoConversation)?.id
            }
        };
        self.messages.transcript(caller, id).await
    }

    /// The transcript of one conversation, and the conversation with masked fields.
    ///
    /// # Errors
    /// As [`Messages::transcript`].
    pub async fn with_conversation(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        selector: TranscriptSelector,
    ) -> Result<(Conversation, Transcript), ReadMessagesError> {
        let conversation = match selector {
            TranscriptSelector::Id(id) => self.conversations.find(caller, &id).await?,
            TranscriptSelector::ExternalId(external_id) => {
                let found = self.conversations.search(caller, &external_id).await?;
                found.ok_or(ReadMessagesError::NoConversation)?
            }
        };
        let transcript = self.messages.transcript(caller, conversation.id.clone()).await?;
        Ok((conversation, transcript))
    }
}

impl From<FindConversationError> for ReadMessagesError {
    fn from(error: FindConversationError) -> Self {
        match error {
            FindConversationError::NotFound => Self::NoConversation,
            FindConversationError::Store(error) => Self::Store(error),
        }
    }
}
