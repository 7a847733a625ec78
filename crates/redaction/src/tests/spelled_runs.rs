//! Letters and digits said aloud among other words.

use super::dictated_parts::masked;

#[test]
fn a_run_that_answers_a_question_after_other_words_is_masked() {
    for (question, answer, expected) in [
        (
            "may i have your medicare number",
            "let me get my glasses five g double five c x one y q two five",
            "let me get my glasses **** * ****** **** * * *** * * *** ****",
        ),
        (
            "gstin for the invoice please",
            "note down one three y m k h c four five nine zero z two z x",
            "note down *** ***** * * * * * **** **** **** **** * *** * *",
        ),
        (
            "what's the postcode",
            "so that's n r one seven four w n oh wait no it's e c one a zero p b",
            "so that's * * *** ***** **** * * oh wait no it's * * *** * **** * *",
        ),
    ] {
        assert_eq!(masked(&[question, answer]), expected);
    }
}

#[test]
fn the_letters_beside_the_digits_of_an_identifier_are_masked_with_them() {
    let text = "the record number is alpha six five seven eight one five they're on ward six";
    assert_eq!(masked(&[text]), "the record number is ***** *** **** ***** ***** *** **** they're on ward six");
}

#[test]
fn the_letters_before_the_digits_of_an_answer_are_masked_with_them() {
    let answer = masked(&["order reference", "it's letters and numbers c r four six five four three four one"]);
    assert_eq!(answer, "it's letters and numbers * * **** *** **** **** ***** **** ***");
}

#[test]
fn letters_and_digits_in_turn_that_nothing_names_are_masked() {
    let text = "the sticker has k u one e w one m f eleven on it";
    assert_eq!(masked(&[text]), "the sticker has * * *** * * *** * * ****** on it");
}

#[test]
fn a_long_run_that_nothing_names_is_masked() {
    let text = masked(&["the label reads zulu i m m echo five double five zero double five g"]);
    assert!(["zulu", "echo", "five"].iter().all(|word| !text.contains(word)), "{text}");
}

#[test]
fn the_letters_of_a_cue_are_left() {
    assert_eq!(
        masked(&["the label says m a c a four eight a f six one d"]),
        "the label says m a c * **** ***** * * *** *** *"
    );
}

#[test]
fn a_time_and_the_number_of_a_flight_are_left() {
    for text in ["it leaves at nine forty five p m and we sit here", "flight l h four one two four was late"] {
        assert_eq!(masked(&[text]), text);
    }
}

#[test]
fn letters_before_another_number_are_found_in_the_first_pass() {
    use crate::{Entity, EntitySet, Redactor};
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PHONE_NUMBER, Entity::NUMERIC_SEQUENCE]));
    let once = redactor.redact("1 2 q w r t z x, 202-555-0143", &[]).text.into_owned();
    assert_eq!(redactor.redact(&once, &[]).text, once);
}

#[test]
fn sizes_that_are_ordered_are_left() {
    let text = "i placed an order yesterday and got two x l and three m shirts";
    assert_eq!(masked(&[text]), text);
}

#[test]
fn letters_are_explained_in_other_languages() {
    for (question, answer, hidden) in [
        (
            "il suo codice fiscale",
            "g b come bologna sette cinque r come roma sei",
            "* * **** ******* ***** ****** * **** **** ***",
        ),
        (
            "die iban bitte langsam",
            "a t wie theodor acht drei sieben sechs sechs",
            "* * *** ******* **** **** ****** ***** *****",
        ),
        (
            "me da su número de pedido",
            "sí es c e de enrique siete noventa y seis",
            "sí es * * ** ******* ***** ******* * ****",
        ),
    ] {
        assert_eq!(masked(&[question, answer]), hidden);
    }
}

#[test]
fn letters_alone_are_an_identifier_only_where_one_is_asked_for() {
    let answer = "yeah six letters and numbers p a b g w p";
    assert_eq!(
        masked(&["have you got your booking reference there", answer]),
        "yeah six letters and numbers * * * * * *"
    );
    assert_eq!(masked(&["the spelling test was p a b g w p and so on"]), "the spelling test was p a b g w p and so on");
}

#[test]
fn spoken_postal_codes_are_found_by_their_form() {
    use crate::{Entity, EntitySet, Redactor};
    for (text, entity) in [
        ("two engineers are near l two six seven s l today", Entity::UK_POSTCODE),
        ("i live at c six l two l six now", Entity::CA_POSTAL_CODE),
    ] {
        let spans = Redactor::new(EntitySet::all()).redact(text, &[]).spans;
        assert_eq!(spans.iter().map(|span| span.entity).collect::<Vec<_>>(), [entity], "{text}");
    }
}

#[test]
fn numbers_in_several_words_of_other_languages_are_part_of_a_run() {
    let answer = "a t siebzehn elf siebenundneunzig null acht siebenundsechzig vierundneunzig neunzig fünfundzwanzig \
                  siebenundachtzig";
    let masked = masked(&["ihre iban bitte", answer]);
    assert!(masked.starts_with("* * ") && !masked.contains("elf"), "{masked}");
}

#[test]
fn words_for_large_letters_are_part_of_a_run() {
    use crate::{Entity, Redactor};
    let text = "the booking reference is capital k seven capital b nine capital q four i think";
    let redaction = Redactor::new(Entity::BOOKING_REFERENCE.bit()).redact(text, &[]);
    assert_eq!(redaction.text, "the booking reference is ******* * ***** ******* * **** ******* * **** i think");
}

#[test]
fn french_numbers_in_two_words_are_part_of_a_run() {
    let answer = "f r quarante et un vingt-deux k zéro un soixante et onze";
    assert_eq!(masked(&["l'iban s'il vous plaît", answer]), "* * ******** ** ** *****-**** * **** ** ******** ** ****");
}
