//! Adding messages on PostgreSQL, many in one transaction.

use parlance_domain::{
    conversation::{Append, Remask},
    redaction::MAX_CONTEXT,
};
use sea_orm::sqlx::{self, Connection, Error, Row, postgres::PgConnection};

use super::{
    most,
    new::{Context, NewMessage, Place},
    statement::{HOLD_ALL, INSERT_ALL, MASK, NEWEST_TEXTS_OF_ALL},
    stored::{stored_role, stored_set},
};

type Result<T> = std::result::Result<T, Error>;

/// Adds those of these messages whose conversation exists and of which holds what they presume. All or none where it
/// fails.
pub(crate) async fn add_to_postgres(connection: &mut PgConnection, new: &[&NewMessage]) -> Result<Vec<Append>> {
    let mut outcomes = vec![Append::Appended; new.len()];
    if new.iter().all(|one| one.context.is_none()) {
        insert_all(connection, new, &mut outcomes).await?;
        return Ok(outcomes);
    }
    let mut transaction = connection.begin().await?;
    check_contexts(&mut transaction, new, &mut outcomes).await?;
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
async fn check_contexts(connection: &mut PgConnection, new: &[&NewMessage], outcomes: &mut [Append]) -> Result<()> {
    let in_context =
        new.iter().zip(outcomes).filter_map(|(one, outcome)| Some((one.key(), one.context.as_ref()?, outcome)));
    let mut checks: Vec<(_, &Context, &mut Append)> = in_context.collect();
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
        } else if before == Some(key) || !context.holds(&places) {
            // A second message of the same conversation has not seen the first.
            *outcome = Append::Superseded;
        } else {
            before = Some(key);
        }
    }
    Ok(())
}

/// Inserts the messages that are still to be appended, and notes which have no conversation. Each column of all rows is
/// one array, so that the statement's text is the same for any number of rows.
async fn insert_all(connection: &mut PgConnection, new: &[&NewMessage], outcomes: &mut [Append]) -> Result<()> {
    let due = new.iter().zip(outcomes).filter(|(_, outcome)| **outcome == Append::Appended);
    let (rows, mut outcomes): (Vec<&NewMessage>, Vec<_>) = due.map(|(row, outcome)| (*row, outcome)).unzip();
    let texts = |column: fn(&NewMessage) -> &str| rows.iter().map(|row| column(row)).collect::<Vec<_>>();
    let numbers = |column: fn(&NewMessage) -> i64| rows.iter().map(|row| column(row)).collect::<Vec<_>>();
    let roles: Vec<_> = rows.iter().map(|row| stored_role(row.message.sender.role)).collect();
    let sets: Vec<_> = rows.iter().map(|row| stored_set(row.message.masked_with)).collect();
    let insert = sqlx::query(INSERT_ALL)
        .bind(texts(|row| row.tenant.as_str()))
        .bind(texts(|row| row.message.conversation.as_str()))
        .bind(numbers(|row| row.message.sent_at.as_micros()))
        .bind(texts(|row| row.message.id.as_str()))
        .bind(roles)
        .bind(texts(|row| row.message.sender.external_id.as_str()))
        .bind(texts(|row| row.message.text.as_str()))
        .bind(numbers(|row| row.message.created_at.as_micros()))
        .bind(sets);
    for row in insert.fetch_all(connection).await? {
        let place = usize::try_from(row.try_get::<i64, _>(0)? - 1).unwrap_or(usize::MAX);
        if let Some(outcome) = outcomes.get_mut(place) {
            **outcome = Append::NoConversation;
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
