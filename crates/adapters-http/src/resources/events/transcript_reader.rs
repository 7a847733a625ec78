//! The transcript so far, as the first events of a stream of messages.

use std::collections::HashSet;

use actix_web::web::{Bytes, BytesMut};
use parlance_domain::{
    access::{AuthorizedCaller, ReadConversations},
    conversation::Conversation,
    error::StoreError,
    event::{Change, Event, EventData, EventReader, EventType, EventView, Events, LogPosition, MessageReference},
    id::MessageId,
    limits::EVENT_STREAM_PAGE,
    message::{Message, MessagePosition, Messages, PageLimit, ReadMessagesError},
};
use tokio::time::sleep;

use crate::resources::events::{dto::EventItem, follower::SETTLE_INTERVAL, resume::transcript_id, sse};

/// Maximum messages of the transcript that are remembered, so that their creation is not given again. Only a message that
/// arrives while the transcript is read can be in both, and such messages come last.
const MAX_KNOWN: usize = 10_000;

/// Where the messages are read.
pub(crate) struct TranscriptSource {
    pub(crate) messages: Messages,
    pub(crate) events: Events,
    pub(crate) caller: AuthorizedCaller<ReadConversations>,
    pub(crate) reader: EventReader,
    pub(crate) conversation: Conversation,
    pub(crate) view: EventView,
}

/// Reads the transcript page by page.
pub(crate) struct TranscriptReader {
    source: TranscriptSource,
    /// The position of the log from which the stream follows after the transcript.
    log_position: LogPosition,
    after: Option<MessagePosition>,
    is_complete: bool,
    known: HashSet<MessageId>,
}

impl TranscriptReader {
    /// Reads the messages after `after`, and leads over to the log at `log_position`.
    pub(crate) fn new(source: TranscriptSource, log_position: LogPosition, after: Option<MessagePosition>) -> Self {
        Self { source, log_position, after, is_complete: false, known: HashSet::new() }
    }

    /// The id from which a client resumes.
    pub(crate) fn id(&self) -> String {
        transcript_id(self.log_position, &self.source.conversation.id, self.after.as_ref())
    }

    /// The messages that were given.
    pub(crate) fn into_known(self) -> HashSet<MessageId> {
        self.known
    }

    /// The next messages as frames; `None` after the last one. Waits for a message that is not settled, if the view asks
    /// for that. A call that is dropped loses no message.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, StoreError> {
        while !self.is_complete {
            let frames = self.read_page().await?;
            if !frames.is_empty() {
                return Ok(Some(frames));
            }
            if !self.is_complete {
                sleep(SETTLE_INTERVAL).await;
            }
        }
        Ok(None)
    }

    async fn read_page(&mut self) -> Result<Bytes, StoreError> {
        let TranscriptSource { messages, events, caller, reader, conversation, view } = &self.source;
        let limit = PageLimit::new(EVENT_STREAM_PAGE).unwrap_or(PageLimit::MAX);
        let page = match messages.page(caller, &conversation.id, self.after.clone(), limit).await {
            Ok(page) => page,
            // The log gives its erasure.
            Err(ReadMessagesError::NoConversation) => {
                self.is_complete = true;
                return Ok(Bytes::new());
            }
            Err(ReadMessagesError::Store(error)) => return Err(error),
        };
        let is_last = page.next_cursor().is_none();
        let mut page = page.messages;
        let length = page.len();
        if *view == EventView::Settled {
            page.truncate(events.count_releasable(reader, &page).await?);
        }
        // Nothing is awaited from here on, so a dropped call loses no message.
        self.is_complete = is_last && page.len() == length;
        let mut frames = BytesMut::new();
        for message in page {
            self.remember(&message);
            self.after = Some(message.position());
            frames.extend_from_slice(&self.frame(message));
        }
        Ok(frames.freeze())
    }

    /// Remembers the newest messages. The ids of earlier ones are forgotten together.
    fn remember(&mut self, message: &Message) {
        if self.known.len() == MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(message.id.clone());
    }

    /// The message as the event of its creation.
    fn frame(&self, message: Message) -> Bytes {
        let event = Event {
            position: self.log_position,
            occurred_at: message.created_at,
            change: Change::MessageCreated(MessageReference::from(&message)),
            external_id: Some(self.source.conversation.external_id.clone()),
            data: Some(EventData::Message(message)),
        };
        let id = self.id();
        sse::event_frame(&id, EventType::MessageCreated, &EventItem::with_id(&event, id.as_str().into()))
    }
}
