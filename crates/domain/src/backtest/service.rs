//! The use case of back-tests.

use std::{sync::Arc, time::Duration};

use super::BacktestRequest;
use crate::{
    access::{AuthorizedCaller, ReadConfiguration, ReadConversations, TenantId},
    error::{StoreError, StoreErrorKind},
    feed::{Day, Feed, FeedRecord, FeedSource, RecordBatch, RowCursor},
    limits::{BACKTEST_MAX_MESSAGES, BACKTEST_MAX_MILLISECONDS},
    message::{ExportRedaction, Message},
    redaction::{Entity, EntitySet},
    sync::yield_to_runtime,
    time::MonotonicClock,
};

/// Messages that are redacted before the time is checked again.
const CHUNK_MESSAGES: usize = 256;

/// How often an entity would mask something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntityCount {
    /// The entity.
    pub entity: Entity,
    /// Messages with at least one such value.
    pub messages: u64,
    /// Values.
    pub values: u64,
}

/// The result of a back-test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BacktestReport {
    /// Whether all messages of the period were read. Otherwise a limit on messages or time was reached.
    pub is_complete: bool,
    /// Messages that were read.
    pub messages: u64,
    /// The counts of the tested entities, in catalogue order.
    pub entities: Vec<EntityCount>,
    /// The first messages in which something would be masked. The tested entities and the active ones are masked in
    /// their texts.
    pub samples: Vec<Message>,
}

/// Runs back-tests. It reads stored messages in pages, and changes and logs nothing.
#[derive(Clone)]
pub struct Backtest {
    source: Arc<dyn FeedSource>,
    redaction: ExportRedaction,
    clock: Arc<dyn MonotonicClock>,
}

impl Backtest {
    /// Reads messages from `source`, and redacts them with `redaction`.
    #[must_use]
    pub fn new(source: Arc<dyn FeedSource>, redaction: ExportRedaction, clock: Arc<dyn MonotonicClock>) -> Self {
        Self { source, redaction, clock }
    }

    /// Counts the values that the entities of the request would mask in addition to what is masked in the stored texts.
    ///
    /// The test ends early after [`BACKTEST_MAX_MESSAGES`] messages or [`BACKTEST_MAX_MILLISECONDS`], and the report
    /// says so. The report has masked texts of conversations, so the caller needs both permissions.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn run(
        &self,
        configuration: &AuthorizedCaller<ReadConfiguration>,
        _conversations: &AuthorizedCaller<ReadConversations>,
        request: BacktestRequest,
    ) -> Result<BacktestReport, StoreError> {
        let tenant = configuration.tenant();
        let active = self.redaction.active_entities(tenant).await?;
        let entities = EntitySet::from_bits(active.bits() | request.entities.bits());
        let deadline = self.clock.elapsed() + Duration::from_millis(BACKTEST_MAX_MILLISECONDS);
        let mut run = Run { backtest: self, tenant, request, entities, deadline, report: Counts::new(request) };
        let is_complete = run.read_days().await?;
        Ok(run.report.into_report(is_complete))
    }
}

/// One back-test.
struct Run<'run> {
    backtest: &'run Backtest,
    tenant: &'run TenantId,
    request: BacktestRequest,
    /// The entities to mask: the tested ones and the active ones.
    entities: EntitySet,
    deadline: Duration,
    report: Counts,
}

impl Run<'_> {
    /// Reads the messages of the period. Returns whether all of them were read.
    async fn read_days(&mut self) -> Result<bool, StoreError> {
        let BacktestRequest { since, until, .. } = self.request;
        let first = RowCursor { timestamp: since, key: String::new() };
        for day in Day::containing(since).through(Day::containing(until)) {
            let after = (first.timestamp > day.start()).then_some(&first);
            let mut stream = self.backtest.source.records(self.tenant, Feed::Messages, day.into(), after).await?;
            loop {
                let batch = stream.next().await?;
                if batch.is_empty() {
                    break;
                }
                if !self.read_batch(batch).await? {
                    return Ok(false);
                }
            }
            if self.is_late() {
                return Ok(day.end() >= until);
            }
        }
        Ok(true)
    }

    /// Counts the messages of a batch. Returns false if a limit was reached before its end.
    async fn read_batch(&mut self, batch: RecordBatch) -> Result<bool, StoreError> {
        let records = batch.into_vec().map_err(|error| StoreError::new(StoreErrorKind::Unexpected, error))?;
        let until = self.request.until;
        let messages = records
            .into_iter()
            .filter_map(|record| if let FeedRecord::Message(message) = record { Some(message) } else { None });
        let messages = messages.filter(|message| message.created_at < until);
        let messages: Vec<_> = messages.collect();
        for chunk in messages.chunks(CHUNK_MESSAGES) {
            if self.is_late() || self.report.messages + chunk.len() as u64 > BACKTEST_MAX_MESSAGES {
                return Ok(false);
            }
            let redacted = self.backtest.redaction.redact(self.tenant, chunk.to_vec(), self.entities).await?;
            for (stored, redacted) in chunk.iter().zip(redacted) {
                self.report.add(stored, redacted);
            }
            yield_to_runtime().await;
        }
        Ok(true)
    }

    fn is_late(&self) -> bool {
        self.backtest.clock.elapsed() >= self.deadline
    }
}

/// What was counted so far.
struct Counts {
    request: BacktestRequest,
    messages: u64,
    entities: Vec<EntityCount>,
    samples: Vec<Message>,
}

impl Counts {
    fn new(request: BacktestRequest) -> Self {
        let count = |entity| EntityCount { entity, messages: 0, values: 0 };
        Self { request, messages: 0, entities: request.entities.iter().map(count).collect(), samples: Vec::new() }
    }

    /// Adds a message as it is stored and as it would be masked.
    fn add(&mut self, stored: &Message, redacted: Message) {
        self.messages += 1;
        if stored.redactions == redacted.redactions {
            return;
        }
        let (before, after) = (masked_entities(stored), masked_entities(&redacted));
        let mut is_masked_further = false;
        for count in &mut self.entities {
            let occurrences = |found: &[Entity]| found.iter().filter(|entity| **entity == count.entity).count() as u64;
            let values = occurrences(&after).saturating_sub(occurrences(&before));
            count.values += values;
            count.messages += u64::from(values > 0);
            is_masked_further |= values > 0;
        }
        if is_masked_further && self.samples.len() < self.request.max_samples {
            self.samples.push(redacted);
        }
    }

    fn into_report(self, is_complete: bool) -> BacktestReport {
        let Self { messages, entities, samples, .. } = self;
        BacktestReport { is_complete, messages, entities, samples }
    }
}

/// The entities that are masked in a message, one for each range.
fn masked_entities(message: &Message) -> Vec<Entity> {
    message.redactions.ranges_in(message.text.as_str()).into_iter().map(|range| range.finding).collect()
}
