//! Records whose kind the words beside their number tell.

use super::masked;
use crate::{Entity, EntitySet, Redactor};

/// The entities found in a text with every entity active.
fn entities(text: &str) -> Vec<Entity> {
    Redactor::new(EntitySet::all()).redact(text, &[]).spans.iter().map(|span| span.entity).collect()
}

#[test]
fn a_reference_is_of_the_booking_or_order_of_its_text() {
    for (entity, text, hidden) in [
        (Entity::BOOKING_REFERENCE, "the table is booked, ref SL4U7G", "the table is booked, ref ******"),
        (
            Entity::BOOKING_REFERENCE,
            "deposit for the villa, reference: AH5622.",
            "deposit for the villa, reference: ******.",
        ),
        (Entity::ORDER_NUMBER, "issue an invoice against 3F8V-9076", "issue an invoice against ****-****"),
    ] {
        assert_eq!(masked(entity, text), hidden);
    }
}

#[test]
fn a_reference_of_nothing_that_is_booked_or_ordered_is_left() {
    for text in ["the standard, ref AB1234", "a vaccine against C19B22", "the order against 2024", "table 5, ref pages"]
    {
        assert_eq!(masked(Entity::BOOKING_REFERENCE, text), text);
        assert_eq!(masked(Entity::ORDER_NUMBER, text), text);
    }
}

#[test]
fn the_number_of_a_named_record_is_no_national_identifier_by_chance() {
    assert_eq!(entities("policy PC38358860 please"), [Entity::POLICY_NUMBER]);
    assert_eq!(entities("order W674961012 please"), [Entity::ORDER_NUMBER]);
    assert_eq!(entities("RFC for the factura: SOLG-680814-7P3"), [Entity::LATAM_NATIONAL_ID]);
}

#[test]
fn the_number_of_a_customer_or_contract_is_an_account_number() {
    for text in ["cust no 10238239", "disdice il contratto n. 63124845", "account no DC9688772"] {
        assert_eq!(entities(text), [Entity::ACCOUNT_NUMBER], "{text}");
    }
}

#[test]
fn a_security_word_is_an_answer_or_else_a_password() {
    assert_eq!(entities("Security word: pizza."), [Entity::SECURITY_ANSWER]);
    assert_eq!(masked(Entity::PASSWORD, "Security word: pizza."), "Security word: ********.");
}
