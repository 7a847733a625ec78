//! Expiry dates of cards.

use super::dictated_parts::masked;

#[test]
fn a_date_after_words_for_the_end_of_validity_is_an_expiry_date() {
    for (text, expected) in [
        ("valid to: 06/32", "valid to: **/**"),
        ("the card is good until 08-29", "the card is good until **-**"),
        ("valid until 1/30", "valid until */**"),
        ("valable jusqu'au 10/24", "valable jusqu'au **/**"),
    ] {
        assert_eq!(masked(&[text]), expected);
    }
}

#[test]
fn a_month_and_a_year_after_a_question_for_the_expiry_date_are_that_date() {
    use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};
    let context = [Utterance { text: "expiration date", speaker: Speaker::Other }];
    let redactor = Redactor::new(EntitySet::all().without(EntitySet::from_iter([Entity::DOB])));
    let spans = redactor.redact("november twenty six", &context).spans;
    assert_eq!(spans.iter().map(|span| span.entity).collect::<Vec<_>>(), [Entity::CARD_EXPIRATION_DATE]);
}

#[test]
fn the_hour_at_which_something_ends_is_left() {
    assert_eq!(masked(&["we are open until 1:30"]), "we are open until 1:30");
}
