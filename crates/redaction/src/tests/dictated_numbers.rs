//! Numbers that are dictated in pieces, corrected or misread, and identifiers and ages that no cue names.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redaction, Redactor, Speaker, Utterance};

fn utterances<'a>(texts: &[&'a str]) -> Vec<Utterance<'a>> {
    texts.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect()
}

fn redact<'t>(text: &'t str, context: &[&str]) -> Redaction<'t> {
    Redactor::new(EntitySet::defaults()).redact(text, &utterances(context))
}

fn has_letters_of_digits(text: &str) -> bool {
    let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "zero", "twenty", "sixty"];
    text.split_whitespace().any(|word| words.contains(&word))
}

#[test]
fn a_card_number_is_joined_over_the_words_between_its_pieces() {
    let text = "right so it opens four two four two, let me turn it round, then four two four two four two four two and \
                the end is four two four two";
    let masked = masked_by_default(text);
    assert!(masked.starts_with("right so it opens **** *** **** ***, let me turn it round, then ****"), "{masked}");
    assert!(masked.ends_with("the end is four two four two"), "{masked}");
}

#[test]
fn pieces_that_make_no_card_number_stay() {
    for text in [
        "we sold four two four two, last year it was four two four two, and then four two four two and four two four one",
        "the budget was 4242 and the forecast 4242 4242 with a total of 4243",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn the_pieces_of_a_card_number_in_earlier_messages_are_masked() {
    let context = ["it begins with 424242 if that helps", "mm hmm", "the middle piece is 42424"];
    let redaction = redact("and finally 24242 sorry for that", &context);
    assert_eq!(redaction.text, "and finally *4242 sorry for that");
    let parts: Vec<_> = redaction.earlier.iter().map(|e| &context[e.utterance][e.span.start..e.span.end]).collect();
    assert_eq!(parts, ["424242", "42424"]);
}

#[test]
fn what_is_read_back_between_two_pieces_is_not_counted_twice() {
    let context = ["four two four two four two four two", "i have four two four two four two four two so far"];
    let redaction = redact("right then four two four two four two four two", &context);
    assert!(redaction.text.ends_with("four two four two") && redaction.text.contains("****"), "{}", redaction.text);
    assert!(redaction.earlier.iter().any(|e| e.utterance == 0));
}

#[test]
fn wrong_and_right_digits_of_a_corrected_card_number_are_masked() {
    for correction in ["no sorry", "i mean", "wait no"] {
        let text = format!(
            "so that is four two four two four seven {correction} four two four two four two four two four two four two"
        );
        let masked = masked_by_default(&text);
        assert!(masked.starts_with("so that is ****") && !masked.contains("seven"), "{masked}");
    }
}

#[test]
fn a_correction_of_the_last_digit_is_masked() {
    let masked = masked(Entity::CA_SIN, "my sin is 046 454 28 sorry 286");
    assert!(!masked.contains("286"), "{masked}");
}

#[test]
fn a_number_that_its_form_shows_to_be_a_card_is_masked_with_a_wrong_check_digit() {
    assert_eq!(masked_by_default("we keyed 4539 1488 0343 6461 for you"), "we keyed **** **** **** 6461 for you");
    let other = "the parcel is 1234 5678 9012 3456 on the label";
    assert_eq!(masked_by_default(other), other);
}

#[test]
fn a_bare_card_number_with_a_wrong_check_digit_is_masked_in_a_conversation() {
    let number = "4539 1488 0343 6461";
    assert_eq!(masked_by_default(number), number);
    assert_eq!(redact(number, &["hm, that one did not work"]).text, "**** **** **** 6461");
}

#[test]
fn nine_spoken_digits_that_nothing_else_names_are_a_social_security_number() {
    let masked = masked_by_default("sure so that would be five one two four three six seven eight two i believe");
    assert!(!has_letters_of_digits(&masked), "{masked}");
    let account = "my routing is five one two four three six seven eight two";
    assert_eq!(masked_by_default(account), account);
}

#[test]
fn a_person_with_a_form_of_to_be_states_an_age() {
    for (text, masked_text) in [
        ("i'm 62 and retired", "i'm ** and retired"),
        ("my son is fifteen, is that enough", "my son is *******, is that enough"),
        ("she's 4", "she's *"),
    ] {
        assert_eq!(masked(Entity::AGE, text), masked_text);
    }
    for text in
        ["i'm 5 minutes away", "i'm 20 in the queue", "my son is 2nd in line", "he is one of them", "i'm 100% sure"]
    {
        assert_eq!(masked(Entity::AGE, text), text);
    }
}

#[test]
fn a_number_after_a_question_for_the_age_is_one() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::AGE]));
    let context = utterances(&["and how old are you"]);
    assert_eq!(redactor.redact("seventy one", &context).text, "******* ***");
}

#[test]
fn a_spoken_identifier_with_valid_check_digits_needs_no_cue() {
    let text = "i read golf bravo eight two whiskey echo sierra tango one two three four five six nine eight seven six five \
                four three two to them";
    let masked = masked(Entity::IBAN, text);
    assert!(masked.starts_with("i read **** *****") && masked.ends_with("*** to them"), "{masked}");
}

#[test]
fn an_iban_that_was_not_accepted_needs_no_valid_check_digits() {
    let masked = masked(Entity::IBAN, "the portal reads GB00 WEST 1234 5698 7654 32 as invalid, why is that");
    assert!(!masked.contains("WEST"), "{masked}");
}

#[test]
fn a_numeric_sequence_includes_the_letters_of_its_code() {
    assert_eq!(masked(Entity::NUMERIC_SEQUENCE, "see HM6113024 there"), "see ********* there");
    assert_eq!(
        masked(Entity::NUMERIC_SEQUENCE, "it shows kilo tango six five eight two one five now"),
        "it shows **** ***** *** **** ***** *** *** **** now"
    );
}

#[test]
fn a_message_that_is_only_a_part_of_a_requested_number_is_masked() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::AU_TFN]));
    assert_eq!(redactor.redact("73024", &utterances(&["your tax file number please"])).text, "*****");
}

#[test]
fn digits_that_a_hyphen_joins_to_a_word_are_no_pieces() {
    for suffix in ["", " is on its way"] {
        let texts: Vec<_> = (0..40).map(|number| format!("parcel-5-{number}{suffix}")).collect();
        for at in 1..texts.len() {
            let context: Vec<_> = texts[..at].iter().map(String::as_str).collect();
            let redaction = redact(&texts[at], &context);
            assert_eq!((redaction.text.as_ref(), redaction.earlier.len()), (texts[at].as_str(), 0));
        }
    }
}

#[test]
fn numbers_with_the_same_label_are_no_pieces() {
    for label in ["message", "Order", "room no."] {
        let texts: Vec<_> = (0..200).map(|number| format!("{label} {}", 4_000 + number * 37)).collect();
        for at in 1..texts.len() {
            let context: Vec<_> = texts[at.saturating_sub(16)..at].iter().map(String::as_str).collect();
            let redaction = redact(&texts[at], &context);
            assert_eq!((redaction.text.as_ref(), redaction.earlier.len()), (texts[at].as_str(), 0));
        }
    }
}

#[test]
fn the_pieces_of_a_card_are_joined_across_a_list_marker_and_an_exclamation() {
    let card = |context: &[&str], text: &str| {
        let context: Vec<_> = context.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
        Redactor::new(EntitySet::defaults()).redact(text, &context).earlier.len()
    };
    assert_eq!(card(&["1) 4111", "2) 1111", "3) 1111"], "4) 1111"), 3);
    let french = ["quatre un zéro neuf zéro neuf", "oui", "un zéro quatre quatre-vingt-dix-neuf", "et la fin"];
    assert_eq!(card(&french, "zéro un huit six deux voilà"), 2);
    let masked = masked_by_default("card 4111 then one one one one oh my eyes then 1111 and it ends 1111");
    assert!(masked.contains("**** oh my eyes") || masked.contains("*** oh my eyes"), "{masked}");
}

#[test]
fn groups_that_hyphens_join_to_a_card_are_masked_with_it() {
    let masked = masked_by_default("the card is 4111-1111-1111-1111-54");
    assert_eq!(masked, "the card is ****-****-****-**11-54");
}

#[test]
fn a_card_number_without_a_right_check_digit_is_found_where_the_text_speaks_of_a_card() {
    assert_eq!(masked_by_default("Card used: 4077667981755806 at noon"), "Card used: ************5806 at noon");
    assert_eq!(masked_by_default("Serial used: 4077667981755806 at noon"), "Serial used: 4077667981755806 at noon");
}

#[test]
fn the_parts_of_a_card_are_joined_although_the_same_noun_is_before_them() {
    for [first, second] in
        [["first half 41111111", "second half 11111111"], ["1ère moitié 41111111", "2e moitié 11111111"]]
    {
        let redaction = redact(second, &[first]);
        assert_eq!((redaction.spans.len(), redaction.earlier.len()), (1, 1), "{second}");
    }
}
