//! Codes that a message names anywhere, and whose number is the only one that can be meant.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities that are found by default, with their texts.
pub(super) fn found(text: &str) -> Vec<(Entity, &str)> {
    found_after(&[], Speaker::Unknown, text)
}

/// What is found in an answer to a question.
pub(super) fn answered<'t>(question: &str, text: &'t str) -> Vec<(Entity, &'t str)> {
    found_after(&[question], Speaker::Other, text)
}

/// What is found in a text after earlier messages of a speaker.
pub(super) fn found_after<'t>(earlier: &[&str], speaker: Speaker, text: &'t str) -> Vec<(Entity, &'t str)> {
    let context = earlier.iter().map(|text| Utterance { text, speaker }).collect::<Vec<_>>();
    let result = Redactor::new(EntitySet::defaults()).redact(text, &context);
    result.spans.iter().map(|span| (span.entity, &text[span.start..span.end])).collect()
}

#[test]
fn the_only_number_of_a_message_that_names_a_code_is_the_code() {
    for (text, entity, value) in [
        ("382 is what the site wanted when it asked for my security code i suppose", Entity::CVV, "382"),
        ("they wanted the check digits of the card so i read out four oh nine", Entity::CVV, "four oh nine"),
        ("ich tippe jedes mal brav die 417 und trotzdem ist die Prüfziffer falsch", Entity::CVV, "417"),
        ("o cod de segurança que aparece atrás do cartão novo agora ficou 228 ou não serve?", Entity::CVV, "228"),
        ("my daughter set the pin and she swears blind seven one nine four", Entity::PIN, "seven one nine four"),
        ("mi pin de toda la vida, el 4417 de siempre, ya no me lo coge el cajero", Entity::PIN, "4417"),
        ("mon code pin de la sim le 7350 ne passe plus depuis la mise à jour", Entity::PIN, "7350"),
        ("my wife does the cards she's shouting three one eight from the kitchen", Entity::CVV, "three one eight"),
    ] {
        assert_eq!(found(text), [(entity, value)], "{text}");
    }
}

#[test]
fn a_code_and_its_correction_are_both_found() {
    assert_eq!(found("is the cvv 552 or 562? my eyes are bad"), [(Entity::CVV, "552"), (Entity::CVV, "562")]);
    assert_eq!(found("old pin 3391 new pin 8820 please update"), [(Entity::PIN, "3391"), (Entity::PIN, "8820")]);
}

#[test]
fn a_number_of_another_meaning_is_left_in_a_message_that_names_a_code() {
    for text in [
        "my pin letter went to flat 1204 and i live in 1402",
        "i forgot my pin and have been a customer since 1998",
        "the cvv check failed with error 5012 on your site",
        "order 55213 was declined because of the security code",
        "das pin-schreiben kam an meine alte adresse hauptstraße 112",
        "mon code pin est bloqué, dossier 66120",
        "o pin nao chegou na rua augusta 1500",
        "the security number on the card is rubbed off and the bank is 450 miles away",
        "they want the security code before they release the 2500 cases of wine",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn a_place_or_purpose_names_the_only_code_of_a_message() {
    for (text, entity, value) in [
        ("turned the card over, tiny print, looks like 406 to me", Entity::CVV, "406"),
        ("habe die karte umgedreht und da steht ganz klein 338", Entity::CVV, "338"),
        ("the little 620 next to where you sign, that one?", Entity::CVV, "620"),
        ("the barrier wants a number, note from the landlord says 66120", Entity::PIN, "66120"),
        ("das schloss am fahrradkeller habe ich auf 7315 gestellt", Entity::PIN, "7315"),
        ("pour ouvrir le portail il faut taper 4096", Entity::PIN, "4096"),
        ("oh the gate right nine double eight seven star", Entity::PIN, "nine double eight seven"),
        ("i keyed in seven five five four three times and it beeped", Entity::PIN, "seven five five four"),
        ("i was told if i gave 5652 as my account pin you'd talk to me", Entity::PIN, "5652"),
        ("under the silver bit there is 8120", Entity::PIN, "8120"),
        ("voicemail keeps wanting something so i gave it 3347", Entity::PIN, "3347"),
    ] {
        assert_eq!(found(text), [(entity, value)], "{text}");
    }
}

#[test]
fn a_number_beside_a_place_or_device_alone_is_left() {
    for text in [
        "i turned the card over to the cashier and paid 349",
        "turn it around, the parcel is on shelf 412",
        "the gate closes at 2130 every night",
        "i put 2500 in the safe yesterday",
        "my sim has 5000 minutes left",
        "parental controls block 4000 sites",
        "my card got refused on bus 214",
        "984 sorry boss is standing behind me",
        "la puerta del piso 1204 no cierra",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn the_longest_german_number_word_is_read() {
    for text in ["meine pin ist siebenunddreißig fünfundsechzig", "meine pin ist siebenunddreissig fünfundsechzig"] {
        assert_eq!(found(text).len(), 1, "{text}");
    }
}

#[test]
fn the_end_of_a_social_security_number_is_found_in_other_words() {
    for (text, value) in [
        ("is 3391 the tail end of her ssn or mine?", "3391"),
        ("SSN on the enrolment sheet: xxx-xx-4410, hired in may", "4410"),
        ("i only remember the last four they're double zero eight one", "double zero eight one"),
        ("put my ssn on the w2 form wrong, should read 528-41-7790", "528-41-"),
        ("i've got four one two seven seven oh three three nine on the background form", ""),
    ] {
        let found = found(text);
        assert!(matches!(found.as_slice(), [(Entity::SSN, text)] if text.starts_with(value)), "{text}: {found:?}");
    }
    for text in [
        "my ssn ends in the same digits as my phone",
        "her social security check was 1422 dollars at the end of the month",
        "last four orders were late and the last one cost 1422",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn one_is_no_digit_where_it_stands_for_a_noun() {
    let text = "the security code was 318 on the old card and on the new one 907";
    assert_eq!(found(text), [(Entity::CVV, "318"), (Entity::CVV, "907")]);
    assert_eq!(found("the pin is one two three four"), [(Entity::PIN, "one two three four")]);
}

#[test]
fn the_number_of_what_is_guarded_is_found() {
    for (text, value) in [
        ("the envelope with the number for atms says 7730, can my son use it", "7730"),
        ("the digits for the alarm are 5519", "5519"),
        ("les chiffres du cadenas c'est 5512", "5512"),
        ("die Zahlen fürs Schloss sind 5512", "5512"),
        ("o número para o portão é 5512", "5512"),
        ("the safe is behind the meter, dial 85771 and pull", "85771"),
        ("is 6617 still good for the side gate", "6617"),
        ("he reset the pin to 9802 over the phone", "9802"),
    ] {
        assert!(found(text).contains(&(Entity::PIN, value)), "{text}: {:?}", found(text));
    }
    for text in [
        "we look forward to closing 2020 with good results in the vault",
        "i set the meeting at the entrance to 1430",
        "the vault has 5000 gold bars",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn a_number_that_is_the_only_one_left_once_others_are_masked_is_found_at_once() {
    use crate::{Entity, EntitySet, Redactor};
    let redactor = Redactor::new(EntitySet::from_iter([Entity::NUMERIC_SEQUENCE, Entity::PIN]));
    let text = "milagros and 1384 four eight eight oh pls tell me thats not the voicemail default.. 1990?";
    let once = redactor.redact(text, &[]).text.into_owned();
    assert_eq!(redactor.redact(&once, &[]).text, once);
}
