//! Dates of birth that a text or a question names in Spanish, French, German, Portuguese and Italian.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities found in a text after a question.
fn entities(question: &str, text: &str) -> Vec<Entity> {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::DATE, Entity::DOB]));
    let question = [Utterance { text: question, speaker: Speaker::Other }];
    redactor
        .redact(text, if question[0].text.is_empty() { &[] } else { &question })
        .spans
        .iter()
        .map(|s| s.entity)
        .collect()
}

#[test]
fn a_date_after_a_word_for_birth_is_a_date_of_birth() {
    for text in [
        "Carmen, nacida el 22 de noviembre de 1989",
        "Thomas, né le 1954-06-03",
        "meine Frau, geboren am 29. November 1937",
        "data de nascimento 31 de janeiro de 1939",
        "Alessandro, nato il 04-12-1964",
    ] {
        assert_eq!(entities("", text), [Entity::DOB], "{text}");
    }
}

#[test]
fn a_date_that_answers_a_question_for_a_birth_is_a_date_of_birth() {
    for (question, text) in [
        ("¿Cuándo nació?", "el 3/4/1980"),
        ("Votre date de naissance ?", "le 3 avril 1980"),
        ("Wann sind Sie geboren?", "am 19.12.1957"),
        ("Qual é a data de nascimento do titular?", "21/07/1936"),
        ("Data di nascita?", "3 aprile 1980"),
    ] {
        assert_eq!(entities(question, text), [Entity::DOB], "{question}");
    }
}

#[test]
fn a_date_of_another_day_is_no_date_of_birth() {
    for text in ["je ne viens pas le 12/03/2024", "der Vertrag vom 19.12.2023", "consegna il 04-12-2024"] {
        assert_eq!(entities("", text), [Entity::DATE], "{text}");
    }
}
