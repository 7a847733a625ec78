//! Encodes and decodes stored messages.

use parlance_domain::{
    error::StoreError,
    id::ConversationId,
    message::{InvalidMember, MessageArena, MessageRef, Role},
    redaction::EntitySet,
    time::Timestamp,
};

use crate::{
    error::{ReadError, corrupt},
    row::Row,
};

const TABLE: &str = "messages";

/// The index of the text among the columns of a message.
pub(super) const TEXT_COLUMN: usize = 4;

/// Decodes a message from the columns `id`, `sent_at`, `sender_role`, `sender_external_id`, `text`, `masked_with`,
/// `created_at`, `redactions`, and adds it to the arena.
pub(super) fn restore_into(
    row: &(impl Row + ?Sized),
    conversation: &ConversationId,
    arena: &mut MessageArena,
) -> Result<(), ReadError> {
    let message = restore_ref(row, conversation.as_str())?;
    Ok(arena.push(&message).map_err(|member| corrupt_member(message.id, member))?)
}

/// Decodes a message from the same columns, with borrowed texts. The caller must still check the texts.
pub(crate) fn restore_ref<'row>(
    row: &'row (impl Row + ?Sized),
    conversation: &'row str,
) -> Result<MessageRef<'row>, ReadError> {
    let id = row.text(0)?;
    let timestamp = |index, column| -> Result<Timestamp, ReadError> {
        let micros = row.integer(index)?;
        Ok(Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, id, error))?)
    };
    Ok(MessageRef {
        id,
        conversation,
        role: role_from_number(row.smallint(2)?)
            .ok_or_else(|| corrupt(TABLE, "sender_role", id, "is not the number of a role"))?,
        sender_external_id: row.text(3)?,
        text: row.text(TEXT_COLUMN)?,
        masked_with: set_from_hex(row.bytes(5)?)
            .ok_or_else(|| corrupt(TABLE, "masked_with", id, "is not a hexadecimal number of up to 128 bits"))?,
        sent_at: timestamp(1, "sent_at")?,
        created_at: timestamp(6, "created_at")?,
        redactions: row.optional_text(7)?,
    })
}

/// The error of a row with an invalid member.
pub(crate) fn corrupt_member(id: &str, InvalidMember { member, rule }: InvalidMember) -> StoreError {
    let column = if member == "conversation" { "conversation_id" } else { member };
    corrupt(TABLE, column, id, rule)
}

/// The stored number of a role. The numbers never change their meaning.
pub(crate) fn role_to_number(role: Role) -> i16 {
    match role {
        Role::Agent => 1,
        Role::Customer => 2,
        Role::System => 3,
    }
}

fn role_from_number(number: i16) -> Option<Role> {
    Role::ALL.into_iter().find(|role| role_to_number(*role) == number)
}

/// The stored form of an entity set: its bits in lower-case hexadecimal.
pub(crate) fn set_to_hex(set: EntitySet) -> String {
    format!("{:x}", set.bits())
}

/// Decodes a stored entity set. The bits of unknown entities are dropped.
fn set_from_hex(hex: &[u8]) -> Option<EntitySet> {
    let has_no_leading_zero = hex == b"0" || !hex.starts_with(b"0");
    let bits = hex.iter().try_fold(0_u128, |bits, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(bits << 4 | u128::from(digit))
    });
    bits.filter(|_| has_no_leading_zero && (1..=32).contains(&hex.len())).map(EntitySet::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_stored_form_of_an_entity_set_is_accepted() {
        for bits in [0, 1, 0xab, EntitySet::defaults().bits()] {
            let set = EntitySet::from_bits(bits);
            assert_eq!(set_from_hex(set_to_hex(set).as_bytes()), Some(set));
        }
        assert_eq!(set_from_hex("f".repeat(32).as_bytes()), Some(EntitySet::from_bits(u128::MAX)));
        for text in ["", "00", "01", "A", "g", "+1", "-1", " 1", "1 ", "0x1", "é", &"f".repeat(33)] {
            assert_eq!(set_from_hex(text.as_bytes()), None, "{text:?}");
        }
    }
}
