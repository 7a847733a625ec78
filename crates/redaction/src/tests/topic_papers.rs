//! Social security numbers that no message names, by what the messages speak of.

use super::sole_codes::{answered, found};
use crate::Entity;

#[test]
fn nine_digits_in_talk_about_benefits_or_taxes_are_a_social_security_number() {
    for (text, value) in [
        ("i get unemployment, try 536904399 first", "536904399"),
        ("it has nine digits so 536904399", "536904399"),
        (
            "for the payroll people it's five three six nine oh four three nine nine",
            "five three six nine oh four three nine nine",
        ),
        ("sorry i mistyped, 536904399", "536904399"),
    ] {
        assert_eq!(found(text), [(Entity::SSN, value)], "{text}");
    }
    let ssn = [(Entity::SSN, "536904399")];
    assert_eq!(answered("and the dependents, do you have theirs", "hers 536904399"), ssn);
}

#[test]
fn nine_digits_with_another_name_or_topic_are_left() {
    for text in [
        "the tax invoice reference is 536904399",
        "unemployment cost the country 536904300 last year",
        "my router shows 536904399",
        "tracking 536904399 for the tax forms",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn the_digits_that_end_a_number_which_was_asked_for_are_part_of_it() {
    let found = answered("only the last four of your social please", "ending 4399");
    assert_eq!(found, [(Entity::SSN, "4399")]);
}
