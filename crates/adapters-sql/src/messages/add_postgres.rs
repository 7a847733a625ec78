//! Adding messages on PostgreSQL, many in one transaction.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU32, Ordering},
};

use parlance_domain::{
    conversation::{Append, Message, Remask},
    redaction::MAX_CONTEXT,
};
use sea_orm::sqlx::{
    self, Connection, Error, Postgres, Row as _,
    error::DatabaseError,
    postgres::{PgArguments, PgConnection},
    query::Query,
};
use sha2::{Digest, Sha256};

use super::{
    most,
    new::{Context, NewMessages},
    statement::{ADD_ALL, ADD_ALL_TO_KNOWN, INSERT_ALL, MASK},
    stored::{stored_role, stored_set},
};
use crate::{postgres::portions, receipts::keep_all_on_postgres};

type Result<T> = std::result::Result<T, Error>;

/// About how much of a message goes to the server beside its own words.
const ROW_BYTES: usize = 200;

/// How many batches have their conversations looked up first after one was without.
const WARY: u32 = 256;

/// Whether messages are taken to have a conversation, as nearly all have. The foreign key tells where one has none; what
/// was written for the others is then undone and written anew, which somebody who keeps asking for what is not there must
/// not bring about each time.
#[derive(Debug, Default)]
pub(crate) struct Trust(AtomicU32);

impl Trust {
    /// Whether it holds for the next batch.
    fn holds(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |wary| wary.checked_sub(1)).is_err()
    }

    fn lose(&self) {
        self.0.store(WARY, Ordering::Relaxed);
    }
}

/// Adds those of these messages whose conversation exists and of which holds what they presume. All or none where it
/// fails; it fails, too, where one of several has a key that was used, since the others are then to be tried without it.
pub(crate) async fn add_to_postgres(
    connection: &mut PgConnection,
    new: &[&NewMessages],
    trust: &Trust,
) -> Result<Vec<Append>> {
    if trust.holds() {
        let added = add(connection, new, Existence::TakenForGiven).await;
        let lacks_conversation = |error: &dyn DatabaseError| error.is_foreign_key_violation();
        if !added.as_ref().is_err_and(|error| error.as_database_error().is_some_and(lacks_conversation)) {
            return added;
        }
        trust.lose();
    }
    add(connection, new, Existence::LookedUp).await
}

/// Whether the conversations of a batch are there.
#[derive(Debug, Clone, Copy)]
enum Existence {
    TakenForGiven,
    LookedUp,
}

async fn add(connection: &mut PgConnection, new: &[&NewMessages], existence: Existence) -> Result<Vec<Append>> {
    let adding = Adding::of(new);
    if adding.portions.len() <= 1 && new.iter().all(|one| one.only_adds()) {
        return adding.add(connection, existence).await;
    }
    let mut transaction = connection.begin().await?;
    let outcomes = adding.add(&mut transaction, existence).await?;
    let appended =
        || new.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Append::Appended).map(|(one, _)| *one);
    let receipts = appended().filter_map(|one| Some((&one.tenant, one.receipt.as_ref()?)));
    if !keep_all_on_postgres(&mut transaction, receipts.collect()).await? {
        transaction.rollback().await?;
        return if new.len() == 1 { Ok(vec![Append::Repeated]) } else { Err(Error::RowNotFound) };
    }
    for one in appended() {
        for remask in one.context.iter().flat_map(|context| &context.masks) {
            mask(&mut transaction, one.key(), remask).await?;
        }
    }
    transaction.commit().await?;
    Ok(outcomes)
}

/// A message, what it is added with, and the place of that among all.
type Row<'batch> = (usize, &'batch NewMessages, &'batch Message);

/// Messages that are about to be added.
struct Adding<'batch> {
    /// The conversations of the messages that presume something. They are held, so that what is presumed stays true until
    /// the transaction ends. Plain messages are still added meanwhile.
    held: Vec<String>,
    portions: Vec<Vec<Row<'batch>>>,
    /// What became of each as far as it is known: of several that have seen the same conversation only the first may be
    /// appended, since the others have not seen it.
    outcomes: Vec<Append>,
}

impl<'batch> Adding<'batch> {
    fn of(new: &[&'batch NewMessages]) -> Self {
        let mut keys = BTreeSet::new();
        let first = new.iter().map(|one| match one.context {
            Some(_) if !keys.insert(one.key()) => Append::Superseded,
            _ => Append::Appended,
        });
        let outcomes: Vec<_> = first.collect();
        let due = new.iter().copied().enumerate().zip(&outcomes).filter(|(_, first)| **first == Append::Appended);
        let rows = due.flat_map(|((place, one), _)| one.messages.iter().map(move |message| (place, one, message)));
        let portions = portions(rows, |(_, one, message)| bytes(one, message));
        // In one order everywhere, so that two writers cannot wait for each other.
        let held = keys.iter().map(|(tenant, conversation)| format!("{tenant}/{conversation}")).collect();
        Self { held, portions, outcomes }
    }

    /// Adds what may still be added, and tells what became of each.
    async fn add(&self, connection: &mut PgConnection, existence: Existence) -> Result<Vec<Append>> {
        let mut outcomes = self.outcomes.clone();
        let mut held = self.held.as_slice();
        let mut begun = None;
        for portion in &self.portions {
            let stands = |(place, ..): &&Row<'_>| outcomes.get(*place) == Some(&Append::Appended);
            let rows: Vec<_> = portion.iter().filter(stands).copied().collect();
            let refused = add_all(existence, &rows, held, begun).fetch_all(&mut *connection).await?;
            held = &[];
            begun = rows.last().map(|(place, ..)| *place);
            for row in refused {
                let number = usize::try_from(row.try_get::<i64, _>(0)? - 1).unwrap_or(usize::MAX);
                if let Some(outcome) = rows.get(number).and_then(|(place, ..)| outcomes.get_mut(*place)) {
                    *outcome = if row.try_get(1)? { Append::Superseded } else { Append::NoConversation };
                }
            }
        }
        Ok(outcomes)
    }
}

/// About how many bytes a message is to the server.
fn bytes(one: &NewMessages, message: &Message) -> usize {
    ROW_BYTES + one.tenant.as_str().len() + message.sender.external_id.as_str().len() + message.text.as_str().len()
}

/// The statement that adds these rows and gives those that were not added. What was begun in an earlier portion presumes
/// nothing more: its conversation now has the messages of that portion. To call a function costs PostgreSQL as much as to
/// insert three messages: where nothing is to be compared or looked up first, it is not called.
fn add_all<'batch>(
    existence: Existence,
    rows: &[Row<'batch>],
    held: &'batch [String],
    begun: Option<usize>,
) -> Query<'batch, Postgres, PgArguments> {
    let presumption = |(place, one, _): &Row<'_>| match &one.context {
        Some(context) if begun != Some(*place) => Some(presumed(context)),
        _ => None,
    };
    let presumptions: Vec<_> = rows.iter().map(presumption).collect();
    let statement = match existence {
        Existence::TakenForGiven if held.is_empty() && presumptions.iter().all(Option::is_none) => {
            return of_columns(INSERT_ALL, rows);
        }
        Existence::TakenForGiven => ADD_ALL_TO_KNOWN,
        Existence::LookedUp => ADD_ALL,
    };
    of_columns(statement, rows).bind(held).bind(presumptions).bind(most(MAX_CONTEXT))
}

/// A statement with the columns of all rows, each as one array, so that its text is the same for any number of rows.
fn of_columns<'batch>(statement: &'static str, rows: &[Row<'batch>]) -> Query<'batch, Postgres, PgArguments> {
    let texts = |column: fn(&'batch Message) -> &'batch str| {
        rows.iter().map(|(.., message)| column(message)).collect::<Vec<_>>()
    };
    let numbers = |column: fn(&Message) -> i64| rows.iter().map(|(.., message)| column(message)).collect::<Vec<_>>();
    let (tenants, conversations): (Vec<_>, Vec<_>) = rows.iter().map(|(_, one, _)| one.key()).unzip();
    sqlx::query(statement)
        .bind(tenants)
        .bind(conversations)
        .bind(numbers(|message| message.sent_at.as_micros()))
        .bind(texts(|message| message.id.as_str()))
        .bind(rows.iter().map(|(.., message)| stored_role(message.sender.role)).collect::<Vec<_>>())
        .bind(texts(|message| message.sender.external_id.as_str()))
        .bind(texts(|message| message.text.as_str()))
        .bind(numbers(|message| message.created_at.as_micros()))
        .bind(rows.iter().map(|(.., message)| stored_set(message.masked_with)).collect::<Vec<_>>())
}

/// What messages presume of their conversation, as a digest; what no conversation has, where they would mask what was not
/// seen.
fn presumed(context: &Context) -> Vec<u8> {
    if context.masks_stand() { Sha256::digest(context.presumed()).to_vec() } else { Vec::new() }
}

async fn mask(connection: &mut PgConnection, (tenant, conversation): (&str, &str), mask: &Remask) -> Result<()> {
    let Remask { position, was, becomes } = mask;
    let update = sqlx::query(MASK)
        .bind(becomes.as_str())
        .bind(tenant)
        .bind(conversation)
        .bind(position.sent_at.as_micros())
        .bind(position.id.as_str())
        .bind(was.as_str());
    match update.execute(connection).await?.rows_affected() {
        1 => Ok(()),
        _ => Err(Error::RowNotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversations_are_taken_to_exist_until_one_does_not_and_for_some_batches_they_are_looked_up() {
        let trust = Trust::default();
        assert!(trust.holds());
        trust.lose();
        assert_eq!((0..=WARY).position(|_| trust.holds()), usize::try_from(WARY).ok());
        assert!(trust.holds());
    }
}
