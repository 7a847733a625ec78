//! Ways to write and say a value.

use super::masked;
use crate::{Entity, EntitySet, Found, Redactor};

#[test]
fn a_card_is_found_with_zero_width_characters_between_its_digits() {
    assert_eq!(
        masked(Entity::CREDIT_CARD_NUMBER, "4111\u{200b}1111\u{200b}1111\u{200b}1111"),
        "****\u{200b}****\u{200b}****\u{200b}1111"
    );
}

#[test]
fn the_rest_of_a_track_is_masked_with_its_card() {
    for (text, hidden) in [
        ("%B4111111111111111^DOE/J^2512", "%B************1111^***/*^****"),
        ("%B4111111111111111^DOE/JANE^25121010000000000?", "%B************1111^***/****^*****************?"),
        ("swipe %B4111111111111111^DOE/JANE M    ^2512101? ok", "swipe %B************1111^***/**** *    ^*******? ok"),
        ("%B4111111111111111^DOE/JANE and more", "%B************1111^***/**** and more"),
        ("%B4111 1111 1111 1111^^2512101?", "%B**** **** **** 1111^^*******?"),
        (";4111111111111111=25121010000000000?", ";************1111=*****************?"),
        (
            "%B4111111111111111^DOE/JANE^2512101?;4111111111111111=2512101?",
            "%B************1111^***/****^*******?;************1111=*******?",
        ),
        ("4111111111111111D25121010000000000F", "************1111*******************"),
    ] {
        assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, text), hidden);
    }
}

#[test]
fn a_track_shows_a_card_whose_check_digit_is_wrong() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "%B4111111111111112^DOE/J^2512?"), "%B************1112^***/*^****?");
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, ";4111111111111112=2512101?"), ";************1112=*******?");
}

#[test]
fn what_stands_after_a_card_without_the_marks_of_a_track_is_left() {
    for text in
        ["4111111111111111 = mine", "4111111111111111=mine", "4111111111111111 ^ above", "4111111111111111? yes"]
    {
        assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, text), text.replace("411111111111", "************"));
    }
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "x=4111111111111112^2"), "x=4111111111111112^2");
}

#[test]
fn a_card_is_found_across_a_line_break() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "4111 1111\n1111 1111"), "**** ****\n**** 1111");
}

#[test]
fn a_card_is_found_between_other_digits() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "77 4111 1111 1111 1111 09"), "77 **** **** **** 1111 09");
}

#[test]
fn a_card_said_in_pairs_and_doubles_is_found() {
    assert_eq!(
        masked(Entity::CREDIT_CARD_NUMBER, "forty-one eleven double one double one eleven eleven eleven eleven"),
        "*****-*** ****** ****** *** ****** *** ****** ****** eleven eleven"
    );
}

#[test]
fn a_card_with_one_wrong_digit_is_no_card_without_a_cue() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "4111 1111 1111 1113"), "4111 1111 1111 1113");
}

#[test]
fn what_an_outside_detector_finds_is_masked_too() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PERSON_NAME]));
    let found = [Found { start: 6, end: 10, entity: Entity::PERSON_NAME }];
    assert_eq!(redactor.redact_with("hello Olga", &[], &found).text, "hello ****");
}

#[test]
fn a_text_without_anything_is_not_copied() {
    let redaction = Redactor::new(EntitySet::all()).redact("good morning", &[]);
    assert!(matches!(redaction.text, std::borrow::Cow::Borrowed("good morning")));
}

#[test]
fn a_card_right_after_a_word_of_repetition_is_found() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "double 4111111111111111"), "double ************1111");
}
