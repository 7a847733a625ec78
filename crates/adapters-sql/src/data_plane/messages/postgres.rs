//! Appends messages on PostgreSQL, many in one transaction.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicU32, Ordering},
};

use parlance_domain::message::{AppendOutcome, MaskUpdate, Message};
use sea_orm::sqlx::{
    self, Connection, Error, Postgres, Row as _,
    postgres::{PgArguments, PgConnection},
    query::Query,
};

use crate::{
    data_plane::{
        idempotency::insert_batch_on_postgres,
        messages::{
            append_row::AppendRow,
            copy_in::copy,
            rows::{role_to_number, set_to_hex},
            statement::{
                INSERT_ALL, INSERT_ALL_UNCHECKED, INSERT_PLAIN, INSERT_PLAIN_UNMASKED, UPDATE_TEXT, sql_limit,
            },
        },
    },
    engine::postgres::{WriterStats, batch::BatchError, chunk_by_size},
};

type Result<T> = std::result::Result<T, BatchError>;

/// The approximate number of bytes that are sent for a message besides its texts.
const ROW_BYTES: usize = 200;

/// The number of batches with a look-up of their conversations after a batch in which one was missing.
const COOLDOWN_BATCHES: u32 = 256;

/// Whether messages are inserted without a look-up of their conversations, of which nearly all exist. If one does not,
/// the foreign key fails the batch, and the batch is written again with the look-up. The cooldown bounds the cost of a
/// caller that keeps naming conversations that do not exist.
#[derive(Debug, Default)]
pub(crate) struct OptimisticInsert {
    cooldown: AtomicU32,
}

impl OptimisticInsert {
    /// Whether the next batch relies on the foreign key. Counts the cooldown down.
    fn applies_to_next_batch(&self) -> bool {
        self.cooldown.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }

    fn pause(&self) {
        self.cooldown.store(COOLDOWN_BATCHES, Ordering::Relaxed);
    }
}

/// Appends the rows whose conversation exists and whose precondition holds, and returns the outcome of each. On an
/// error nothing is written. If one of several rows has a taken idempotency key, the error is [`BatchError::Split`],
/// because the other rows must be tried without that row.
pub(crate) async fn append_on_postgres(
    connection: &mut PgConnection,
    rows: &[&AppendRow],
    optimism: &OptimisticInsert,
    stats: &WriterStats,
) -> Result<Vec<AppendOutcome>> {
    if optimism.applies_to_next_batch() {
        let appended = append(connection, rows, ForeignKey::RelyOnConstraint).await;
        if !appended.as_ref().is_err_and(BatchError::is_foreign_key_violation) {
            return appended;
        }
        optimism.pause();
        stats.record_fallback();
    }
    let appended = append(connection, rows, ForeignKey::LookUp).await;
    if appended.as_ref().is_err_and(BatchError::is_foreign_key_violation) {
        // A conversation was erased after it was looked up. The next statement sees that.
        return append(connection, rows, ForeignKey::LookUp).await;
    }
    appended
}

/// Inserts the messages of rows without a precondition, whose conversations this transaction has created. Many messages
/// are copied: the database adds their rows many at a time, and runs the triggers of a statement once.
pub(crate) async fn insert_all_on_postgres(connection: &mut PgConnection, rows: &[&AppendRow]) -> Result<()> {
    let plan = InsertPlan::new(rows);
    if plan.chunks.len() > 1 {
        return Ok(copy(connection, rows).await?);
    }
    plan.execute(connection, ForeignKey::RelyOnConstraint).await?;
    Ok(())
}

/// How the statement finds out that a conversation does not exist.
#[derive(Debug, Clone, Copy)]
enum ForeignKey {
    /// By the violated foreign key, which fails the batch.
    RelyOnConstraint,
    /// By a look-up, which rejects the row alone.
    LookUp,
}

async fn append(
    connection: &mut PgConnection,
    rows: &[&AppendRow],
    foreign_key: ForeignKey,
) -> Result<Vec<AppendOutcome>> {
    let plan = InsertPlan::new(rows);
    if plan.chunks.len() <= 1 && rows.iter().all(|row| row.inserts_only()) {
        return plan.execute(connection, foreign_key).await;
    }
    let mut transaction = connection.begin().await?;
    let outcomes = plan.execute(&mut transaction, foreign_key).await?;
    let appended =
        || rows.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == AppendOutcome::Appended).map(|(row, _)| *row);
    let records = appended().filter_map(|row| Some((&row.tenant, row.idempotency_record.as_ref()?)));
    let inserted = insert_batch_on_postgres(transaction, rows.len(), records.collect()).await?;
    let Some(mut transaction) = inserted else { return Ok(vec![AppendOutcome::KeyTaken]) };
    for row in appended() {
        for mask_update in row.precondition.iter().flat_map(|precondition| &precondition.mask_updates) {
            update_text(&mut transaction, row.conversation_key(), mask_update).await?;
        }
    }
    transaction.commit().await?;
    Ok(outcomes)
}

/// A message, with the index of its row in the batch and the row.
type MessageRow<'batch> = (usize, &'batch AppendRow, &'batch Message);

/// How the rows of a batch are inserted.
struct InsertPlan<'batch> {
    /// The conversations of the rows with a precondition. The statement locks them until the transaction ends, so that
    /// the preconditions stay true. Rows without a precondition do not wait for these locks.
    locked_conversations: Vec<String>,
    /// The messages to insert, one chunk per statement. The preconditions of a chunk compare equally many messages,
    /// because the statement has one limit for all of them.
    chunks: Vec<Vec<MessageRow<'batch>>>,
    /// The outcomes that are known before the insertion. Of several rows with a precondition on one conversation only
    /// the first can be appended, because its messages are not in the expected tail of the others.
    outcomes: Vec<AppendOutcome>,
}

impl<'batch> InsertPlan<'batch> {
    fn new(rows: &[&'batch AppendRow]) -> Self {
        let mut keys = BTreeSet::new();
        let initial = rows.iter().map(|row| match row.precondition {
            Some(_) if !keys.insert(row.conversation_key()) => AppendOutcome::PreconditionFailed,
            _ => AppendOutcome::Appended,
        });
        let outcomes: Vec<_> = initial.collect();
        let accepted =
            rows.iter().copied().enumerate().zip(&outcomes).filter(|(_, outcome)| **outcome == AppendOutcome::Appended);
        let mut by_tail_limit: BTreeMap<usize, Vec<MessageRow<'batch>>> = BTreeMap::new();
        for ((index, row), _) in accepted {
            let messages = row.messages.iter().map(|message| (index, row, message));
            by_tail_limit.entry(row.tail_limit()).or_default().extend(messages);
        }
        let bytes = |(_, row, message): &MessageRow<'_>| estimated_bytes(row, message);
        let chunks = by_tail_limit.into_values().flat_map(|messages| chunk_by_size(messages, bytes)).collect();
        // Sorted, so that two writers cannot deadlock.
        let locked_conversations =
            keys.iter().map(|(tenant, conversation)| format!("{tenant}/{conversation}")).collect();
        Self { locked_conversations, chunks, outcomes }
    }

    /// Inserts the messages, and returns the outcome of each row.
    async fn execute(&self, connection: &mut PgConnection, foreign_key: ForeignKey) -> Result<Vec<AppendOutcome>> {
        let mut outcomes = self.outcomes.clone();
        let mut locked_conversations = self.locked_conversations.as_slice();
        let mut continued_row = None;
        for chunk in &self.chunks {
            let is_accepted = |(index, ..): &&MessageRow<'_>| outcomes.get(*index) == Some(&AppendOutcome::Appended);
            let messages: Vec<_> = chunk.iter().filter(is_accepted).copied().collect();
            let rejected = insert_query(foreign_key, &messages, locked_conversations, continued_row)
                .fetch_all(&mut *connection)
                .await?;
            locked_conversations = &[];
            continued_row = messages.last().map(|(index, ..)| *index);
            for returned in rejected {
                let position = usize::try_from(returned.try_get::<i64, _>(0)? - 1).unwrap_or(usize::MAX);
                if let Some(outcome) = messages.get(position).and_then(|(index, ..)| outcomes.get_mut(*index)) {
                    *outcome = if returned.try_get(1)? {
                        AppendOutcome::PreconditionFailed
                    } else {
                        AppendOutcome::NoConversation
                    };
                }
            }
        }
        Ok(outcomes)
    }
}

/// The approximate number of bytes that are sent to the server for a message.
fn estimated_bytes(row: &AppendRow, message: &Message) -> usize {
    ROW_BYTES + row.tenant.as_str().len() + message.sender.external_id.as_str().len() + message.text.as_str().len()
}

/// The statement that inserts these messages and returns the rejected ones. The row with the index `continued_row` has
/// messages in an earlier chunk. Its precondition was checked there and no longer applies, because its own messages are
/// now the newest. A call of a function costs PostgreSQL as much as three insertions, so a plain `INSERT` is used if
/// nothing must be compared or looked up.
fn insert_query<'batch>(
    foreign_key: ForeignKey,
    messages: &[MessageRow<'batch>],
    locked_conversations: &'batch [String],
    continued_row: Option<usize>,
) -> Query<'batch, Postgres, PgArguments> {
    let digest = |(index, row, _): &MessageRow<'_>| match &row.precondition {
        Some(precondition) if continued_row != Some(*index) => Some(precondition.digest()),
        _ => None,
    };
    let digests: Vec<_> = messages.iter().map(digest).collect();
    let statement = match foreign_key {
        ForeignKey::RelyOnConstraint if locked_conversations.is_empty() && digests.iter().all(Option::is_none) => {
            return if messages.iter().all(|(.., message)| message.redactions.stored().is_none()) {
                bind_columns(INSERT_PLAIN_UNMASKED, messages)
            } else {
                bind_columns(INSERT_PLAIN, messages).bind(redactions(messages))
            };
        }
        ForeignKey::RelyOnConstraint => INSERT_ALL_UNCHECKED,
        ForeignKey::LookUp => INSERT_ALL,
    };
    let tail_limit = messages.first().map_or(0, |(_, row, _)| row.tail_limit());
    let columns = bind_columns(statement, messages).bind(redactions(messages));
    columns.bind(locked_conversations).bind(digests).bind(sql_limit(tail_limit))
}

/// The column `redactions` of all messages.
fn redactions<'batch>(messages: &[MessageRow<'batch>]) -> Vec<Option<&'batch str>> {
    messages.iter().map(|(.., message)| message.redactions.stored()).collect()
}

/// The statement with each column of all messages but `redactions` bound as one array, so that its text does not depend
/// on their number.
fn bind_columns<'batch>(
    statement: &'static str,
    messages: &[MessageRow<'batch>],
) -> Query<'batch, Postgres, PgArguments> {
    let texts = |column: fn(&'batch Message) -> &'batch str| {
        messages.iter().map(|(.., message)| column(message)).collect::<Vec<_>>()
    };
    let numbers =
        |column: fn(&Message) -> i64| messages.iter().map(|(.., message)| column(message)).collect::<Vec<_>>();
    let (tenants, conversations): (Vec<_>, Vec<_>) = messages.iter().map(|(_, row, _)| row.conversation_key()).unzip();
    sqlx::query(statement)
        .bind(tenants)
        .bind(conversations)
        .bind(numbers(|message| message.sent_at.as_micros()))
        .bind(texts(|message| message.id.as_str()))
        .bind(messages.iter().map(|(.., message)| role_to_number(message.sender.role)).collect::<Vec<_>>())
        .bind(texts(|message| message.sender.external_id.as_str()))
        .bind(texts(|message| message.text.as_str()))
        .bind(numbers(|message| message.created_at.as_micros()))
        .bind(messages.iter().map(|(.., message)| set_to_hex(message.masked_with)).collect::<Vec<_>>())
}

async fn update_text(
    connection: &mut PgConnection,
    (tenant, conversation): (&str, &str),
    mask_update: &MaskUpdate,
) -> Result<()> {
    let MaskUpdate { position, expected, masked, redactions } = mask_update;
    let update = sqlx::query(UPDATE_TEXT)
        .bind(masked.as_str())
        .bind(redactions.stored())
        .bind(tenant)
        .bind(conversation)
        .bind(position.sent_at.as_micros())
        .bind(position.id.as_str())
        .bind(expected.as_str());
    match update.execute(connection).await?.rows_affected() {
        1 => Ok(()),
        _ => Err(Error::RowNotFound.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_missing_conversation_256_batches_look_conversations_up() {
        let optimism = OptimisticInsert::default();
        assert!(optimism.applies_to_next_batch());
        optimism.pause();
        let first = (0..=COOLDOWN_BATCHES).position(|_| optimism.applies_to_next_batch());
        assert_eq!(first, usize::try_from(COOLDOWN_BATCHES).ok());
        assert!(optimism.applies_to_next_batch());
    }
}
