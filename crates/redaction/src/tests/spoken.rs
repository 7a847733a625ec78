//! Spoken codes, addresses and numbers.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// Asserts that every letter and digit of a code after its cue is masked.
fn assert_hidden_after(entity: Entity, cue: &str, code: &str) {
    let stars: String = code.chars().map(|c| if c.is_alphanumeric() { '*' } else { c }).collect();
    assert_eq!(masked(entity, &format!("{cue} {code}")), format!("{cue} {stars}"));
}

#[test]
fn a_spelled_code_after_its_cue_is_masked() {
    assert_hidden_after(Entity::BOOKING_REFERENCE, "my booking reference is", "alpha bravo four two");
    assert_hidden_after(Entity::BOOKING_REFERENCE, "the confirmation number is", "q x r four eight two");
    assert_hidden_after(Entity::BOOKING_REFERENCE, "my booking reference is", "whiskey tango romeo echo papa lima");
    assert_hidden_after(Entity::POLICY_NUMBER, "my policy number is", "b as in bravo n for november four two one one");
    assert_hidden_after(
        Entity::POLICY_NUMBER,
        "policy number",
        "h like henry uh d like david forty two double one seven",
    );
    assert_hidden_after(Entity::ACCOUNT_NUMBER, "customer number", "k dash five double d six two");
    assert_hidden_after(Entity::PASSPORT_NUMBER, "my passport number is", "c zero one x zero zero t four seven");
    assert_hidden_after(Entity::UK_POSTCODE, "the postcode is", "sierra whiskey one alpha one alpha alpha");
    assert_hidden_after(Entity::CA_POSTAL_CODE, "my postal code is", "k one a zero b one");
    assert_hidden_after(
        Entity::VIN,
        "the vin is",
        "one m eight golf delta mike nine alpha x kilo papa zero four two seven eight eight",
    );
}

#[test]
fn a_spelled_code_answers_the_question_before_it() {
    let context = [Utterance { text: "what is your booking reference?", speaker: Speaker::Other }];
    let redactor = Redactor::new(EntitySet::from_iter([Entity::BOOKING_REFERENCE]));
    for text in ["alpha bravo four two six six", "it's q x r four eight two"] {
        assert_ne!(redactor.redact(text, &context).text, text);
        assert!(redactor.needs_context(text));
    }
}

#[test]
fn words_of_the_spelling_alphabet_in_a_sentence_are_not_a_code() {
    for text in [
        "booking for a hotel in india for two",
        "the reservation is at hotel lima for two nights",
        "my account is a mess i think",
        "I have a policy i need to change in november",
        "order a one way ticket for mike and victor",
        "is it in order i wonder",
        "the ticket is for delta four of us",
        "policy changes in november two years ago",
    ] {
        assert_eq!(Redactor::new(super::CODES).redact(text, &[]).text, text);
    }
}

#[test]
fn the_local_part_of_an_address_may_be_spelled() {
    for (text, hidden) in [
        ("it is j a y dot smith at gmail dot com", "it is * * * *** ***** at gmail dot com"),
        ("it is j as in john a y dot smith at gmail dot com", "it is * ** ** **** * * *** ***** at gmail dot com"),
        ("it is juliet alpha yankee at gmail dot com", "it is ****** ***** ****** at gmail dot com"),
        ("email n for november o o four two at gmail dot com", "email * *** ******** * * **** *** at gmail dot com"),
    ] {
        assert_eq!(masked(Entity::EMAIL, text), hidden);
    }
}

#[test]
fn a_homophone_of_a_digit_completes_a_sequence() {
    assert_eq!(masked(Entity::NUMERIC_SEQUENCE, "one two three to four"), "*** *** ***** ** ****");
}

#[test]
fn a_homophone_among_spoken_digits_is_a_digit() {
    for (text, hidden) in [
        (
            "four one one one one one won one one one one one one one one one",
            "**** *** *** *** *** *** *** *** *** *** *** *** one one one one",
        ),
        ("my ssn is five won two for three six seven ate nine", "my ssn is **** *** *** *** ***** six seven ate nine"),
        ("my pin is four tree two one", "my pin is **** **** *** ***"),
        ("my pin is niner fife nought null", "my pin is ***** **** ****** ****"),
        ("the cvv is nine too one", "the cvv is nine too one"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_homophone_elsewhere_is_not_a_digit() {
    for text in [
        "want to go for two",
        "we won one to two",
        "open nine to five",
        "two for one on the pin",
        "my pin ate one tree",
        "my cvv is for you to see",
    ] {
        assert_eq!(Redactor::new(EntitySet::all()).redact(text, &[]).text, text);
    }
    assert_eq!(
        masked(Entity::BANK_ACCOUNT_NUMBER, "from account one two three four to five six seven eight"),
        "from account *** *** ***** **** to **** *** ***** *****"
    );
}

#[test]
fn a_spoken_ip_address_is_found() {
    for (text, hidden) in [
        (
            "it is one nine two dot one six eight dot one dot one",
            "it is *** **** *** *** *** *** ***** *** *** *** ***",
        ),
        ("ping ten dot zero dot zero dot one now", "ping *** *** **** *** **** *** *** now"),
        (
            "two hundred and fifty five dot two fifty five dot oh dot 12",
            "*** ******* *** ***** **** *** *** ***** **** *** ** *** **",
        ),
        ("ten dot double one dot triple zero dot two", "*** *** ****** *** *** ****** **** *** ***"),
        ("192 dot 168 dot 1 dot 1", "*** *** *** *** * *** *"),
    ] {
        assert_eq!(masked(Entity::IP_ADDRESS, text), hidden);
        assert_eq!(masked(Entity::URL, text), text);
    }
    for text in [
        "version two dot one dot three",
        "three hundred dot one dot one dot one",
        "one dot two dot three dot four dot five",
    ] {
        assert_eq!(masked(Entity::IP_ADDRESS, text), text);
    }
}

#[test]
fn a_spoken_web_address_is_found() {
    for (text, hidden) in [
        ("go to w w w dot example dot com", "go to * * * *** ******* *** ***"),
        ("see w w w dot e x a m p l e dot q z slash a b", "see * * * *** * * * * * * * *** * * ***** * *"),
        (
            "h t t p s colon slash slash w w w dot example dot com",
            "* * * * * ***** ***** ***** * * * *** ******* *** ***",
        ),
        (
            "http colon slash slash www dot example dot com dot zero one",
            "**** ***** ***** ***** *** *** ******* *** *** *** **** ***",
        ),
        ("www dot example dot internal", "*** *** ******* *** ********"),
        ("see example dot com slash help", "see ******* *** *** ***** ****"),
        ("at help dot example dot co dot uk", "at **** *** ******* *** ** *** **"),
    ] {
        assert_eq!(masked(Entity::URL, text), hidden);
    }
}

#[test]
fn a_homophone_that_no_sentence_explains_is_a_digit_of_a_code() {
    for (text, hidden) in [
        (
            "the till wants my pin and i always did ate seven one three",
            "the till wants my pin and i always did *** ***** *** *****",
        ),
        ("my pin is won nine four zero", "my pin is *** **** **** ****"),
        ("my pin is nine four zero won", "my pin is **** **** **** ***"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
    for text in ["my pin was fine until we won three games", "she ate nine of them and lost her pin"] {
        assert_eq!(masked_by_default(text), text);
    }
}
