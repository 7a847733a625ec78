//! Adding messages on PostgreSQL, many in one transaction.

use parlance_domain::{
    conversation::{Append, Message, Remask},
    redaction::MAX_CONTEXT,
};
use sea_orm::sqlx::{self, Connection, Error, Row, postgres::PgConnection};

use super::{
    most,
    new::{NewMessages, Place},
    statement::{HOLD_ALL, INSERT_ALL, MASK, NEWEST_TEXTS_OF_ALL},
    stored::{stored_role, stored_set},
};
use crate::receipts::keep_on_postgres;

type Result<T> = std::result::Result<T, Error>;

/// Adds those of these messages whose conversation exists and of which holds what they presume. All or none where it
/// fails.
pub(crate) async fn add_to_postgres(connection: &mut PgConnection, new: &[&NewMessages]) -> Result<Vec<Append>> {
    let mut outcomes = vec![Append::Appended; new.len()];
    if new.iter().all(|one| one.is_plain()) {
        insert_all(connection, new, &mut outcomes).await?;
        return Ok(outcomes);
    }
    let mut transaction = connection.begin().await?;
    check(&mut transaction, new, &mut outcomes).await?;
    keep_receipts(&mut transaction, new, &mut outcomes).await?;
    insert_all(&mut transaction, new, &mut outcomes).await?;
    let masking = new.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Append::Appended);
    for (one, _) in masking {
        for remask in one.context.iter().flat_map(|context| &context.masks) {
            mask(&mut transaction, one.key(), remask).await?;
        }
    }
    transaction.commit().await?;
    Ok(outcomes)
}

/// Holds the conversations of the messages that presume something until the transaction ends, against all others that
/// hold them, and notes of which messages it does not hold. Plain messages are still added to them meanwhile.
async fn check(connection: &mut PgConnection, new: &[&NewMessages], outcomes: &mut [Append]) -> Result<()> {
    let presuming = new.iter().zip(outcomes).filter(|(one, _)| !one.is_plain());
    let mut checks: Vec<_> = presuming.map(|(one, outcome)| (one.key(), one.context.as_ref(), outcome)).collect();
    // In one order everywhere, so that two writers cannot wait for each other.
    checks.sort_by_key(|(key, ..)| *key);
    let tenants: Vec<_> = checks.iter().map(|((tenant, _), ..)| *tenant).collect();
    let conversations: Vec<_> = checks.iter().map(|((_, conversation), ..)| *conversation).collect();
    let held = sqlx::query(HOLD_ALL).bind(&tenants).bind(&conversations).fetch_all(&mut *connection).await?;
    let held: Vec<i64> = held.iter().map(|row| row.try_get(0)).collect::<Result<_>>()?;
    let rows = sqlx::query(NEWEST_TEXTS_OF_ALL).bind(&tenants).bind(&conversations).bind(most(MAX_CONTEXT));
    let rows = rows.fetch_all(&mut *connection).await?;
    let mut newest = rows.iter().map(|row| {
        let place = Place { sent_at: row.try_get(1)?, id: row.try_get(2)?, text: row.try_get(3)? };
        Ok((row.try_get::<i64, _>(0)?, place))
    });
    let mut newest = newest.by_ref().collect::<Result<Vec<_>>>()?.into_iter().peekable();
    let mut before = None;
    for (number, (key, context, outcome)) in (1..).zip(checks) {
        let places: Vec<_> =
            std::iter::from_fn(|| newest.next_if(|(of, _)| *of == number)).map(|(_, one)| one).collect();
        if !held.contains(&number) {
            *outcome = Append::NoConversation;
        } else if let Some(context) = context {
            // Other messages of the same conversation in this transaction have not been seen.
            if before == Some(key) || !context.holds(&places) {
                *outcome = Append::Superseded;
            }
        }
        if *outcome == Append::Appended {
            before = Some(key);
        }
    }
    Ok(())
}

/// Stores the receipts of the messages that are still to be appended, and notes whose key was used.
async fn keep_receipts(connection: &mut PgConnection, new: &[&NewMessages], outcomes: &mut [Append]) -> Result<()> {
    let due = new.iter().zip(outcomes).filter(|(_, outcome)| **outcome == Append::Appended);
    let mut receipts: Vec<_> =
        due.filter_map(|(one, outcome)| Some((&one.tenant, one.receipt.as_ref()?, outcome))).collect();
    // In one order everywhere, so that two writers cannot wait for each other.
    receipts.sort_by_key(|(tenant, receipt, _)| (tenant.as_str(), receipt.operation, receipt.key));
    for (tenant, receipt, outcome) in receipts {
        if !keep_on_postgres(connection, tenant, receipt).await? {
            *outcome = Append::Repeated;
        }
    }
    Ok(())
}

/// Inserts the messages that are still to be appended, and notes which have no conversation. Each column of all rows is
/// one array, so that the statement's text is the same for any number of rows.
async fn insert_all(connection: &mut PgConnection, new: &[&NewMessages], outcomes: &mut [Append]) -> Result<()> {
    let due = new.iter().enumerate().filter(|(place, _)| outcomes.get(*place) == Some(&Append::Appended));
    let rows: Vec<(usize, &NewMessages, &Message)> =
        due.flat_map(|(place, one)| one.messages.iter().map(move |message| (place, *one, message))).collect();
    let texts = |column: fn(&Message) -> &str| rows.iter().map(|(.., message)| column(message)).collect::<Vec<_>>();
    let numbers = |column: fn(&Message) -> i64| rows.iter().map(|(.., message)| column(message)).collect::<Vec<_>>();
    let roles: Vec<_> = rows.iter().map(|(.., message)| stored_role(message.sender.role)).collect();
    let sets: Vec<_> = rows.iter().map(|(.., message)| stored_set(message.masked_with)).collect();
    let (tenants, conversations): (Vec<_>, Vec<_>) = rows.iter().map(|(_, one, _)| one.key()).unzip();
    let insert = sqlx::query(INSERT_ALL)
        .bind(tenants)
        .bind(conversations)
        .bind(numbers(|message| message.sent_at.as_micros()))
        .bind(texts(|message| message.id.as_str()))
        .bind(roles)
        .bind(texts(|message| message.sender.external_id.as_str()))
        .bind(texts(|message| message.text.as_str()))
        .bind(numbers(|message| message.created_at.as_micros()))
        .bind(sets);
    for row in insert.fetch_all(connection).await? {
        let number = usize::try_from(row.try_get::<i64, _>(0)? - 1).unwrap_or(usize::MAX);
        let outcome = rows.get(number).and_then(|(place, ..)| outcomes.get_mut(*place));
        if let Some(outcome) = outcome {
            *outcome = Append::NoConversation;
        }
    }
    Ok(())
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
