//! Card numbers in conversations that are masked message by message, with masked earlier messages as context.

use super::dice::Dice;
use super::split_number::{digits_left, stored_messages};
use crate::Speaker::{self, Other, Same};
use crate::validate::check_digit::luhn;

type Message = (Speaker, &'static str);

/// Messages that give a secret, masked or not.
const SECRETS: [&[Message]; 22] = [
    &[],
    &[(Same, "my pin is 4321")],
    &[(Same, "my pin is four three two one")],
    &[(Same, "my pin is ****")],
    &[(Same, "my cvv is 123")],
    &[(Same, "my cvv is ***")],
    &[(Same, "password: hunter2")],
    &[(Same, "my password is 4711 0815")],
    &[(Same, "password: ********")],
    &[(Same, "ssn 078-05-1120")],
    &[(Same, "ssn ***-**-1120")],
    &[(Same, "the code is 448312")],
    &[(Same, "the code is ******")],
    &[(Same, "my one time passcode is 448312")],
    &[(Same, "ssn 078-05-1120, pin is 4321, password: hunter2")],
    &[(Other, "what is your pin"), (Same, "4321")],
    &[(Other, "and the security code"), (Same, "123")],
    &[(Other, "which code did you get"), (Same, "448312")],
    &[(Same, "****")],
    &[(Same, "******")],
    &[(Same, "********")],
    &[(Same, "***"), (Same, "****")],
];

/// Prefixes of issuers.
const PREFIXES: [&[u8]; 10] = [b"4", b"51", b"2221", b"34", b"6011", b"55", b"4242", b"370000", b"5555", b"3528"];
const WORDS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const REMARKS: [&str; 3] = ["hang on a second", "sorry, the dog is barking", "let me turn it over"];
/// Digits of the longest part of a number that a remark interrupts.
const MAX_DIGITS_BESIDE_REMARK: usize = 12;

/// A card number with a right check digit.
fn card(dice: &mut Dice) -> Vec<u8> {
    let mut number = dice.one_of(&PREFIXES).to_vec();
    let length = if matches!(number[..], [b'3', b'4' | b'7', ..]) { 15 } else { 16 };
    while number.len() < length - 1 {
        number.push(dice.digit());
    }
    number.push(b'0');
    while !luhn(&number) {
        number[length - 1] += 1;
    }
    number
}

/// A number in 2 to 8 parts.
fn parts<'a>(dice: &mut Dice, number: &'a [u8]) -> Vec<&'a [u8]> {
    let count = 2 + dice.below(7);
    let mut ends = vec![number.len()];
    while ends.len() < count {
        let end = 1 + dice.below(number.len() - 1);
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    ends.sort_unstable();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, end)| &number[start..*end]).collect()
}

/// The messages of a dictated card number: in digits or in words, with or without a remark and with or without answers.
fn dictation(dice: &mut Dice) -> Vec<(Speaker, String)> {
    let number = card(dice);
    let parts = parts(dice, &number);
    let (is_spoken, is_answered) = (dice.below(2) == 0, dice.below(3) == 0);
    let is_short = parts.iter().all(|part| part.len() <= MAX_DIGITS_BESIDE_REMARK);
    let remark = (is_short && dice.below(3) == 0).then(|| 1 + dice.below(parts.len() - 1));
    let mut messages = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if remark == Some(at) {
            messages.push((Same, (*dice.one_of(&REMARKS)).to_owned()));
        }
        if is_answered && at > 0 {
            messages.push((Other, "okay".to_owned()));
        }
        let word = |digit: &u8| WORDS[usize::from(digit - b'0')];
        let spoken = || part.iter().map(word).collect::<Vec<_>>().join(" ");
        messages.push((Same, if is_spoken { spoken() } else { String::from_utf8(part.to_vec()).unwrap() }));
    }
    messages
}

#[test]
fn a_secret_before_a_dictated_card_leaves_no_more_than_four_of_its_digits() {
    let mut dice = Dice::new();
    for _ in 0..100 {
        for secret in SECRETS {
            let dictated = dictation(&mut dice);
            let texts = dictated.iter().map(|(speaker, text)| (*speaker, text.as_str()));
            let messages: Vec<_> = secret.iter().copied().chain(texts).collect();
            let stored = stored_messages(&messages);
            assert!(digits_left(&stored[secret.len()..]) <= 4, "{messages:?} is stored as {stored:?}");
        }
    }
}

#[test]
fn the_last_four_digits_of_a_card_after_a_secret_stay_readable() {
    for secret in ["my pin is 4321", "my cvv is 123", "password: hunter2", "the code is 448312", "ssn 078-05-1120"] {
        let stored = stored_messages(&[secret, "5555", "5555", "5555", "4444"].map(|text| (Same, text)));
        assert_eq!(stored[1..], ["****", "****", "****", "4444"], "{secret}");
    }
}

#[test]
fn the_last_four_digits_stay_readable_if_a_question_for_something_else_is_answered_after_the_card() {
    let card = ["5500 0055", "5555", "5559"].map(|text| (Same, text));
    for (question, answer) in [("what is your pin?", "it is 4821"), ("and your social security number", "078051120")] {
        let stored = stored_messages(&[&card[..], &[(Other, question), (Same, answer)]].concat());
        assert_eq!(stored[..3], ["**** ****", "****", "5559"], "{question}");
    }
}

#[test]
fn a_mask_that_its_message_names_as_something_else_begins_no_card() {
    for secret in ["my pin is ****", "password: ********", "page ****", "order number ****"] {
        let messages = [secret, "5555", "5555", "5555"].map(|text| (Same, text));
        assert_eq!(stored_messages(&messages)[1..], ["5555", "5555", "5555"], "{secret}");
    }
}

#[test]
fn numbers_of_things_that_a_speaker_counts_are_no_card() {
    let things = ["case", "order", "room", "step", "version", "page", "ticket", "floor", "invoice", "item"];
    for thing in things {
        for (first, number) in [(121, 0), (4111, 10), (37, 370), (5, 4000)] {
            let counted = |sentence: &dyn Fn(usize) -> String| {
                let texts: Vec<_> = (number..number + 12).map(sentence).collect();
                let messages: Vec<_> = texts.iter().map(|text| (Same, text.as_str())).collect();
                assert_eq!(stored_messages(&messages), texts);
            };
            counted(&|nth| format!("Hello, {thing} {first} number {nth}"));
            counted(&|nth| format!("{thing} {first}, {nth}"));
            counted(&|nth| format!("hi {thing} {nth} please"));
            counted(&|nth| format!("the next {thing} is {nth}"));
            counted(&|nth| format!("{thing} number {nth}"));
        }
    }
}

#[test]
fn the_parts_of_a_card_may_be_called_by_their_order() {
    let dictated = ["the first box is 4111", "the second box is 1111", "the third box is 1111", "and then 1111"];
    let stored = stored_messages(&dictated.map(|text| (Same, text)));
    assert!(digits_left(&stored) <= 4, "{stored:?}");
    let stored = stored_messages(&["so in case 4111 1111", "1111 1111"].map(|text| (Same, text)));
    assert_eq!(stored, ["so in case **** ****", "**** 1111"]);
}
