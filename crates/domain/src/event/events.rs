//! The use case of reading events.

use std::sync::Arc;

use super::{
    ChangeLog, Event, EventReader, EventSources, EventView, LogEntry, LogPage, LogPosition, LogRead, PollError,
    PollRequest, PollStart, PolledEvents,
};
use crate::{
    access::TenantId,
    error::StoreError,
    limits::{EVENT_PAGE_MAX, EVENT_POLL_MAX_READS},
    message::Message,
    time::Clock,
};

/// Reads the events of tenants.
#[derive(Clone)]
pub struct Events {
    log: Arc<dyn ChangeLog>,
    sources: EventSources,
    clock: Arc<dyn Clock>,
}

/// Entries of the log that were chosen for a page.
struct ChosenEntries {
    entries: Vec<LogEntry>,
    next: LogPosition,
    has_more: bool,
}

impl Events {
    /// Reads entries from `log` and their data from `sources`.
    #[must_use]
    pub fn new(log: Arc<dyn ChangeLog>, sources: EventSources, clock: Arc<dyn Clock>) -> Self {
        Self { log, sources, clock }
    }

    /// The log that the events are read from.
    #[must_use]
    pub fn log(&self) -> &Arc<dyn ChangeLog> {
        &self.log
    }

    /// One page of events in the order of the log. It can have fewer events than the limit, even none, although more
    /// follow. Whoever follows `next` receives every event of the types once.
    ///
    /// # Errors
    /// [`PollError`].
    pub async fn poll(&self, reader: &EventReader, request: &PollRequest) -> Result<PolledEvents, PollError> {
        let start = self.start(reader, request.start).await?;
        let mut chosen = self.choose(reader, request, start).await?;
        if request.view == EventView::Settled {
            self.hold_back(reader, &mut chosen, start).await?;
        }
        let ChosenEntries { entries, next, has_more } = chosen;
        let events = self.sources.read(reader.tenant(), entries).await?;
        Ok(PolledEvents { events, next, has_more })
    }

    /// The events of those entries whose types the reader reads, with their data. The entries are of the reader's tenant.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn load(&self, reader: &EventReader, mut entries: Vec<LogEntry>) -> Result<Vec<Event>, StoreError> {
        entries.retain(|entry| reader.types().contains(entry.change.event_type()));
        self.data(reader.tenant(), entries).await
    }

    /// The events of entries of the log, with their data as it reads now.
    pub(crate) async fn data(&self, tenant: &TenantId, entries: Vec<LogEntry>) -> Result<Vec<Event>, StoreError> {
        self.sources.read(tenant, entries).await
    }

    /// Forgets which entities are active for the reader's tenant, so that texts that are read from now on are masked as a
    /// switch by another process requires.
    pub fn forget_active_entities(&self, reader: &EventReader) {
        self.sources.fields.forget_active_entities(reader.tenant());
    }

    /// The number of messages before the first one that the view of settled events holds back. The messages are of the
    /// reader's tenant.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn count_releasable(&self, reader: &EventReader, messages: &[Message]) -> Result<usize, StoreError> {
        self.sources.count_releasable_messages(reader.tenant(), messages, self.clock.now()).await
    }

    /// The position at which reading begins.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn start(&self, reader: &EventReader, start: PollStart) -> Result<LogPosition, StoreError> {
        match start {
            PollStart::Oldest => self.log.oldest(reader.tenant()).await,
            PollStart::Latest => self.log.newest(reader.tenant()).await,
            PollStart::After(position) => Ok(position),
        }
    }

    /// Reads the log until the page is full, the log has no more entries, or the maximum number of reads is reached.
    async fn choose(
        &self,
        reader: &EventReader,
        request: &PollRequest,
        start: LogPosition,
    ) -> Result<ChosenEntries, PollError> {
        let mut chosen = ChosenEntries { entries: Vec::new(), next: start, has_more: true };
        let mut entries_per_read = request.limit.get();
        for _ in 0..EVENT_POLL_MAX_READS {
            // A page that few entries match needs more of them.
            entries_per_read = (2 * entries_per_read).min(EVENT_PAGE_MAX.into());
            let LogPage { entries, has_more } = self.read(reader, chosen.next, entries_per_read).await?;
            chosen.has_more = has_more;
            for entry in entries {
                if chosen.entries.len() == request.limit.get() {
                    chosen.has_more = true;
                    return Ok(chosen);
                }
                chosen.next = entry.position;
                if is_requested(&entry, reader, request) {
                    chosen.entries.push(entry);
                }
            }
            if !chosen.has_more {
                break;
            }
        }
        Ok(chosen)
    }

    async fn read(&self, reader: &EventReader, after: LogPosition, limit: usize) -> Result<LogPage, PollError> {
        match self.log.read(reader.tenant(), after, limit).await? {
            LogRead::Page(page) => Ok(page),
            LogRead::Expired => Err(PollError::Expired),
            LogRead::Unknown => Err(PollError::Unknown),
        }
    }

    /// Ends the page before the first message that is held back.
    async fn hold_back(
        &self,
        reader: &EventReader,
        chosen: &mut ChosenEntries,
        start: LogPosition,
    ) -> Result<(), StoreError> {
        let releasable = self.sources.count_releasable(reader.tenant(), &chosen.entries, self.clock.now()).await?;
        if releasable < chosen.entries.len() {
            chosen.entries.truncate(releasable);
            chosen.next = chosen.entries.last().map_or(start, |entry| entry.position);
            chosen.has_more = false;
        }
        Ok(())
    }
}

fn is_requested(entry: &LogEntry, reader: &EventReader, request: &PollRequest) -> bool {
    let of_conversation = request.conversation.as_ref().is_none_or(|id| entry.change.conversation() == Some(id));
    of_conversation && reader.types().contains(entry.change.event_type())
}
