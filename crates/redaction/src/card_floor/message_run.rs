//! Reads the digits of one speaker over many messages as one run.

use super::mask_width::MaskWidth;
use super::message_part::{NumberRunPart, is_secret_mask, may_be_in_number};
use super::reader::{FloorDigit, Interpretation, Part, Reader, UNKNOWN};
use super::window::CARD_DIGITS;
use crate::cross_message::context;
use crate::cross_message::other_number;
use crate::cross_message::utterance::{Speaker, Utterance};
use crate::tokenize::{TokenBuffer, TokenKind, TokenizedText, Tokens};

/// Maximum number of earlier messages in which a dictated card number is searched for, those of other speakers included.
pub const MAX_NUMBER_RUN: usize = 64;

/// Maximum remarks within a number. A number with masked digits has at most one.
const MAX_REMARKS: usize = 2;
/// Maximum digits of each message of a number with a remark. A message with more is a number of its own.
const MAX_DIGITS_BESIDE_REMARK: usize = 12;
/// Maximum parts of a number whose messages say which part they are.
const MAX_PARTS: u32 = 19;

/// Reads the digits before a text, as many as a card number can have there, and those of the text.
pub(super) fn read(text: &TokenizedText<'_>, context: &[Utterance<'_>], reading: Interpretation) -> Vec<FloorDigit> {
    let mut messages = vec![digits_of(text, context.len(), reading)];
    let (mut before, mut remarks) = (0, 0);
    for (message, utterance) in context.iter().enumerate().rev().take(MAX_NUMBER_RUN) {
        if before >= *CARD_DIGITS.end() {
            break;
        }
        if utterance.speaker == Speaker::Other {
            // What follows a question for the code of a card is that code, and no part of the number.
            if context::speaks_of_card_code(utterance.text) {
                break;
            }
            continue;
        }
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new(utterance.text, &mut buffer);
        let part = NumberRunPart::of_tokens(&text);
        if part == NumberRunPart::Remark && utterance.speaker == Speaker::Same {
            remarks += 1;
            if remarks > max_remarks(&messages) {
                break;
            }
            continue;
        }
        let digits = digits_of(&text, message, reading);
        let is_secret = is_secret_mask(&text.tokens());
        if is_secret && !begins_masked(&messages) && !ends_masked(&context[..message]) {
            break;
        }
        if remarks > 0 && is_long(&digits) {
            break;
        }
        before += fewest(&digits);
        messages.push(digits);
        if !is_secret && matches!(part, NumberRunPart::Other | NumberRunPart::Remark) {
            break;
        }
    }
    messages.into_iter().rev().flatten().collect()
}

/// The fewest digits that these can be: an asterisk can stand for no digit.
pub(super) fn fewest(digits: &[FloorDigit]) -> usize {
    digits.iter().filter(|digit| !digit.is_optional).count()
}

/// Whether the digits of a message are too many for a number with a remark.
fn is_long(digits: &[FloorDigit]) -> bool {
    fewest(digits) > MAX_DIGITS_BESIDE_REMARK
}

/// How many remarks may interrupt these messages of digits. None if one of them has more than [`MAX_DIGITS_BESIDE_REMARK`] digits,
/// because it is a number of its own.
fn max_remarks(messages: &[Vec<FloorDigit>]) -> usize {
    let is_long = messages.iter().any(|digits| is_long(digits));
    let is_masked = messages.iter().flatten().any(|digit| digit.value == UNKNOWN);
    match (is_long, is_masked) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => MAX_REMARKS,
    }
}

/// The token after the marker of a part at the start of a message, such as "2/4:"; 0 if there is none.
fn part_marker_end(tokens: &Tokens<'_>) -> usize {
    let number = |at: usize| {
        let token = tokens.at(at);
        (token.kind == TokenKind::Digits).then(|| tokens.str(token).parse::<u32>().ok())?
    };
    let is_marker = tokens.at(1).is_mark(b'/')
        && tokens.at(3).is_mark(b':')
        && number(0).zip(number(2)).is_some_and(|(nth, count)| nth <= count && (2..=MAX_PARTS).contains(&count));
    if is_marker { 4 } else { 0 }
}

/// Whether the digits of the message that was read last begin with a masked one.
fn begins_masked(messages: &[Vec<FloorDigit>]) -> bool {
    messages.last().and_then(|digits| digits.first()).is_some_and(|digit| digit.value == UNKNOWN)
}

/// Whether the newest of these messages is by the same speaker and ends with a mask of digits.
fn ends_masked(context: &[Utterance<'_>]) -> bool {
    let newest = context.last().filter(|utterance| utterance.speaker == Speaker::Same);
    newest.is_some_and(|utterance| {
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new(utterance.text, &mut buffer);
        let digits = digits_of(&text, 0, Interpretation::Words);
        !is_secret_mask(&text.tokens()) && digits.last().is_some_and(|digit| digit.value == UNKNOWN)
    })
}

/// The digits of a message after its last word that is no filler. If the message names the first number as something else, the
/// digits up to the next word are left out.
fn digits_of(text: &TokenizedText<'_>, message: usize, reading: Interpretation) -> Vec<FloorDigit> {
    let tokens = &text.tokens();
    let mut reader = Reader::new(tokens, reading);
    let width = MaskWidth::of(tokens);
    reader.skip_to(part_marker_end(tokens));
    while let Some((_, part)) = reader.next_part() {
        match part {
            Part::Mask(mask) => {
                let (fewest, most) = width.digits_of(tokens, reader.last_token());
                (0..most).for_each(|nth| reader.push_masked(mask, nth >= fewest));
            }
            Part::Word if !may_be_in_number(tokens, reader.last_token()) => reader.digits.clear(),
            Part::Word | Part::Signs(_) | Part::Digits | Part::Markup | Part::Hesitation(_) => {}
        }
    }
    let first = reader.digits.first().map(|digit| tokens.first_from(digit.start));
    if first.is_some_and(|first| other_number::is_named_as_other(text, first)) {
        let end = reader.digits.iter().skip(1).position(|digit| digit.follows_word);
        reader.digits.drain(..end.map_or(reader.digits.len(), |end| end + 1));
    }
    if let Some(first) = reader.digits.first_mut() {
        first.starts_group = true;
    }
    reader.digits.iter_mut().for_each(|digit| digit.message = message);
    reader.digits
}
