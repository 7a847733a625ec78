//! Names by their position in a document or message.

use super::masked;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

fn assert_names(cases: &[(&str, &str)]) {
    for (text, hidden) in cases {
        assert_eq!(masked(Entity::PERSON_NAME, text), *hidden);
    }
}

#[test]
fn a_name_follows_what_a_person_is_in_a_document() {
    assert_names(&[
        ("Cardholder JASMINE PARK denies it", "Cardholder ******* **** denies it"),
        ("658445228, guest is giovanni laurent", "658445228, guest is ******** *******"),
        ("dejar con el portero Otto", "dejar con el portero ****"),
        ("Angehörige Otto Becker (Tochter)", "Angehörige **** ****** (Tochter)"),
    ]);
}

#[test]
fn a_name_follows_a_title() {
    assert_names(&[
        ("they wont fill it for old mrs Owusu", "they wont fill it for old mrs *****"),
        ("Medico: dott.ssa Grimaldi.", "Medico: dott.ssa ********."),
        ("Mrs Graham disclosed it", "Mrs ****** disclosed it"),
    ]);
}

#[test]
fn a_name_follows_words_that_ask_for_somebody() {
    assert_names(&[
        ("Unit 90 is changed at the request of Nina Baldwin.", "Unit 90 is changed at the request of **** *******."),
        ("a table for 4 booked under bhattacharya, please", "a table for 4 booked under ************, please"),
        ("just shout for Emiliano outside", "just shout for ******** outside"),
        ("sonnez chez de Villiers", "sonnez chez ** ********"),
        ("Leave it c/o Yıldız, please", "Leave it c/o ******, please"),
    ]);
}

#[test]
fn things_after_such_words_are_no_names() {
    for text in [
        "ask for a refund",
        "the order for Monday",
        "the guest is not happy",
        "bei Fragen melden",
        "under the booked price",
        "a room under Budget",
        "Beneficiary: Blue Fern",
        "at the request of Legal",
    ] {
        assert_eq!(masked(Entity::PERSON_NAME, text), text);
    }
}

#[test]
fn the_people_of_a_meeting_are_named_in_a_list() {
    assert_names(&[
        (
            "Present: Rosa Diaz, Sofía. Apologies: Marta and Hans.",
            "Present: **** ****, *****. Apologies: ***** and ****.",
        ),
        ("Apologies: none.", "Apologies: none."),
    ]);
}

#[test]
fn a_surname_with_a_comma_stands_before_a_given_name() {
    assert_names(&[
        ("List\n1. Leblanc, Otto, 71", "List\n1. *******, ****, 71"),
        ("a seguire Esposito, Marta, nata ieri", "a seguire ********, *****, nata ieri"),
    ]);
    // The word that ends a letter is no surname.
    assert_eq!(masked(Entity::PERSON_NAME, "Best, Simon"), "Best, *****");
}

#[test]
fn the_last_line_of_a_message_is_a_signature() {
    assert_names(&[("all sorted now, thx so much\npilar x", "all sorted now, thx so much\n***** x")]);
    assert_eq!(masked(Entity::PERSON_NAME, "all sorted now\nthanks x"), "all sorted now\nthanks x");
}

#[test]
fn words_of_address_and_departments_are_no_names() {
    for text in ["hey chief, are you open", "the team from Procurement will call", "we stayed near Saint Helena Bay"] {
        assert_eq!(masked(Entity::PERSON_NAME, text), text);
    }
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PERSON_NAME]));
    let question = [Utterance { text: "Could I take your name please?", speaker: Speaker::Other }];
    assert_eq!(redactor.redact("no thanks buddy", &question).text, "no thanks buddy");
}
