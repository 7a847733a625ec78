//! Ages without a cue such as "years old".

use super::masked;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

#[test]
fn languages_that_have_years_say_an_age() {
    for (text, hidden) in [
        ("tengo 62 años y vivo sola", "tengo ** años y vivo sola"),
        ("j'ai 41 ans", "j'ai ** ans"),
        ("ho 29 anni, grazie", "ho ** anni, grazie"),
    ] {
        assert_eq!(masked(Entity::AGE, text), hidden);
    }
}

#[test]
fn years_of_a_contract_are_no_age() {
    for text in ["tengo 2 años de garantía", "j'ai 20 ans de retard", "hace 30 años que llamo"] {
        assert_eq!(masked(Entity::AGE, text), text);
    }
}

#[test]
fn one_after_a_pointing_word_answers_no_question_for_an_age() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::AGE]));
    let question = [Utterance { text: "how old are you?", speaker: Speaker::Other }];
    assert_eq!(redactor.redact("no answer to that one", &question).text, "no answer to that one");
    assert_eq!(redactor.redact("sixty one", &question).text, "***** ***");
}
