//! Codes that were sent or that a device shows, asked for in everyday words.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities of an answer, if every entity is looked for.
fn entities(question: &str, answer: &str) -> Vec<Entity> {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    let redaction = Redactor::new(EntitySet::all()).redact(answer, &context);
    redaction.spans.iter().map(|span| span.entity).collect()
}

#[test]
fn the_answer_to_a_question_for_what_came_by_phone_is_a_one_time_code() {
    for (question, answer) in [
        ("has something popped up on your mobile", "oh yes four one double eight two six"),
        ("what does your authenticator app show", "hang on now it's nine three oh five five one"),
        ("qué le pone el mensaje que ha recibido", "pone 551903"),
        ("quel est le code que vous avez reçu à l'instant", "alors c'est 801446"),
        ("ist gerade ein code per sms angekommen", "ja 339175"),
        ("recebeu agora um código no telemóvel", "sim é 662081"),
        ("mi legge il codice che è appena arrivato", "allora 904418"),
    ] {
        assert_eq!(entities(question, answer), [Entity::ONE_TIME_PASSCODE], "{question}");
    }
}

#[test]
fn what_else_arrives_or_is_sent_asks_for_no_code() {
    for (question, answer) in [
        ("did the parcel come and what does the label say", "it says 551903"),
        ("when did the message come", "at 12:30"),
        ("what error code did you get just now", "4471"),
    ] {
        assert!(!entities(question, answer).contains(&Entity::ONE_TIME_PASSCODE), "{question}");
    }
}
