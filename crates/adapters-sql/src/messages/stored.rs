//! How a message is stored, and what is made of it when it is read.

use parlance_domain::{
    conversation::{Message, Role, Sender},
    id::{ConversationId, MessageId},
    redaction::EntitySet,
    text::{ExternalId, MessageText, Violation},
    time::Timestamp,
};

use crate::{
    columns::Columns,
    error::{Unread, corrupt},
};

const TABLE: &str = "messages";

/// A message from the columns identifier, client time, role, sender, text, what it was masked with, time of arrival.
pub(crate) fn restore(row: &(impl Columns + ?Sized), conversation: &ConversationId) -> Result<Message, Unread> {
    let id = row.text(0)?;
    let moment = |place, column| -> Result<Timestamp, Unread> {
        let micros = row.integer(place)?;
        Ok(Timestamp::from_micros(micros).map_err(|broken| corrupt(TABLE, column, id, broken))?)
    };
    let text = |column| move |broken: Violation| corrupt(TABLE, column, id, broken);
    Ok(Message {
        sent_at: moment(1, "sent_at")?,
        created_at: moment(6, "created_at")?,
        sender: Sender {
            role: restore_role(row.small(2)?).ok_or_else(|| corrupt(TABLE, "sender_role", id, "names no role"))?,
            external_id: ExternalId::parse(row.text(3)?).map_err(text("sender_external_id"))?,
        },
        text: MessageText::parse(row.text(4)?).map_err(text("text"))?,
        masked_with: restore_set(row.text(5)?)
            .ok_or_else(|| corrupt(TABLE, "masked_with", id, "is no hexadecimal number of 128 bits"))?,
        conversation: conversation.clone(),
        id: MessageId::parse(id).map_err(text("id"))?,
    })
}

/// The numbers are stored: they never change their meaning.
pub(crate) fn stored_role(role: Role) -> i16 {
    match role {
        Role::Agent => 1,
        Role::Customer => 2,
        Role::System => 3,
    }
}

fn restore_role(stored: i16) -> Option<Role> {
    Role::ALL.into_iter().find(|role| stored_role(*role) == stored)
}

/// A set of entities as its bits in lower-case hexadecimal.
pub(crate) fn stored_set(set: EntitySet) -> String {
    format!("{:x}", set.bits())
}

/// The set that was stored so; bits of entities that this program does not know are dropped.
fn restore_set(stored: &str) -> Option<EntitySet> {
    let digits = stored.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    let shortest = stored == "0" || !stored.starts_with('0');
    let bits = u128::from_str_radix(stored, 16).ok().filter(|_| digits && shortest)?;
    Some(EntitySet::from_bits(bits))
}
