//! The queue of one subscriber.

use std::{collections::VecDeque, sync::Arc};

use actix_web::web::{Bytes, BytesMut};
use parlance_domain::{
    event::{EventType, LogPosition},
    id::MessageId,
};

use super::rendered_event::RenderedEvent;

/// Maximum events in the queue of a subscriber.
const MAX_EVENTS: usize = 256;

/// Maximum bytes of the events in the queue of a subscriber. A single event may have more.
const MAX_BYTES: usize = 512 * 1024;

/// Bytes of frames after which no further event is taken at once. The rest stays in the queue, where it can be withdrawn.
const TAKEN_BYTES: usize = 16 * 1024;

/// The queue of a subscriber, unless the subscriber reads the log itself.
#[derive(Debug, Default)]
pub(super) enum Mailbox {
    /// The subscriber reads the log itself. It is only woken.
    #[default]
    Lagging,
    /// Every event that matches is put into this queue.
    Queueing(Queue),
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    events: VecDeque<Arc<RenderedEvent>>,
    bytes: usize,
}

/// The frames of events.
#[derive(Debug)]
pub(crate) struct Frames {
    /// The frames.
    pub(crate) bytes: Bytes,
    /// The position after the last event.
    pub(crate) position: LogPosition,
    /// Whether one of the events is the erasure of a conversation.
    pub(crate) is_erased: bool,
}

/// What a subscriber took from its queue.
#[derive(Debug)]
pub(crate) enum Taken {
    /// The next events.
    Frames(Frames),
    /// The queue is empty. The subscriber has seen everything up to the position.
    Empty(LogPosition),
    /// The subscriber must read the log itself.
    Lagging,
}

impl Mailbox {
    /// Puts an event into the queue. A queue that is full is emptied, and the subscriber reads the log itself.
    pub(super) fn offer(&mut self, event: &Arc<RenderedEvent>) {
        let Self::Queueing(queue) = self else { return };
        let bytes = queue.bytes + event.frame.len();
        if queue.events.len() == MAX_EVENTS || (!queue.events.is_empty() && bytes > MAX_BYTES) {
            *self = Self::Lagging;
        } else {
            queue.bytes = bytes;
            queue.events.push_back(Arc::clone(event));
        }
    }

    /// Withdraws the queued events, because their texts may read differently now. The subscriber reads them again.
    pub(super) fn withdraw(&mut self) {
        if matches!(self, Self::Queueing(queue) if !queue.events.is_empty()) {
            *self = Self::Lagging;
        }
    }

    /// Takes the next events after `position`, except those that created a message for which `is_known` is true.
    /// `head` is the position up to which every event was offered.
    pub(super) fn take(
        &mut self,
        position: LogPosition,
        head: LogPosition,
        is_known: impl Fn(&MessageId) -> bool,
    ) -> Taken {
        let Self::Queueing(queue) = self else { return Taken::Lagging };
        let (mut bytes, mut last, mut is_erased) = (BytesMut::new(), position, false);
        while bytes.len() < TAKEN_BYTES {
            let Some(event) = queue.events.pop_front() else { break };
            queue.bytes -= event.frame.len();
            if event.position <= position {
                continue;
            }
            last = event.position;
            is_erased |= event.event_type == EventType::ConversationErased;
            if !event.created_message.as_ref().is_some_and(&is_known) {
                bytes.extend_from_slice(&event.frame);
            }
        }
        if bytes.is_empty() {
            return Taken::Empty(head.max(position));
        }
        Taken::Frames(Frames { bytes: bytes.freeze(), position: last, is_erased })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn at(sequence: i64) -> LogPosition {
        LogPosition { sequence, index: 0, tag: 0 }
    }

    pub(in super::super) fn event(sequence: i64, text: &str) -> Arc<RenderedEvent> {
        let frame = Bytes::copy_from_slice(text.as_bytes());
        let event_type = EventType::ConversationUpdated;
        Arc::new(RenderedEvent { position: at(sequence), event_type, created_message: None, frame })
    }

    fn take(mailbox: &mut Mailbox, position: i64) -> Option<(Bytes, LogPosition)> {
        match mailbox.take(at(position), at(0), |_| false) {
            Taken::Frames(frames) => Some((frames.bytes, frames.position)),
            Taken::Empty(_) | Taken::Lagging => None,
        }
    }

    #[test]
    fn events_are_taken_once_and_in_order_after_the_position() {
        let mut mailbox = Mailbox::Queueing(Queue::default());
        for (sequence, text) in [(1, "a"), (2, "b"), (3, "c")] {
            mailbox.offer(&event(sequence, text));
        }
        assert_eq!(take(&mut mailbox, 1), Some(("bc".into(), at(3))));
        assert!(matches!(mailbox.take(at(3), at(7), |_| false), Taken::Empty(head) if head == at(7)));
    }

    #[test]
    fn a_full_queue_is_emptied_and_its_subscriber_lags() {
        let mut mailbox = Mailbox::Queueing(Queue::default());
        for sequence in 0..=MAX_EVENTS {
            mailbox.offer(&event(i64::try_from(sequence).unwrap(), "a"));
        }
        assert!(matches!(mailbox, Mailbox::Lagging));
        let mut mailbox = Mailbox::Queueing(Queue::default());
        mailbox.offer(&event(1, &"a".repeat(MAX_BYTES + 1)));
        assert!(matches!(mailbox, Mailbox::Queueing(_)), "a single event may have any size");
        mailbox.offer(&event(2, "b"));
        assert!(matches!(mailbox, Mailbox::Lagging));
    }

    #[test]
    fn withdrawn_events_are_not_given_out_and_an_empty_queue_stays() {
        let mut mailbox = Mailbox::Queueing(Queue::default());
        mailbox.withdraw();
        assert!(matches!(mailbox, Mailbox::Queueing(_)));
        mailbox.offer(&event(1, "an older text"));
        mailbox.withdraw();
        assert!(matches!(mailbox.take(at(0), at(1), |_| false), Taken::Lagging));
    }

    #[test]
    fn what_is_not_taken_at_once_stays_in_the_queue() {
        let mut mailbox = Mailbox::Queueing(Queue::default());
        for sequence in 1..=3 {
            mailbox.offer(&event(sequence, &"a".repeat(TAKEN_BYTES)));
        }
        assert_eq!(take(&mut mailbox, 0).map(|(_, last)| last), Some(at(1)));
        mailbox.withdraw();
        assert!(matches!(mailbox, Mailbox::Lagging));
    }
}
