//! Names and e-mail addresses typed letter by letter, and local parts alone.

use super::masked;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

fn answered(entity: Entity, question: &str, text: &str) -> String {
    let redactor = Redactor::new(EntitySet::from_iter([entity]));
    redactor.redact(text, &[Utterance { text: question, speaker: Speaker::Other }]).text.into_owned()
}

#[test]
fn letters_one_by_one_are_the_name_that_was_asked_for() {
    let question = "Could you spell your surname for me?";
    for (text, hidden) in [("D.i.a.z", "*.*.*.*"), ("it's W-e-b-e-r", "it's *-*-*-*-*"), ("L, e, e", "*, *, *")] {
        assert_eq!(answered(Entity::PERSON_NAME, question, text), hidden);
    }
    assert_eq!(answered(Entity::PERSON_NAME, "Anything else?", "D.i.a.z"), "D.i.a.z");
}

#[test]
fn letters_one_by_one_beside_a_word_for_a_name_are_one() {
    let text = "its A R M I T A G E, everyone gets my surname wrong";
    assert_eq!(masked(Entity::PERSON_NAME, text), "its * * * * * * * *, everyone gets my surname wrong");
    assert_eq!(masked(Entity::PERSON_NAME, "the form says A, B, C or D"), "the form says A, B, C or D");
}

#[test]
fn an_email_address_is_found_letter_by_letter() {
    for (text, hidden) in [
        ("r-o-s-a-@-m-a-i-l-.-c-o-m", "*-*-*-*-@-m-a-i-l-.-c-o-m"),
        ("it is J O 7 @ M A I L . C O M ok", "it is * * * @ M A I L . C O M ok"),
    ] {
        assert_eq!(masked(Entity::EMAIL, text), hidden);
    }
    for text in ["3 @ 5 . 9 9", "meet me @ 5", "a-@-b"] {
        assert_eq!(masked(Entity::EMAIL, text), text);
    }
}

#[test]
fn a_local_part_alone_answers_a_question_for_an_email_address() {
    let question = "What's your email?";
    assert_eq!(answered(Entity::EMAIL, question, "its daphne.greco16"), "its ******.*******");
    assert_eq!(answered(Entity::EMAIL, question, "I have 2 of them"), "I have 2 of them");
    assert_eq!(answered(Entity::EMAIL, "Which plan is it?", "its daphne.greco16"), "its daphne.greco16");
}
