//! The archive of what is stored of a customer, read step by step so that it is never in memory as a whole.

use std::collections::VecDeque;

use sha2::{Digest, Sha256};

use super::{ArchiveItem, PrivacyRequest};
use crate::{
    access::TenantId,
    conversation::{Conversation, Conversations, FindConversationError},
    error::StoreError,
    hex,
    message::{FindMessageError, Message, Messages, ReadMessagesError, Transcript},
};

/// Reads the items of archives, masked like every other answer.
#[derive(Clone)]
pub struct ArchiveReader {
    conversations: Conversations,
    messages: Messages,
}

/// One step of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchivePart {
    /// A conversation. Its messages follow.
    Conversation(Box<Conversation>),
    /// Messages, in the order of their conversation.
    Messages(Vec<Message>),
}

impl ArchiveReader {
    /// A reader that uses these services.
    #[must_use]
    pub fn new(conversations: Conversations, messages: Messages) -> Self {
        Self { conversations, messages }
    }

    pub(super) fn read(&self, tenant: TenantId, request: PrivacyRequest, items: Vec<ArchiveItem>) -> Archive {
        Archive { reader: self.clone(), tenant, request, items: items.into(), transcript: None }
    }
}

/// The archive of one request.
pub struct Archive {
    reader: ArchiveReader,
    tenant: TenantId,
    request: PrivacyRequest,
    items: VecDeque<ArchiveItem>,
    transcript: Option<Transcript>,
}

impl Archive {
    /// The tenant whose data the archive contains.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    /// The request.
    #[must_use]
    pub fn request(&self) -> &PrivacyRequest {
        &self.request
    }

    /// The next part; `None` after the last one. Messages that arrived after the completion of the request are left out, and
    /// so is what was erased since.
    ///
    /// # Errors
    /// If a store fails. The parts that were returned before are then only a part of the archive.
    pub async fn next(&mut self) -> Result<Option<ArchivePart>, StoreError> {
        loop {
            if let Some(transcript) = &mut self.transcript {
                let (mut messages, has_more) = transcript.next_page().await?;
                messages.retain(|message| self.request.ended_at.is_none_or(|ended_at| message.created_at <= ended_at));
                if !has_more {
                    self.transcript = None;
                }
                if !messages.is_empty() {
                    return Ok(Some(ArchivePart::Messages(messages)));
                }
                continue;
            }
            let Some(item) = self.items.pop_front() else { return Ok(None) };
            if let Some(part) = self.read_item(item).await? {
                return Ok(Some(part));
            }
        }
    }

    async fn read_item(&mut self, item: ArchiveItem) -> Result<Option<ArchivePart>, StoreError> {
        match item {
            ArchiveItem::Conversation(id) => {
                let conversation = match self.reader.conversations.find_in(&self.tenant, &id).await {
                    Ok(conversation) => conversation,
                    Err(FindConversationError::NotFound) => return Ok(None),
                    Err(FindConversationError::Store(error)) => return Err(error),
                };
                self.transcript = match self.reader.messages.transcript_in(&self.tenant, id).await {
                    Ok(transcript) => Some(transcript),
                    Err(ReadMessagesError::NoConversation) => return Ok(None),
                    Err(ReadMessagesError::Store(error)) => return Err(error),
                };
                Ok(Some(ArchivePart::Conversation(Box::new(conversation))))
            }
            ArchiveItem::Message(reference) => {
                let found = self.reader.messages.find_in(&self.tenant, &reference.conversation, &reference.position.id);
                match found.await {
                    Ok(message) => Ok(Some(ArchivePart::Messages(vec![message]))),
                    Err(FindMessageError::NoMessage | FindMessageError::NoConversation) => Ok(None),
                    Err(FindMessageError::Store(error)) => Err(error),
                }
            }
        }
    }
}

/// The manifest of an archive: how much it contains, and the checksum of its bytes.
#[derive(Debug, Clone, Default)]
pub struct ArchiveManifest {
    /// The number of conversations.
    pub conversations: u64,
    /// The number of messages.
    pub messages: u64,
    bytes: Sha256,
}

impl ArchiveManifest {
    /// Counts a part, whose written form these bytes are.
    pub fn add(&mut self, part: &ArchivePart, written: &[u8]) {
        match part {
            ArchivePart::Conversation(_) => self.conversations = self.conversations.saturating_add(1),
            ArchivePart::Messages(messages) => self.messages = self.messages.saturating_add(messages.len() as u64),
        }
        self.bytes.update(written);
    }

    /// The SHA-256 of all written bytes, as hexadecimal digits.
    #[must_use]
    pub fn checksum(&self) -> String {
        hex::encode(&self.bytes.clone().finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_all_written_bytes() {
        let mut manifest = ArchiveManifest::default();
        manifest.add(&ArchivePart::Messages(Vec::new()), b"ab");
        manifest.add(&ArchivePart::Messages(Vec::new()), b"c");
        assert_eq!(manifest.checksum(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
