//! The effect of earlier messages.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance, mask_spans};

fn utterance(text: &str, speaker: Speaker) -> Utterance<'_> {
    Utterance { text, speaker }
}

#[test]
fn a_number_answers_the_question_before_it() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [utterance("And what is the security code?", Speaker::Other)];
    assert_eq!(redactor.redact("123", &context).text, "***");
    assert_eq!(redactor.redact("123", &[]).text, "123");
}

#[test]
fn a_word_answers_a_question_for_the_password() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [utterance("What is your password?", Speaker::Other)];
    assert_eq!(redactor.redact("bluebird", &context).text, "********");
}

#[test]
fn a_card_split_over_three_messages_leaves_four_digits() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [
        utterance("four one one one", Speaker::Same),
        utterance("okay", Speaker::Other),
        utterance("uh one one one one", Speaker::Same),
    ];
    let redaction = redactor.redact("one one one one one one one one", &context);
    assert_eq!(redaction.text, "*** *** *** *** one one one one");
    let again: Vec<(usize, String)> =
        redaction.earlier.iter().map(|e| (e.utterance, mask_spans(context[e.utterance].text, &[e.span]))).collect();
    assert_eq!(again, [(0, "**** *** *** ***".to_owned()), (2, "uh *** *** *** ***".to_owned())]);
}

#[test]
fn fragments_of_two_speakers_are_not_a_card() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [utterance("four one one one one one one one", Speaker::Other)];
    assert!(redactor.redact("one one one one one one one one", &context).spans.is_empty());
}

#[test]
fn small_talk_needs_no_context() {
    let redactor = Redactor::new(EntitySet::all());
    for text in
        ["thank you so much for your help today", "yes please", "ok", "how can I help you", "it does not work any more"]
    {
        assert!(!redactor.needs_context(text), "{text}");
    }
    assert!(redactor.needs_context("1234") && redactor.needs_context("bluebird"));
}

#[test]
fn a_number_that_its_own_text_names_needs_no_context() {
    let redactor = Redactor::new(EntitySet::defaults());
    for text in [
        "my phone number is (202) 555-0143, in case that we are cut off, and you can reach me there in the afternoon",
        "the card that I would like to use is 4111 1111 1111 1111, it was issued by my new bank after I moved in May",
        "he comes between eight and twelve, and he will call you half an hour before he is there, if that is all right",
        "it was 250 dollars in all, which is more than I paid for the same thing the year before, as far as I remember",
    ] {
        assert!(!redactor.needs_context(text), "{text}");
    }
}

#[test]
fn a_code_that_its_own_text_names_needs_no_context() {
    let redactor = Redactor::new(EntitySet::all());
    let order =
        "my order number is A10-48213, I placed it in your shop on the corner and was promised it would be ready";
    assert!(!redactor.needs_context(order));
    let unsaid =
        "I wrote it down when I got it and it is in this drawer, let me see, it should be QQ123456C if I am right";
    assert!(redactor.needs_context(unsaid));
}

#[test]
fn a_number_that_may_be_an_answer_or_the_end_of_another_needs_context() {
    let redactor = Redactor::new(EntitySet::defaults());
    for text in [
        "sure, give me a second, I have it somewhere in this drawer, I wrote it down when I got it, here it is, 4821",
        "let me see, I have it on an old letter of theirs that came with the contract, it should be 536904399 if I am right",
        "that would be forty one then",
        "7",
    ] {
        assert!(redactor.needs_context(text), "{text}");
    }
}

#[test]
fn a_cued_code_that_may_be_a_requested_licence_plate_needs_context() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::BOOKING_REFERENCE, Entity::LICENSE_PLATE]));
    assert!(redactor.needs_context("name is daisy and booking confirmation number is jfo 98 e"));
}

#[test]
fn a_question_with_a_masked_answer_is_not_answered_again() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PIN]));
    let context = [utterance("your pin please", Speaker::Other), utterance("****", Speaker::Same)];
    assert_eq!(
        redactor
            .redact("I want to move 2500 to my savings next week if possible thank you very much for that", &context)
            .spans,
        []
    );
}

#[test]
fn a_text_that_masking_reduces_to_a_short_answer_needs_context() {
    let text = "ϒy passwordn........\u{fffd}\u{fffd}..........0siobhany p o'neill";
    let redactor = Redactor::new(EntitySet::defaults());
    assert!(redactor.needs_context(text));
    let context = [utterance("my passwordn........2", Speaker::Other)];
    let once = redactor.redact(text, &context).text.into_owned();
    assert_eq!(redactor.redact(&once, &context).text, once);
}

#[test]
fn the_readable_tail_of_a_split_number_stays_as_it_is() {
    let redactor = Redactor::new(EntitySet::defaults());
    let stored = |texts: [&'static str; 3]| texts.map(|text| utterance(text, Speaker::Same));
    let before = stored(["my ssn is five one two", "okay", "four three"]);
    let once = redactor.redact("6789", &before);
    let masked = stored(["my ssn is **** *** ***", "okay", "**** *****"]);
    assert_eq!(redactor.redact(&once.text, &masked).text, once.text);
}

#[test]
fn a_reply_to_a_message_that_repeats_a_code_can_correct_it() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [utterance("i have 730 is that right", Speaker::Other)];
    for (text, hidden) in [
        ("no no 731", "no no ***"),
        ("731 the last digit is different", "*** the last digit is different"),
        ("si si 730", "si si ***"),
        ("the flight is at gate 731", "the flight is at gate 731"),
    ] {
        assert_eq!(redactor.redact(text, &context).text, hidden);
    }
    let context = [utterance("reading that back it's forty eight forty six forty six fifty eight", Speaker::Other)];
    assert_eq!(redactor.redact("yes six twenty seven", &context).text, "yes six twenty seven");
}
