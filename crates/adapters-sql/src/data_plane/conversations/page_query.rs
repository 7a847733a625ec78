//! Reads a page of conversations by criteria: chooses an index, and reads its rows within the limits of the query.

use std::collections::BTreeSet;

use parlance_domain::{
    access::TenantId,
    conversation::{
        Conversation, ConversationCriteria, ConversationIndex, ConversationPage, ConversationPosition,
        ConversationQuery, Period,
    },
    text::ExternalId,
    time::{MICROS_PER_HOUR, Timestamp},
};

use super::{
    page_statement::PageStatements,
    page_values::{PageValue, PairForm},
};
use crate::{data_plane::messages::statement::sql_limit, error::ReadError, row::Row};

/// A query for one page of a tenant's conversations.
#[derive(Debug, Clone)]
pub(super) struct PageQuery {
    tenant: String,
    query: ConversationQuery,
    form: PairForm,
    pairs: Vec<PageValue>,
}

/// A statement with its values.
#[derive(Debug)]
pub(super) struct BoundStatement {
    pub(super) sql: &'static str,
    pub(super) values: Vec<PageValue>,
}

/// The probed indexes with the number of their entries.
#[derive(Debug, Default)]
pub(super) struct Probes {
    found: Vec<(ConversationIndex, Option<usize>)>,
    /// The identifiers of the probe of updates.
    updated: Vec<String>,
    reads: usize,
}

/// The rows that a page has found so far.
#[derive(Debug, Default)]
pub(super) struct FoundRows {
    pub(super) found: Vec<Conversation>,
    pub(super) last_read: Option<ConversationPosition>,
}

impl PageQuery {
    pub(super) fn new(tenant: &TenantId, query: &ConversationQuery, form: PairForm) -> Self {
        let pairs = query.criteria.metadata.pairs().map(|(key, value)| form.encode(key, value)).collect();
        Self { tenant: tenant.as_str().to_owned(), query: query.clone(), form, pairs }
    }

    /// The indexes to probe; none if there is no choice.
    pub(super) fn indexes_to_probe(&self) -> Vec<ConversationIndex> {
        if self.query.only_index().is_some() { Vec::new() } else { self.query.indexes_to_probe() }
    }

    /// The statement that probes an index. It reads one entry more than the limit of a probe.
    pub(super) fn probe(&self, index: ConversationIndex, statements: &PageStatements) -> BoundStatement {
        let limit = sql_limit(self.query.probe_limit() + 1);
        let (sql, key) = match index {
            ConversationIndex::Customer => (statements.count_by_customer, customer(&self.query.criteria)),
            ConversationIndex::Agent => (statements.count_by_agent, agent(&self.query.criteria)),
            ConversationIndex::Metadata(number) => (statements.count_by_metadata, self.pair(number)),
            ConversationIndex::ExternalId | ConversationIndex::Updated | ConversationIndex::Started => {
                return BoundStatement { sql: statements.updated, values: self.updated_values(limit) };
            }
        };
        BoundStatement { sql, values: self.range(key, limit) }
    }

    /// Records the outcome of a probe: the number that it counted, and the identifiers that it found. Returns whether
    /// another probe pays.
    pub(super) fn record(
        &self,
        probes: &mut Probes,
        index: ConversationIndex,
        count: usize,
        identifiers: Vec<String>,
    ) -> bool {
        let entries = count.max(identifiers.len());
        let fits = entries <= self.query.probe_limit();
        probes.reads += entries;
        probes.found.push((index, fits.then_some(entries)));
        if fits {
            // A conversation can have an entry in each of the two indexes.
            probes.updated = identifiers.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        }
        !(fits && self.query.is_selective(entries))
    }

    /// The statement that reads the page, and the number of rows that it may read.
    pub(super) fn read(&self, probes: Probes, statements: &PageStatements) -> (BoundStatement, usize) {
        let index = self.query.only_index().unwrap_or_else(|| ConversationIndex::choose(&probes.found));
        let max_rows = self.query.max_reads.saturating_sub(probes.reads).max(1);
        let criteria = &self.query.criteria;
        let (sql, key) = match index {
            ConversationIndex::ExternalId => (statements.by_external_id, text(criteria.external_id.as_ref())),
            ConversationIndex::Customer => (statements.by_customer, customer(criteria)),
            ConversationIndex::Agent => (statements.by_agent, agent(criteria)),
            ConversationIndex::Metadata(number) => (statements.by_metadata, self.pair(number)),
            ConversationIndex::Updated => (statements.by_update, PageValue::Identifiers(probes.updated)),
            ConversationIndex::Started => (statements.by_start, PageValue::Text(None)),
        };
        let mut values = self.range(key, sql_limit(max_rows));
        // The criterion of the index needs no test.
        let unless = |tested, value: PageValue| if index == tested { value.cleared() } else { value };
        values.push(unless(ConversationIndex::Customer, customer(criteria)));
        values.push(unless(ConversationIndex::Agent, agent(criteria)));
        values.extend((0..3).map(|number| unless(ConversationIndex::Metadata(number), self.pair(number))));
        let (since, until) = bounds(criteria.updated);
        values.extend([since, until, sql_limit(self.max_found())].map(PageValue::Number));
        (BoundStatement { sql, values }, max_rows)
    }

    /// Decodes a row and adds it to the page: the number of the row in the order of reading, starting at 1. Returns
    /// whether the page is complete.
    pub(super) fn add(
        &self,
        row: &(impl Row + ?Sized),
        number: usize,
        max_rows: usize,
        rows: &mut FoundRows,
    ) -> Result<bool, ReadError> {
        let is_match = row.smallint(IS_MATCH_COLUMN)? == 1;
        if is_match || number >= max_rows {
            let conversation = super::rows::restore(row)?;
            rows.last_read = (number >= max_rows).then(|| conversation.position());
            if is_match {
                rows.found.push(conversation);
            }
        }
        Ok(rows.found.len() == self.max_found() || number >= max_rows)
    }

    /// The page of the rows that were found.
    pub(super) fn into_page(self, rows: FoundRows) -> ConversationPage {
        ConversationPage::from_found(rows.found, self.query.limit, rows.last_read)
    }

    /// One more than the page has, to see whether another page follows.
    fn max_found(&self) -> usize {
        self.query.limit.get() + 1
    }

    /// The values of the tenant, the key and the range of rows to read.
    fn range(&self, key: PageValue, max_rows: i64) -> Vec<PageValue> {
        let (since, until) = bounds(self.query.criteria.started);
        // No conversation has an empty identifier, so all conversations before `until` are before this position.
        let end = (until, "");
        let after = self.query.after.as_ref().map(|after| (after.started_at.as_micros(), after.id.as_str()));
        let (started_at, id) = after.map_or(end, |after| after.min(end));
        let text = |text: &str| PageValue::Text(Some(text.to_owned()));
        let [since, started_at, max_rows] = [since, started_at, max_rows].map(PageValue::Number);
        vec![text(&self.tenant), key, started_at, text(id), since, max_rows]
    }

    fn updated_values(&self, limit: i64) -> Vec<PageValue> {
        let (since, until) = bounds(self.query.criteria.updated);
        let (first_hour, end_hour) = (since / MICROS_PER_HOUR, until / MICROS_PER_HOUR + 1);
        let created = [first_hour, end_hour].map(|hour| hour.saturating_mul(MICROS_PER_HOUR));
        let numbers = [created[0], created[1], first_hour, end_hour, limit].map(PageValue::Number);
        [PageValue::Text(Some(self.tenant.clone()))].into_iter().chain(numbers).collect()
    }

    /// The pair with this number, or NULL.
    fn pair(&self, number: usize) -> PageValue {
        self.pairs.get(number).cloned().unwrap_or_else(|| self.form.absent())
    }
}

/// The column that tells whether a row is a match, after those of a conversation.
const IS_MATCH_COLUMN: usize = 8;

/// The bounds of a period in microseconds. An open side has a bound that no timestamp reaches.
fn bounds(period: Period) -> (i64, i64) {
    let micros = |bound: Option<Timestamp>| bound.map(Timestamp::as_micros);
    (micros(period.since()).unwrap_or(i64::MIN), micros(period.until()).unwrap_or(i64::MAX))
}

fn customer(criteria: &ConversationCriteria) -> PageValue {
    text(criteria.customer.as_ref())
}

fn agent(criteria: &ConversationCriteria) -> PageValue {
    text(criteria.agent.as_ref())
}

fn text(identifier: Option<&ExternalId>) -> PageValue {
    PageValue::Text(identifier.map(|identifier| identifier.as_str().to_owned()))
}
