//! Requests for events.

use super::{Event, EventType, EventTypes, InvalidCursor, LogPosition};
use crate::{
    access::{AuthorizedCaller, PermissionDenied, ReadConversations, TenantId},
    id::ConversationId,
    limits::{EVENT_PAGE_DEFAULT, EVENT_PAGE_MAX},
    text::Violation,
};

/// A caller that may read events, and the types that it reads.
#[derive(Debug, Clone)]
pub struct EventReader {
    tenant: TenantId,
    types: EventTypes,
    /// Every type that the caller may read.
    allowed: EventTypes,
}

impl EventReader {
    /// Reads the types in `requested`; without these, every type that the caller may read.
    ///
    /// # Errors
    /// [`PermissionDenied`] if the caller lacks the permission for a requested type.
    pub fn new(
        caller: &AuthorizedCaller<ReadConversations>,
        requested: Option<EventTypes>,
    ) -> Result<Self, PermissionDenied> {
        let check = |event_type: EventType| caller.require(event_type.permission());
        if let Some(types) = requested {
            types.iter().try_for_each(check)?;
        }
        let allowed = EventType::ALL.into_iter().filter(|event_type| check(*event_type).is_ok()).collect();
        Ok(Self { tenant: caller.tenant().clone(), types: requested.unwrap_or(allowed), allowed })
    }

    /// A reader of every type that one of the two callers may read, for reading on behalf of both. `None` if they belong
    /// to different tenants.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        let allowed = self.allowed.union(other.allowed);
        (self.tenant == other.tenant).then(|| Self { tenant: self.tenant.clone(), types: allowed, allowed })
    }

    /// The tenant whose events are read.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    /// The types that are read.
    #[must_use]
    pub fn types(&self) -> EventTypes {
        self.types
    }
}

/// Where reading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PollStart {
    /// With the oldest event that is kept.
    #[default]
    Oldest,
    /// With the next event.
    Latest,
    /// After this position.
    After(LogPosition),
}

impl PollStart {
    /// Parses `latest` or a cursor.
    ///
    /// # Errors
    /// [`InvalidCursor`].
    pub fn parse(text: &str) -> Result<Self, InvalidCursor> {
        if text == "latest" { Ok(Self::Latest) } else { text.parse().map(Self::After) }
    }
}

/// Which events are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EventView {
    /// Each event at once.
    #[default]
    Immediate,
    /// A message only when nothing that follows can show that it contains a part of a number.
    Settled,
}

impl EventView {
    /// The name of the view.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::Settled => "settled",
        }
    }

    /// Parses `immediate` or `settled`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "immediate" => Some(Self::Immediate),
            "settled" => Some(Self::Settled),
            _ => None,
        }
    }
}

/// The maximum number of events of a page: 1 to 1,000, 100 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventLimit(u16);

impl EventLimit {
    /// The largest page.
    pub const MAX: Self = Self(EVENT_PAGE_MAX);

    /// A limit of this many events.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 1,000.
    pub fn new(limit: u64) -> Result<Self, Violation> {
        let valid = u16::try_from(limit).ok().filter(|limit| (1..=EVENT_PAGE_MAX).contains(limit));
        valid.map(Self).ok_or(Violation::Range(1, EVENT_PAGE_MAX.into()))
    }

    /// The maximum number of events.
    #[must_use]
    pub fn get(self) -> usize {
        self.0.into()
    }
}

impl Default for EventLimit {
    fn default() -> Self {
        Self(EVENT_PAGE_DEFAULT)
    }
}

/// A request for a page of events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PollRequest {
    /// Where the page begins.
    pub start: PollStart,
    /// The maximum number of events.
    pub limit: EventLimit,
    /// Which events are given out.
    pub view: EventView,
    /// The conversation to whose events the page is limited.
    pub conversation: Option<ConversationId>,
}

/// A page of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolledEvents {
    /// The events, in the order of the log.
    pub events: Vec<Event>,
    /// The position from which the next page is read.
    pub next: LogPosition,
    /// Whether more entries of the log can be read at once.
    pub has_more: bool,
}
