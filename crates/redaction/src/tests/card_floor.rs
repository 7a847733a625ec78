//! The floor under card numbers: whatever separates, spells or splits the digits, at most the last four stay.

use super::dice::Dice;
use crate::tables::card_issuers::ISSUER_RANGES;
use crate::validate::payment::card_number;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance, mask_spans};
use Speaker::{Other, Same, Unknown};

fn cards_only() -> Redactor {
    Redactor::new(EntitySet::from_iter([Entity::CREDIT_CARD_NUMBER]))
}

fn masked(text: &str) -> String {
    cards_only().redact(text, &[]).text.into_owned()
}

#[test]
fn any_three_signs_between_the_groups_are_dropped() {
    for sign in ["|", ":", "%", "$", "\",\"", " | ", "~~~", "😀", " 👍🏽 ", "\u{2028}", "\n", "*", "_", " # ", "\\"]
    {
        let text = ["4111", "1111", "1111", "1111"].join(sign);
        assert_eq!(masked(&text), ["****", "****", "****", "1111"].join(sign));
    }
}

#[test]
fn a_word_or_a_tag_between_the_groups_is_dropped() {
    for word in ["<br>", "(pause)", " dash ", " then ", "<br/>", " [inaudible], ", " nächste "] {
        let text = ["4111", "1111", "1111", "1111"].join(word);
        let left = masked(&text);
        assert!(left.ends_with("1111") && !left.contains("4111") && left.matches('1').count() == 4, "{left}");
    }
}

#[test]
fn digits_of_every_look_are_folded() {
    for text in [
        "④①①①①①①①①①①①①①①①",
        "④①①① ①①①① ①①①① ①①①①",
        "⁴¹¹¹ ¹¹¹¹ ¹¹¹¹ ¹¹¹¹",
        "₄₁₁₁₁₁₁₁₁₁₁₁₁₁₁₁",
        "4️⃣1️⃣1️⃣1️⃣ 1️⃣1️⃣1️⃣1️⃣ 1️⃣1️⃣1️⃣1️⃣ 1️⃣1️⃣1️⃣1️⃣",
        "4̶1̶1̶1̶ 1̶1̶1̶1̶ 1̶1̶1̶1̶ 1̶1̶1̶1̶",
        "٤١١١ ١١١١ ١١١١ ١١١١",
        "４１１１１１１１１１１１１１１１",
    ] {
        let digits: Vec<_> = text.chars().filter(|c| !['\u{fe0f}', '\u{20e3}', '\u{336}', ' '].contains(c)).collect();
        let left: Vec<_> = masked(text).chars().filter(|c| digits.contains(c) && *c != '*').collect();
        assert_eq!(left.len(), 4, "{text}: {left:?}");
    }
}

#[test]
fn letters_that_look_like_digits_count_among_digits() {
    assert_eq!(masked("5500OO5555555559"), "************5559");
    assert_eq!(masked("it is 4OOO OOOO OOOO OOO2 ok"), "it is **** **** **** OOO2 ok");
    assert_eq!(masked("4lll llll llll llll"), "**** **** **** llll");
}

#[test]
fn number_words_and_homophones_count_between_any_signs() {
    let masked = masked("four one one one | one won one one | one one one one | one one one one");
    assert_eq!(masked, "**** *** *** *** | *** *** *** *** | *** *** *** *** | one one one one");
}

#[test]
fn a_number_that_is_a_part_of_a_code_or_too_far_apart_is_no_card_number() {
    for text in [
        "4111a1111b1111c1111",
        "4111 one two many words 1111 1111 1111",
        "4111 dollars 1111 1111 1111",
        "4111\n\n1111 1111 1111",
        "4111----1111----1111----1111",
        "4111 1111 1111 1112",
    ] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn a_readable_tail_begins_no_number() {
    let text = "**** **** **** 4111 | 1111 | 1111 | 1111";
    assert_eq!(masked(text), text);
}

#[test]
fn the_floor_is_off_where_the_entity_is_off() {
    let text = "4111|1111|1111|1111";
    assert_eq!(Redactor::new(EntitySet::from_iter([Entity::SSN])).redact(text, &[]).text, text);
}

/// A random number of an issuer, with a right check digit.
fn issuable(dice: &mut Dice) -> Vec<u8> {
    loop {
        let range = dice.one_of(ISSUER_RANGES);
        let length = usize::from(*dice.one_of(range.lengths));
        let span = usize::try_from(range.high - range.low).unwrap() + 1;
        let mut digits = (range.low + u32::try_from(dice.below(span)).unwrap()).to_string().into_bytes();
        while digits.len() < length {
            digits.push(dice.digit());
        }
        for check in b'0'..=b'9' {
            digits[length - 1] = check;
            if length >= 13 && card_number(&digits) {
                return digits;
            }
        }
    }
}

const WORDS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const HOMOPHONES: [&str; 10] = ["oh", "won", "to", "tree", "for", "five", "six", "seven", "ate", "nine"];
const SEPARATORS: [&str; 18] = [
    " ",
    "-",
    "|",
    ":",
    "%",
    "$",
    "<br>",
    "\",\"",
    " 😀 ",
    " (pause) ",
    "\n",
    " . ",
    "/",
    "_",
    " dash ",
    ", ",
    "–",
    "；",
];

/// How the digits of one number are written.
#[derive(Clone, Copy)]
enum Script {
    Ascii,
    FullWidth,
    Arabic,
    Circled,
    Superscript,
    Keycap,
    Words,
    Homophones,
}

const SCRIPTS: [Script; 8] = [
    Script::Ascii,
    Script::FullWidth,
    Script::Arabic,
    Script::Circled,
    Script::Superscript,
    Script::Keycap,
    Script::Words,
    Script::Homophones,
];

fn written(digit: u8, script: Script) -> String {
    let value = usize::from(digit - b'0');
    let nth = |digits: &str| digits.chars().nth(value).unwrap().to_string();
    match script {
        Script::Ascii => nth("0123456789"),
        Script::FullWidth => nth("０１２３４５６７８９"),
        Script::Arabic => nth("٠١٢٣٤٥٦٧٨٩"),
        Script::Circled => nth("⓪①②③④⑤⑥⑦⑧⑨"),
        Script::Superscript => nth("⁰¹²³⁴⁵⁶⁷⁸⁹"),
        Script::Keycap => format!("{}\u{fe0f}\u{20e3}", nth("0123456789")),
        Script::Words => WORDS[value].to_owned(),
        Script::Homophones => HOMOPHONES[value].to_owned(),
    }
}

/// Writes digits in random groups, with a random separator between two groups. Returns the text and the range of each
/// digit in characters.
fn write(digits: &[u8], script: Script, dice: &mut Dice) -> (String, Vec<std::ops::Range<usize>>) {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    let is_spoken = matches!(script, Script::Words | Script::Homophones);
    for (at, digit) in digits.iter().enumerate() {
        if at > 0 && (is_spoken || dice.below(4) == 0) {
            text.push_str(if is_spoken && dice.below(4) > 0 { " " } else { dice.one_of::<&str>(&SEPARATORS) });
        }
        let start = text.chars().count();
        // A homophone counts only among certain digits.
        let is_certain = matches!(script, Script::Homophones) && at % 3 == 0;
        text.push_str(&written(*digit, if is_certain { Script::Words } else { script }));
        ranges.push(start..text.chars().count());
    }
    (text, ranges)
}

/// The number of digits whose text is not masked.
fn readable(masked: &str, ranges: &[std::ops::Range<usize>]) -> usize {
    let chars: Vec<_> = masked.chars().collect();
    ranges.iter().filter(|range| chars[range.start] != '*').count()
}

#[test]
fn of_a_card_number_in_any_writing_at_most_four_digits_stay() {
    let mut dice = Dice::new();
    for _ in 0..2_000 {
        let digits = issuable(&mut dice);
        let script = *dice.one_of(&SCRIPTS);
        let (text, ranges) = write(&digits, script, &mut dice);
        for redactor in [cards_only(), Redactor::new(EntitySet::defaults())] {
            let once = redactor.redact(&text, &[]).text;
            assert!(readable(&once, &ranges) <= 4, "{text:?} became {once:?}");
            assert_eq!(redactor.redact(&once, &[]).text, once, "{text:?}");
        }
    }
}

/// The stored texts of messages, each redacted when it arrives with all earlier ones as context.
fn stored(messages: &[(Speaker, String)]) -> Vec<String> {
    let redactor = Redactor::new(EntitySet::defaults());
    let mut stored: Vec<String> = Vec::new();
    for (_, text) in messages {
        let context: Vec<_> =
            stored.iter().zip(messages).map(|(text, (speaker, _))| Utterance { text, speaker: *speaker }).collect();
        let redaction = redactor.redact(text, &context);
        let (masked, mut earlier) = (redaction.text.into_owned(), redaction.earlier.clone());
        earlier.sort_by_key(|found| (found.utterance, found.span.start));
        for found in earlier.chunk_by(|one, next| one.utterance == next.utterance) {
            let spans: Vec<_> = found.iter().map(|found| found.span).collect();
            let text = &mut stored[found[0].utterance];
            *text = mask_spans(text, &spans);
        }
        stored.push(masked);
    }
    stored
}

#[test]
fn of_a_card_number_split_over_up_to_nineteen_messages_at_most_four_digits_stay() {
    let mut dice = Dice::new();
    for _ in 0..1_000 {
        let digits = issuable(&mut dice);
        let (script, speaker) = (*dice.one_of(&SCRIPTS), *dice.one_of(&[Same, Unknown]));
        let read_back = if speaker == Same { dice.below(3) } else { 0 };
        let longest = dice.below(4) + 1;
        let (mut messages, mut ranges, mut rest) = (Vec::new(), Vec::new(), digits.as_slice());
        if dice.below(3) == 0 {
            messages.push((Other, "can you read me the card number".to_owned()));
        }
        while !rest.is_empty() {
            let (part, after) = rest.split_at((dice.below(longest) + 1).min(rest.len()));
            let (text, of_part) = write(part, script, &mut dice);
            ranges.push((messages.len(), of_part));
            messages.push((speaker, text.clone()));
            if read_back > 0 && dice.below(3) < read_back {
                messages.push((Other, if read_back == 1 { "okay".to_owned() } else { text }));
            }
            rest = after;
        }
        let stored = stored(&messages);
        let left: usize = ranges.iter().map(|(message, ranges)| readable(&stored[*message], ranges)).sum();
        assert!(left <= 4, "{messages:?} became {stored:?}");
    }
}

fn dictated(digits: &str) -> Vec<(Speaker, String)> {
    digits.chars().map(|digit| (Same, digit.to_string())).collect()
}

#[test]
fn a_card_that_is_dictated_digit_by_digit_is_masked_when_it_is_complete() {
    let messages = dictated("5555555555554444");
    assert_eq!(stored(&messages[..15]).concat(), "555555555555444");
    assert_eq!(stored(&messages).concat(), "************4444");
}

#[test]
fn what_extends_a_masked_number_is_masked_with_it() {
    let complete = "4222222222222"; // The first 13 digits are a Visa number too.
    assert_eq!(stored(&dictated(complete)).concat(), "*********2222");
    assert_eq!(stored(&dictated(&format!("{complete}345"))).concat(), "************2345");
}

#[test]
fn digits_between_other_words_of_the_speaker_are_no_card_number() {
    let mut messages = dictated("55555555");
    messages.push((Same, "and my order is".to_owned()));
    messages.extend(dictated("55554444"));
    assert_eq!(stored(&messages).concat(), "55555555and my order is55554444");
}

#[test]
fn the_digits_at_the_end_of_a_sentence_begin_a_dictated_number() {
    let mut messages = vec![(Same, "sure it starts with 5555".to_owned())];
    messages.extend(dictated("555555554444"));
    assert_eq!(stored(&messages).concat(), "sure it starts with ************4444");
}

#[test]
fn a_masked_ssn_or_pin_and_other_numbers_are_no_card_number() {
    for messages in [["***-**-9999", "94016", ""], ["****", "2025550143", ""], ["********", "2025550143", ""]] {
        let messages: Vec<_> = messages.iter().filter(|m| !m.is_empty()).map(|m| (Same, (*m).to_owned())).collect();
        let texts: Vec<_> = messages.iter().map(|(_, text)| text.clone()).collect();
        assert_eq!(stored(&messages), texts);
    }
}
