//! Codes that let somebody in: at a gate, into a building, past an alarm.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities that are found by default after a question, with their texts.
fn found_after<'t>(question: &str, text: &'t str) -> Vec<(Entity, &'t str)> {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    let context = if question.is_empty() { &[][..] } else { &context[..] };
    let result = Redactor::new(EntitySet::defaults()).redact(text, context);
    result.spans.iter().map(|span| (span.entity, &text[span.start..span.end])).collect()
}

#[test]
fn a_code_is_named_by_what_it_opens() {
    for (text, value) in [
        ("the code to get into the warehouse is 90214 please pass it on", "90214"),
        ("the cleaner needs the code for the office. it's 7004 unless they changed it", "7004"),
        ("code for the courtyard 3388 then push hard", "3388"),
        ("yard code 6120, the dogs are friendly", "6120"),
        ("el código del portal es 4420, segundo piso", "4420"),
        ("para entrar al edificio el código es 8841", "8841"),
        ("le code de l'immeuble c'est 3056", "3056"),
        ("digicode 4478 bâtiment C", "4478"),
        ("Torcode 5190, bitte wieder schließen", "5190"),
        ("der code fürs treppenhaus lautet 2207", "2207"),
        ("código da portaria 5520", "5520"),
        ("codice per entrare nel palazzo 3019", "3019"),
        ("codice cancello 4471 scala B", "4471"),
        ("der code an der tür ist 2260", "2260"),
        ("can you text the guests the code for the flat, 6617", "6617"),
        ("key box code 5519 hanging on the railing", "5519"),
    ] {
        assert_eq!(found_after("", text), [(Entity::PIN, value)], "{text}");
    }
}

#[test]
fn a_question_for_such_a_code_is_answered_with_directions() {
    for (question, text, value) in [
        ("is there a code for the driver?", "yeah 4410 then take the stairs", "4410"),
        ("Do we need a code to get into the estate?", "2288 and the barrier goes up", "2288"),
        ("what code does the engineer need for the plant room", "its 5507 i think", "5507"),
        ("¿El repartidor necesita algún código para entrar?", "sí, 5501 y luego a la derecha", "5501"),
        ("Quel est le digicode ?", "2290 et après l'interphone Martin", "2290"),
        ("Wie kommt der Fahrer in den Hof?", "code ist 4403, dann links", "4403"),
        ("tem código pra entrar no prédio", "tem sim 6612 e sobe pro segundo", "6612"),
    ] {
        assert_eq!(found_after(question, text), [(Entity::PIN, value)], "{question} {text}");
    }
}

#[test]
fn a_box_a_room_and_an_alarm_have_codes_too() {
    for (text, value) in [
        ("the delivery box code is 48362915", "48362915"),
        ("cupboard code: 4836", "4836"),
        ("tonight the code for the linen room is 4836", "4836"),
        ("the duress code is 4836, do not mix them up", "4836"),
    ] {
        assert_eq!(found_after("", text), [(Entity::PIN, value)], "{text}");
    }
    assert_eq!(found_after("", "we are in room 4836"), []);
    assert_eq!(found_after("", "the zip code of the box is 48362"), []);
}

#[test]
fn other_codes_and_numbers_beside_an_entrance_stay() {
    for (question, text) in [
        ("", "the code for the summer sale is 2580 if you want it"),
        ("", "postal code of the building is 4471"),
        ("", "building code section 4471 says the stairs are too steep"),
        ("", "el código postal del edificio es 28013"),
        ("is there a discount code for the driver?", "yes 4471 last year but it expired"),
        ("is there a code for the driver?", "no just call me, order 44127"),
        ("Is there a code for the gate?", "no but it closes at 1900"),
        ("y a-t-il un digicode ?", "non, appelez en arrivant, appartement 1204"),
        ("what time can the driver come in", "1730 works"),
    ] {
        assert_eq!(found_after(question, text), [], "{question} {text}");
    }
}
