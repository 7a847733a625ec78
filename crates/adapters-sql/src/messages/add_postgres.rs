//! Adding messages on PostgreSQL, many in one transaction.

use std::collections::BTreeSet;

use parlance_domain::{
    conversation::{Append, Message, Remask},
    redaction::MAX_CONTEXT,
};
use sea_orm::sqlx::{self, Connection, Error, Row, postgres::PgConnection};

use super::{
    most,
    new::{Context, NewMessages},
    statement::{HOLD_ALL, INSERT_ALL, MASK},
    stored::{stored_role, stored_set},
};
use crate::receipts::keep_all_on_postgres;

type Result<T> = std::result::Result<T, Error>;

/// Adds those of these messages whose conversation exists and of which holds what they presume. All or none where it
/// fails; it fails, too, where one of several has a key that was used, since the others are then to be tried without it.
pub(crate) async fn add_to_postgres(connection: &mut PgConnection, new: &[&NewMessages]) -> Result<Vec<Append>> {
    if new.iter().all(|one| one.is_plain()) {
        return insert_all(connection, new, vec![Append::Appended; new.len()]).await;
    }
    let mut transaction = connection.begin().await?;
    let first = hold_all(&mut transaction, new).await?;
    let outcomes = insert_all(&mut transaction, new, first).await?;
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

/// Holds the conversations of the messages that presume something, so that what they presume stays true until the
/// transaction ends. Plain messages are still added meanwhile. Of several that have seen the same conversation only the
/// first may be appended, since the others have not seen it.
async fn hold_all(connection: &mut PgConnection, new: &[&NewMessages]) -> Result<Vec<Append>> {
    let mut keys = BTreeSet::new();
    let first = new.iter().map(|one| match one.context {
        Some(_) if !keys.insert(one.key()) => Append::Superseded,
        _ => Append::Appended,
    });
    let first = first.collect();
    // In one order everywhere, so that two writers cannot wait for each other.
    let names: Vec<_> = keys.iter().map(|(tenant, conversation)| format!("{tenant}/{conversation}")).collect();
    sqlx::query(HOLD_ALL).bind(names).execute(connection).await?;
    Ok(first)
}

/// Inserts those of the messages that may still be appended, and tells what became of each. Each column of all rows is
/// one array, so that the statement's text is the same for any number of rows.
async fn insert_all(connection: &mut PgConnection, new: &[&NewMessages], mut all: Vec<Append>) -> Result<Vec<Append>> {
    let due = new.iter().enumerate().filter(|(place, _)| all.get(*place) == Some(&Append::Appended));
    let rows: Vec<(usize, &NewMessages, &Message)> =
        due.flat_map(|(place, one)| one.messages.iter().map(move |message| (place, *one, message))).collect();
    let texts = |column: fn(&Message) -> &str| rows.iter().map(|(.., message)| column(message)).collect::<Vec<_>>();
    let numbers = |column: fn(&Message) -> i64| rows.iter().map(|(.., message)| column(message)).collect::<Vec<_>>();
    let roles: Vec<_> = rows.iter().map(|(.., message)| stored_role(message.sender.role)).collect();
    let sets: Vec<_> = rows.iter().map(|(.., message)| stored_set(message.masked_with)).collect();
    let presumed: Vec<_> = rows.iter().map(|(_, one, _)| one.context.as_ref().map(presumed)).collect();
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
        .bind(sets)
        .bind(presumed)
        .bind(most(MAX_CONTEXT));
    for row in insert.fetch_all(connection).await? {
        let number = usize::try_from(row.try_get::<i64, _>(0)? - 1).unwrap_or(usize::MAX);
        if let Some(outcome) = rows.get(number).and_then(|(place, ..)| all.get_mut(*place)) {
            *outcome = if row.try_get(1)? { Append::Superseded } else { Append::NoConversation };
        }
    }
    Ok(all)
}

/// What messages presume of their conversation; what no conversation has, where they would mask what was not seen.
fn presumed(context: &Context) -> String {
    if context.masks_stand() { context.presumed() } else { "nothing".to_owned() }
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
