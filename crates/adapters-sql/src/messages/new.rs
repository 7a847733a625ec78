//! Messages that are to be added, and what must still be true of their conversation then.

use std::fmt::Write;

use parlance_domain::{
    access::TenantId,
    conversation::{Addition, Message, Remask},
    id::ConversationId,
    retry::Receipt,
};

/// Messages of a tenant that are to be added to one conversation, all or none.
pub(crate) struct NewMessages {
    pub(super) tenant: TenantId,
    pub(super) conversation: ConversationId,
    pub(super) messages: Vec<Message>,
    pub(super) context: Option<Context>,
    pub(super) receipt: Option<Receipt>,
}

/// What messages were masked in the light of, and the texts that change with them.
pub(super) struct Context {
    /// The newest messages of the conversation, the newest first.
    seen: Vec<Place>,
    /// In one order everywhere, so that two writers cannot wait for each other.
    pub(super) masks: Vec<Remask>,
}

/// A message as it stands in a conversation.
#[derive(PartialEq, Eq)]
pub(super) struct Place {
    pub(super) sent_at: i64,
    pub(super) id: String,
    pub(super) text: String,
}

impl NewMessages {
    pub(crate) fn plain(tenant: &TenantId, message: &Message) -> Self {
        Self {
            tenant: tenant.clone(),
            conversation: message.conversation.clone(),
            messages: vec![message.clone()],
            context: None,
            receipt: None,
        }
    }

    pub(super) fn of(tenant: &TenantId, addition: &Addition) -> Self {
        let Addition { conversation, messages, seen, masks, receipt } = addition;
        Self {
            tenant: tenant.clone(),
            conversation: conversation.clone(),
            messages: messages.clone(),
            context: seen.as_ref().map(|seen| Context::of(seen, masks)),
            receipt: receipt.clone(),
        }
    }

    /// Whether nothing is presumed but that the conversation exists, which the insertion itself finds out.
    pub(super) fn is_plain(&self) -> bool {
        self.context.is_none() && self.receipt.is_none()
    }

    /// Whether nothing is written but the messages themselves.
    pub(super) fn only_adds(&self) -> bool {
        self.receipt.is_none() && !self.masks()
    }

    /// Whether they change the texts of other messages.
    pub(crate) fn masks(&self) -> bool {
        self.context.as_ref().is_some_and(|context| !context.masks.is_empty())
    }

    pub(crate) fn key(&self) -> (&str, &str) {
        (self.tenant.as_str(), self.conversation.as_str())
    }
}

impl Context {
    fn of(seen: &[Message], masks: &[Remask]) -> Self {
        let seen = seen.iter().rev().map(|message| Place {
            sent_at: message.sent_at.as_micros(),
            id: message.id.as_str().to_owned(),
            text: message.text.as_str().to_owned(),
        });
        let mut masks = masks.to_vec();
        masks.sort_by(|one, other| one.position.cmp(&other.position));
        Self { seen: seen.collect(), masks }
    }

    /// Whether everything is as presumed, where these are the newest messages now, the newest first.
    pub(super) fn holds(&self, newest: &[Place]) -> bool {
        self.seen == newest && self.masks_stand()
    }

    /// Whether every text that is to be masked was seen.
    pub(super) fn masks_stand(&self) -> bool {
        self.masks.iter().all(|mask| {
            let (sent_at, id) = (mask.position.sent_at.as_micros(), mask.position.id.as_str());
            let there = self.seen.iter().find(|place| place.sent_at == sent_at && place.id == id);
            there.is_some_and(|place| place.text == mask.was.as_str())
        })
    }

    /// All that was seen as one text, which no other messages make: the time of each, its identifier, the length of its
    /// text in bytes, and its text.
    pub(super) fn presumed(&self) -> String {
        self.seen.iter().fold(String::new(), |mut presumed, Place { sent_at, id, text }| {
            // Writing to a String cannot fail.
            let _ = write!(presumed, "{sent_at} {id} {} {text}", text.len());
            presumed
        })
    }
}
