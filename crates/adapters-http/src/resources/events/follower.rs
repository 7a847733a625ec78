//! Follows the change log for one stream.

use std::{collections::HashSet, time::Duration};

use actix_web::web::{Bytes, BytesMut};
use parlance_domain::{
    error::StoreError,
    event::{EventLimit, EventReader, EventType, EventView, Events, LogPosition, PollError, PollRequest, PollStart},
    id::{ConversationId, MessageId},
    limits::EVENT_STREAM_PAGE,
};
use tokio::time::timeout;

use crate::resources::events::hub::{EventHub, Frames, RenderedEvent, Subscription, Taken};

/// Time between two reads while a message is held back that is not settled.
pub(crate) const SETTLE_INTERVAL: Duration = Duration::from_secs(1);

/// What a stream follows.
pub(crate) struct Subject {
    /// The reader.
    pub(crate) reader: EventReader,
    /// The conversation to whose events the stream is limited.
    pub(crate) conversation: Option<ConversationId>,
    /// Which events are given out.
    pub(crate) view: EventView,
}

/// Gives every event after a position once. It reads the log until it has caught up, and then takes events from its queue
/// in the hub. When the queue overflows or is withdrawn, it reads the log again.
pub(crate) struct Follower {
    events: Events,
    hub: EventHub,
    subject: Subject,
    position: LogPosition,
    /// The messages that the stream gave already as a part of the transcript.
    known: HashSet<MessageId>,
    subscription: Option<Subscription>,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    /// Reads the log, with events from this position on in the queue.
    ReadingLog(Option<LogPosition>),
    /// Takes events from the queue.
    Queueing,
}

impl Follower {
    /// Follows the log after `position`.
    pub(crate) fn new(events: Events, hub: EventHub, subject: Subject, position: LogPosition) -> Self {
        let state = State::ReadingLog(None);
        Self { events, hub, subject, position, known: HashSet::new(), subscription: None, state }
    }

    /// Leaves out the creation of these messages.
    pub(crate) fn skip(&mut self, known: HashSet<MessageId>) {
        self.known = known;
    }

    /// The position from which a client resumes.
    pub(crate) fn position(&self) -> LogPosition {
        self.position
    }

    /// The position after the newest event.
    pub(crate) async fn newest(&self) -> Result<LogPosition, StoreError> {
        self.events.start(&self.subject.reader, PollStart::Latest).await
    }

    /// The next events, when there are any. A call that is dropped loses no event.
    ///
    /// # Errors
    /// [`PollError`].
    pub(crate) async fn next(&mut self) -> Result<Frames, PollError> {
        loop {
            let frames = match self.state {
                State::Queueing => self.take().await,
                State::ReadingLog(queued_from) => self.read(queued_from).await?,
            };
            if let Some(frames) = frames {
                return Ok(frames);
            }
        }
    }

    async fn take(&mut self) -> Option<Frames> {
        let subscription = self.subscription.as_ref()?;
        match subscription.take(self.position, |message| self.known.contains(message)) {
            Taken::Frames(frames) => {
                self.position = frames.position;
                return Some(frames);
            }
            Taken::Empty(head) => {
                self.position = head;
                subscription.news().await;
            }
            Taken::Lagging => self.state = State::ReadingLog(Some(subscription.start_queueing())),
        }
        None
    }

    async fn read(&mut self, queued_from: Option<LogPosition>) -> Result<Option<Frames>, PollError> {
        let Subject { reader, conversation, view } = &self.subject;
        let limit = EventLimit::new(EVENT_STREAM_PAGE).unwrap_or_default();
        let start = PollStart::After(self.position);
        let request = PollRequest { start, limit, view: *view, conversation: conversation.clone() };
        let page = self.events.poll(reader, &request).await?;
        let (mut bytes, mut is_erased) = (BytesMut::new(), false);
        for event in page.events.iter().map(RenderedEvent::new) {
            if !event.created_message.as_ref().is_some_and(|message| self.known.contains(message)) {
                bytes.extend_from_slice(&event.frame);
            }
            is_erased |= event.event_type == EventType::ConversationErased;
        }
        // Nothing is awaited between here and the return of frames, so a dropped call loses none.
        self.position = page.next;
        let is_new = !page.has_more && self.catch_up(queued_from);
        if !bytes.is_empty() {
            return Ok(Some(Frames { bytes: Bytes::from(bytes), position: page.next, is_erased }));
        }
        if self.subject.view == EventView::Settled && !page.has_more && !is_new {
            self.wait_until_settled().await;
        }
        Ok(None)
    }

    /// Subscribes, and leaves the log for the queue where everything before the queue was read. Returns whether the
    /// subscription is new, so that the log must be read once more.
    fn catch_up(&mut self, queued_from: Option<LogPosition>) -> bool {
        let is_new = self.subscription.is_none();
        let Subject { reader, conversation, view } = &self.subject;
        let subscribe = || self.hub.subscribe(reader, conversation.clone(), self.position);
        let subscription = self.subscription.get_or_insert_with(subscribe);
        // Time alone settles a message, so that view always reads the log.
        if *view == EventView::Immediate {
            let queued_from = queued_from.unwrap_or_else(|| subscription.start_queueing());
            let is_complete = self.position >= queued_from;
            self.state = if is_complete { State::Queueing } else { State::ReadingLog(Some(queued_from)) };
        }
        is_new
    }

    /// Waits for news, or if a message is held back, until it may be settled.
    async fn wait_until_settled(&self) {
        let Some(subscription) = &self.subscription else { return };
        if self.position < subscription.head() {
            // After the interval, the log is read again with or without news.
            let _ = timeout(SETTLE_INTERVAL, subscription.news()).await;
        } else {
            subscription.news().await;
        }
    }
}
