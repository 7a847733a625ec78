//! Names and addresses that the sequence tagger finds.

use super::masked;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

#[test]
fn a_name_is_found_in_sentences_without_a_cue_phrase() {
    for (text, hidden) in [
        ("my husband Jorge Villanueva placed the order", "my husband ***** ********** placed the order"),
        ("Kind regards,\nMaria Gonzalez", "Kind regards,\n***** ********"),
        ("can i speak to Priya please", "can i speak to ***** please"),
    ] {
        assert_eq!(masked(Entity::PERSON_NAME, text), hidden);
    }
}

#[test]
fn a_name_with_the_initial_of_a_middle_name_is_found_whole() {
    for (text, hidden) in [
        ("guten tag hier ist astrid c braun", "guten tag hier ist ****** * *****"),
        ("the ticket is for tariq w wang did you renew", "the ticket is for ***** * **** did you renew"),
    ] {
        assert_eq!(masked(Entity::PERSON_NAME, text), hidden);
    }
    let sentence = "so maria i think and carlos a lot";
    assert!(masked(Entity::PERSON_NAME, sentence).contains(" i think"), "{sentence}");
}

#[test]
fn an_address_is_found_in_words_and_in_european_order() {
    for (text, hidden) in [
        ("i live at twelve forty two elm street", "i live at ****** ***** *** *** ******"),
        ("ich wohne in der Hauptstraße 12", "ich wohne in der *********** **"),
    ] {
        assert_eq!(masked(Entity::STREET_ADDRESS, text), hidden);
    }
}

#[test]
fn months_weekdays_and_products_are_no_names() {
    for text in ["May I help you on Monday?", "Will the Router arrive in March?", "Grace period is 14 days."] {
        assert_eq!(masked(Entity::PERSON_NAME, text), text);
    }
}

#[test]
fn a_word_that_only_a_question_makes_a_name_needs_context() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PERSON_NAME]));
    let question = [Utterance { text: "and your last name?", speaker: Speaker::Other }];
    assert!(redactor.needs_context("okonkwo"));
    assert_eq!(redactor.redact("okonkwo", &question).text, "*******");
}
