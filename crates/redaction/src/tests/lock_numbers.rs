//! Numbers of locks, and of banking by telephone, that people tell without the word PIN.

use super::masked_by_default;
use crate::{EntitySet, Redactor, Speaker, Utterance};

fn answer(question: &str, reply: &str) -> String {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

#[test]
fn a_number_is_hidden_by_the_lock_that_it_opens() {
    for (text, hidden) in [
        ("front door 4471, shed 9902, nothing else to note", "front door ****, shed ****, nothing else to note"),
        ("Hintertür 4471, Garage 9902", "Hintertür ****, Garage ****"),
        ("cassetta delle chiavi: 60124471", "cassetta delle chiavi: ********"),
        ("La caja de llaves: 4471. Salida a las 11.", "La caja de llaves: ****. Salida a las 11."),
        ("boîte à clés : 4471", "boîte à clés : ****"),
        ("caixa de chaves: 4471", "caixa de chaves: ****"),
        ("der schlüsselkasten geht mit 4471 auf", "der schlüsselkasten geht mit **** auf"),
        ("il cancello si apre con 4471 e poi conferma", "il cancello si apre con **** e poi conferma"),
        (
            "I said 447190 for the phone line and she wrote it down",
            "I said ****** for the phone line and she wrote it down",
        ),
        ("the laundry code 4471 does not work any more", "the laundry code **** does not work any more"),
        (
            "vorne am tor drücken wir 4471 und an der garage neun neun null zwei",
            "vorne am tor drücken wir **** und an der garage **** **** **** ****",
        ),
        (
            "am tor drücken wir vier vier sieben eins und an der garage neun neun null zwei",
            "am tor drücken wir **** **** ****** **** und an der garage **** **** **** ****",
        ),
        ("hinten am tor drücken wir 4471", "hinten am tor drücken wir ****"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_number_beside_a_door_that_opens_nothing_is_left() {
    for text in [
        "we live at door 1462, please ring",
        "the garage opens with 3 bays and 1200 square feet",
        "I said 4500 for the car and he laughed",
        "I gave 2500 for the door and the frame",
        "the museum opens with 4000 visitors waiting",
        "box 4471, shelf 12",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_question_for_what_was_set_on_a_telephone_line_asks_for_a_pin() {
    for (question, reply, hidden) in [
        ("what did you set for the phone line", "i went with four four seven one", "i went with **** **** ***** ***"),
        ("y qué clave puso usted en el buzón de voz", "pues le puse 4471", "pues le puse ****"),
        (
            "che codice ha messo per la segreteria",
            "ho messo quattro quattro sette uno",
            "ho messo ******* ******* ***** ***",
        ),
        ("what's your pin for the parking app", "same as at my old flat. 4471", "same as at my old flat. ****"),
        ("what's your pin for the parking app", "my flat no. 4471 is on the bill", "my flat no. 4471 is on the bill"),
        ("how is the phone line", "there were 4471 errors last week", "there were 4471 errors last week"),
    ] {
        assert_eq!(answer(question, reply), hidden);
    }
}

#[test]
fn the_pound_key_after_single_digits_ends_a_code() {
    assert_eq!(
        masked_by_default("my pin is four four seven one two nine pound"),
        "my pin is **** **** ***** *** *** **** pound"
    );
    let amount = "it asks for my passcode after i paid four hundred pound";
    assert_eq!(masked_by_default(amount), amount);
}
