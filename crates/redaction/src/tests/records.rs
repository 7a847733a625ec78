//! Numbers of orders, bookings, contracts and customers.

use super::masked;
use crate::{Entity, EntitySet, Redactor};

#[test]
fn the_words_for_records_are_known_in_six_languages() {
    for (entity, text, hidden) in [
        (Entity::ORDER_NUMBER, "mi pedido 88213467 no llega", "mi pedido ******** no llega"),
        (Entity::ORDER_NUMBER, "Bestellnummer 70013342", "Bestellnummer ********"),
        (Entity::BOOKING_REFERENCE, "il codice prenotazione è QX7RT2", "il codice prenotazione è ******"),
        (Entity::POLICY_NUMBER, "póliza número 4410982", "póliza número *******"),
        (Entity::ACCOUNT_NUMBER, "meine Kundennummer lautet 5519021", "meine Kundennummer lautet *******"),
        (Entity::ZIP_CODE, "meine PLZ ist 10115", "meine PLZ ist *****"),
    ] {
        assert_eq!(masked(entity, text), hidden);
    }
}

#[test]
fn the_letters_before_a_hyphen_say_what_a_number_counts() {
    for (entity, text, hidden) in [
        (Entity::ORDER_NUMBER, "where is ORD-55120 please", "where is ***-***** please"),
        (Entity::ORDER_NUMBER, "inv-2207-118 is wrong", "***-****-*** is wrong"),
        (Entity::POLICY_NUMBER, "see POL-9913320", "see ***-*******"),
    ] {
        assert_eq!(masked(entity, text), hidden);
    }
}

#[test]
fn amounts_models_and_support_tickets_are_no_records() {
    for (entity, text) in [
        (Entity::ORDER_NUMBER, "die Rechnung über 349,90 € ist falsch"),
        (Entity::ORDER_NUMBER, "the TV-5512 has no order button"),
        (Entity::BOOKING_REFERENCE, "ticket 448120 was closed without a reply"),
        (Entity::BOOKING_REFERENCE, "your ticket number is 448120"),
    ] {
        assert_eq!(masked(entity, text), text);
    }
}

#[test]
fn handy_after_a_number_is_no_telephone() {
    let question =
        [crate::Utterance { text: "have you got your patient number handy", speaker: crate::Speaker::Other }];
    let redactor = Redactor::new(EntitySet::all());
    let found = redactor.redact("yes it's 8830214", &question);
    assert_eq!(found.spans.first().map(|span| span.entity), Some(Entity::MEDICAL_RECORD_NUMBER));
}

#[test]
fn the_groups_of_digits_tell_an_order_of_a_marketplace() {
    for (text, hidden) in [
        ("it was 305-4471926-0083317 i think", "it was ***-*******-******* i think"),
        ("still waiting for 14-08823-51907", "still waiting for **-*****-*****"),
    ] {
        assert_eq!(masked(Entity::ORDER_NUMBER, text), hidden);
    }
    let text = "the part is 305-447-0083";
    assert_eq!(masked(Entity::ORDER_NUMBER, text), text);
}

#[test]
fn a_sort_code_is_told_from_an_account_by_its_groups() {
    let question = [crate::Utterance { text: "sort code and account number?", speaker: crate::Speaker::Other }];
    let redactor = Redactor::new(EntitySet::all());
    let found = redactor.redact("it's 20-45-18", &question);
    assert_eq!(found.spans.first().map(|span| span.entity), Some(Entity::UK_SORT_CODE));
}

#[test]
fn an_identifier_ends_before_the_next_clause() {
    let active = EntitySet::from_iter([Entity::US_MEDICARE_ID, Entity::AU_MEDICARE]);
    let found = Redactor::new(active).redact("My Medicare is 2123-45670-1 and I pay it monthly.", &[]);
    assert_eq!(found.text, "My Medicare is ****-*****-* and I pay it monthly.");
    assert_eq!(found.spans.first().map(|span| span.entity), Some(Entity::AU_MEDICARE));
}

#[test]
fn a_letter_that_touches_the_digits_of_a_named_number_is_masked_with_them() {
    let text = "my license was stolen, the number was L79650685715693 thank god";
    let hidden = "my license was stolen, the number was *************** thank god";
    assert_eq!(Redactor::new(EntitySet::all()).redact(text, &[]).text, hidden);
}
