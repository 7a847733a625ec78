//! A conversation in which a payment card number is dictated. The bytes of a fuzz input choose the number, the writing of
//! its digits, the separators, and the messages that hold its parts.

use parlance_redaction::{Redactor, Speaker, Utterance, mask_spans};
use std::ops::Range;

/// Maximum messages of the conversation.
const MAX_MESSAGES: usize = 16;
/// Digits of the shortest card number, and the first digits of such numbers.
const SHORTEST_NUMBER: usize = 12;
const MAESTRO: [usize; 2] = [5, 6];
/// Digits of a card number that may stay readable.
pub(crate) const READABLE_DIGITS: usize = 4;
/// Prefixes of card numbers with their length.
const ISSUERS: [(&str, usize); 6] = [("4", 16), ("51", 16), ("37", 15), ("6011", 16), ("3528", 16), ("2221", 16)];
const SEPARATORS: [&str; 12] = [" ", "-", "_", "/", ".", " | ", "<br>", " then ", ", ", " dash ", " uh ", "\n"];
/// The digits from zero to nine in each writing.
const WRITINGS: [[&str; 10]; 5] = [
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    ["０", "１", "２", "３", "４", "５", "６", "７", "８", "９"],
    ["٠", "١", "٢", "٣", "٤", "٥", "٦", "٧", "٨", "٩"],
    ["⓪", "①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨"],
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
];
const WORDS: usize = 4;
const HOMOPHONES: [(usize, &str); 4] = [(1, "won"), (2, "to"), (4, "for"), (8, "ate")];

/// Choices made by the bytes of an input, which are read again from the start at their end.
struct Choices<'i> {
    input: &'i [u8],
    read: usize,
}

impl Choices<'_> {
    /// A number from 0 to below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        let byte = self.input.get(self.read % self.input.len().max(1)).copied().unwrap_or_default();
        self.read += 1;
        (usize::from(byte) + self.read / self.input.len().max(1)) % bound
    }
}

/// A message with the ranges of the digits in it, in characters.
type Message = (String, Vec<Range<usize>>);

/// The messages of a conversation that `input` chooses; none if a part of the number may be a card number too. Whichever
/// of the two is masked first, the other one then has digits outside of it.
pub(crate) fn conversation(input: &[u8]) -> Vec<Message> {
    let mut choices = Choices { input, read: 0 };
    let digits = card_number(&mut choices);
    if has_number_within(&digits) {
        return Vec::new();
    }
    let writing = choices.below(WRITINGS.len());
    let longest = digits.len().div_ceil(MAX_MESSAGES).max(choices.below(digits.len()) + 1);
    digits.chunks(longest).map(|part| write(part, writing, &mut choices)).collect()
}

/// Whether a part of a number has as many digits as a card number and a right Luhn digit. Of the numbers with the fewest
/// digits, only those of Maestro count.
fn has_number_within(digits: &[usize]) -> bool {
    let parts = (SHORTEST_NUMBER..digits.len()).flat_map(|length| digits.windows(length));
    let has_issuer = |part: &[usize]| part.len() > SHORTEST_NUMBER || MAESTRO.contains(&part[0]);
    parts.into_iter().any(|part| has_issuer(part) && is_luhn(part))
}

fn is_luhn(digits: &[usize]) -> bool {
    let (body, check) = digits.split_at(digits.len() - 1);
    check == [check_digit(body)]
}

/// The Luhn digit after these digits (ISO/IEC 7812-1).
fn check_digit(digits: &[usize]) -> usize {
    let doubled = |digit: usize| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sums = digits.iter().rev().enumerate().map(|(at, digit)| if at % 2 == 0 { doubled(*digit) } else { *digit });
    (10 - sums.sum::<usize>() % 10) % 10
}

/// The digits of a card number with a right Luhn digit.
fn card_number(choices: &mut Choices<'_>) -> Vec<usize> {
    let (prefix, length) = ISSUERS[choices.below(ISSUERS.len())];
    let mut digits: Vec<_> = prefix.bytes().map(|byte| usize::from(byte - b'0')).collect();
    while digits.len() + 1 < length {
        digits.push(choices.below(10));
    }
    digits.push(check_digit(&digits));
    digits
}

fn write(digits: &[usize], writing: usize, choices: &mut Choices<'_>) -> Message {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    for (at, digit) in digits.iter().enumerate() {
        let is_group = at > 0 && choices.below(4) == 0;
        if is_group {
            text.push_str(SEPARATORS[choices.below(SEPARATORS.len())]);
        } else if at > 0 && writing == WORDS {
            text.push(' ');
        }
        let homophone = HOMOPHONES.iter().find(|(of, _)| of == digit).map(|(_, word)| *word);
        // A homophone counts only among certain digits.
        let is_homophone = writing == WORDS && at % 3 == 1 && choices.below(2) == 0;
        let start = text.chars().count();
        text.push_str(homophone.filter(|_| is_homophone).unwrap_or(WRITINGS[writing][*digit]));
        ranges.push(start..text.chars().count());
    }
    (text, ranges)
}

/// The texts as they are stored: each is redacted when it arrives, and later ones mask parts of earlier ones.
pub(crate) fn store(redactor: Redactor, messages: &[Message]) -> Vec<String> {
    let mut stored: Vec<String> = Vec::new();
    for (text, _) in messages {
        let context: Vec<_> = stored.iter().map(|text| Utterance { text, speaker: Speaker::Same }).collect();
        let redaction = redactor.redact(text, &context);
        let (masked, mut earlier) = (redaction.text.into_owned(), redaction.earlier);
        earlier.sort_by_key(|found| (found.utterance, found.span.start));
        for found in earlier.chunk_by(|one, next| one.utterance == next.utterance) {
            let spans: Vec<_> = found.iter().map(|found| found.span).collect();
            let message = &mut stored[found[0].utterance];
            *message = mask_spans(message, &spans);
        }
        stored.push(masked);
    }
    stored
}

/// The number of digits that are not masked.
pub(crate) fn readable_digits(messages: &[Message], stored: &[String]) -> usize {
    let of_message = |((_, ranges), stored): (&Message, &String)| {
        let characters: Vec<_> = stored.chars().collect();
        ranges.iter().filter(|range| characters.get(range.start).is_some_and(|c| *c != '*')).count()
    };
    messages.iter().zip(stored).map(of_message).sum()
}
