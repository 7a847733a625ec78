//! How a message is stored, and what is made of it when it is read.

use parlance_domain::{
    conversation::{BrokenMember, MessageRun, Role, StoredMessage},
    error::StoreError,
    id::ConversationId,
    redaction::EntitySet,
    time::Timestamp,
};

use crate::{
    columns::Columns,
    error::{Unread, corrupt},
};

const TABLE: &str = "messages";

/// The place of the text among the columns of a message.
pub(super) const TEXT: usize = 4;

/// Adds a message from the columns identifier, client time, role, sender, text, what it was masked with, time of arrival.
pub(super) fn restore(
    row: &(impl Columns + ?Sized),
    conversation: &ConversationId,
    run: &mut MessageRun,
) -> Result<(), Unread> {
    let stored = stored(row, conversation.as_str())?;
    Ok(run.add(&stored).map_err(|member| broken(stored.id, member))?)
}

/// A message from the same columns, with the texts where they are. Those are still to be checked.
pub(crate) fn stored<'row>(
    row: &'row (impl Columns + ?Sized),
    conversation: &'row str,
) -> Result<StoredMessage<'row>, Unread> {
    let id = row.text(0)?;
    let moment = |place, column| -> Result<Timestamp, Unread> {
        let micros = row.integer(place)?;
        Ok(Timestamp::from_micros(micros).map_err(|broken| corrupt(TABLE, column, id, broken))?)
    };
    Ok(StoredMessage {
        id,
        conversation,
        role: restore_role(row.small(2)?).ok_or_else(|| corrupt(TABLE, "sender_role", id, "names no role"))?,
        sender_external_id: row.text(3)?,
        text: row.text(TEXT)?,
        masked_with: restore_set(row.bytes(5)?)
            .ok_or_else(|| corrupt(TABLE, "masked_with", id, "is no hexadecimal number of 128 bits"))?,
        sent_at: moment(1, "sent_at")?,
        created_at: moment(6, "created_at")?,
    })
}

/// The failure of a row with a text that no longer parses.
pub(crate) fn broken(id: &str, BrokenMember { member, rule }: BrokenMember) -> StoreError {
    let column = if member == "conversation" { "conversation_id" } else { member };
    corrupt(TABLE, column, id, rule)
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
fn restore_set(stored: &[u8]) -> Option<EntitySet> {
    let shortest = stored == b"0" || !stored.starts_with(b"0");
    let bits = stored.iter().try_fold(0_u128, |bits, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(bits << 4 | u128::from(digit))
    });
    bits.filter(|_| shortest && (1..=32).contains(&stored.len())).map(EntitySet::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_read_from_the_one_text_that_is_stored_for_it() {
        for bits in [0, 1, 0xab, EntitySet::defaults().bits()] {
            let set = EntitySet::from_bits(bits);
            assert_eq!(restore_set(stored_set(set).as_bytes()), Some(set));
        }
        assert_eq!(restore_set("f".repeat(32).as_bytes()), Some(EntitySet::from_bits(u128::MAX)));
        for text in ["", "00", "01", "A", "g", "+1", "-1", " 1", "1 ", "0x1", "é", &"f".repeat(33)] {
            assert_eq!(restore_set(text.as_bytes()), None, "{text:?}");
        }
    }
}
