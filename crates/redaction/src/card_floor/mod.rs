//! The floor under card numbers: a rule that is apart from the detectors and knows no context, cue or separator.
//!
//! 1. Every way to write a digit is folded: digits of any script, keycaps, circled, superscript and subscript digits,
//!    number words, `O` and `l` among digits ([`reader`], [`symbols`]).
//! 2. A joint between two digits is dropped: up to three signs, and beside them one word or one line break. So
//!    a tag such as `<br>` or `(pause)` is a joint.
//! 3. 13 to 19 digits with an issuer's prefix and a right Luhn digit are masked, all but the last four ([`window`]).
//!    They begin and end at the border of a group, and a group is never split. The exception is a number that touches
//!    zeros, its expiry date and code, or another card number ([`glued`]).
//!
//! Complete tags, escapes, labels of speakers, list markers and words that only fill time are no part of a joint
//! ([`markup`], [`hesitation`]).
//!
//! [`messages`] applies the rule to numbers that are dictated over many messages.

mod dense_digits;
pub(crate) mod folded;
mod glued;
mod hesitation;
mod markup;
mod mask_width;
pub(crate) mod message_part;
pub(crate) mod message_run;
pub(crate) mod messages;
mod reader;
pub(crate) mod symbols;
mod window;

use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::detect::card::is_coordinates;
use crate::entity::Entity;
use crate::numbers::{DigitBound, asr_homophones};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenizedText, Tokens};
use message_part::NumberRunPart;
use reader::{FloorDigit, Interpretation, Part, Reader};
use window::{CARD_DIGITS, VISIBLE_DIGITS, first_visible, for_each_card, hidden_ranges};

/// Whether a text is only a number, so that it can be a part of a card number that is dictated over several messages.
pub(crate) fn is_part_of_number(text: &TokenizedText<'_>) -> bool {
    NumberRunPart::of_tokens(text) == NumberRunPart::Digits
}

/// Maximum signs between two digits of a number, besides one word or one line break.
const MAX_SIGNS: usize = 3;
/// Digits of the card numbers after which an expiry date can be told from more digits.
const WHOLE_CARD_DIGITS: std::ops::RangeInclusive<usize> = 15..=16;
/// Maximum words between two digits that only fill time.
const MAX_HESITATIONS: usize = 8;
/// Minimum asterisks of a mask. Fewer are signs.
const MIN_MASK_BYTES: usize = 4;
/// Minimum spoken digits of a number, among homophones of others.
const MIN_SPOKEN_DIGITS: usize = 2;
/// Words after which a number ends: a unit, a date, a time.
const END_WORDS: u32 = flag::UNIT | flag::HUGE | flag::MONTH | flag::WEEKDAY | flag::ORDINAL | flag::DIGIT_SUFFIX;

/// Adds the card numbers of a text. `digits` is the bound for its digits. Returns whether the text may have as many digits
/// as a card number, even with words between them.
pub(crate) fn detect(text: &TokenizedText<'_>, digits: DigitBound, out: &mut Candidates) -> bool {
    if !out.is_any_active(Entity::CREDIT_CARD_NUMBER.bit()) || !may_have_card_digits(text, digits) {
        return false;
    }
    if text.features.may_have_folded_digits || dense_digits::may_have_card(&text.tokens()) {
        find_cards(&text.tokens(), out);
    }
    true
}

/// Adds the card numbers of these tokens, in both readings of words that can mean two things.
fn find_cards(tokens: &Tokens<'_>, out: &mut Candidates) {
    if for_each_run(tokens, Interpretation::Words, |digits| push_cards(tokens, digits, out)) {
        for_each_run(tokens, Interpretation::Digits, |digits| push_cards(tokens, digits, out));
    }
}

/// Whether a text may have as many digits as a card number. Most texts do not, and are not read.
fn may_have_card_digits(text: &TokenizedText<'_>, digits: DigitBound) -> bool {
    text.features.may_have_folded_digits || text.has_numbers() && has_enough_digits(digits, &text.tokens())
}

fn has_enough_digits(bound: DigitBound, tokens: &Tokens<'_>) -> bool {
    !bound.is_below(*CARD_DIGITS.start())
        || bound.has_spoken_digits(MIN_SPOKEN_DIGITS) && {
            let homophones = tokens.as_slice().iter().filter(|token| asr_homophones::value(**token).is_some());
            homophones.count() + MIN_SPOKEN_DIGITS >= *CARD_DIGITS.start()
        }
}

/// Whether the digits of a text outside its masks, which this bound counts, may be a card number.
pub(crate) fn may_remain(text: &TokenizedText<'_>, visible: DigitBound) -> bool {
    text.features.may_have_folded_digits || has_enough_digits(visible, &text.tokens())
}

/// Adds the card numbers of a run. Every window counts, so that a number in a longer run is found wherever it begins.
fn push_cards(tokens: &Tokens<'_>, digits: &[FloorDigit], out: &mut Candidates) {
    let mut whole_end = 0;
    for first in 0..digits.len() {
        for_each_card(digits, first, |end| {
            let card = &digits[first..end];
            let takes_expiry = first < whole_end && whole_end < end;
            if takes_expiry || is_coordinates(tokens.between(card[0].start, card[card.len() - 1].end)) {
                return;
            }
            if WHOLE_CARD_DIGITS.contains(&card.len()) && is_before_expiry(tokens, digits, end) {
                whole_end = end;
            }
            push_hidden(card, first_visible(card), out);
        });
    }
    glued::for_each(digits, |card| push_hidden(card, card.len(), out));
}

/// Adds the first `hidden` digits of a number.
fn push_hidden(card: &[FloorDigit], hidden: usize, out: &mut Candidates) {
    for (start, end, visible_from) in hidden_ranges(card, hidden) {
        out.push(Candidate {
            start,
            end,
            visible_from,
            entity: Entity::CREDIT_CARD_NUMBER,
            reason: DetectionReason::Checksum,
            evidence: EvidenceRank::Shape,
        });
    }
}

/// Whether the digits after a card number are month, slash and year.
fn is_before_expiry(tokens: &Tokens<'_>, digits: &[FloorDigit], end: usize) -> bool {
    let Some([tens, ones, year, _]) = digits.get(end..end + 4) else { return false };
    let is_month = (1..=12).contains(&(u32::from(tens.value) * 10 + u32::from(ones.value)));
    tens.starts_group
        && !ones.starts_group
        && is_month
        && year.starts_group
        && tokens.between(ones.end, year.start) == "/"
}

/// Calls `found` with each run of digits that has only joints between them. Returns whether another reading of the text
/// may have other digits.
fn for_each_run(tokens: &Tokens<'_>, reading: Interpretation, mut found: impl FnMut(&[FloorDigit])) -> bool {
    let mut reader = Reader::new(tokens, reading);
    let (mut joint, mut tail_left) = (DigitGap::default(), 0);
    let mut read = 0;
    while let Some((gap, part)) = reader.next_part() {
        joint.add_gap(gap);
        match part {
            Part::Digits => {
                if joint.is_too_long() {
                    found(&reader.digits[..read]);
                    reader.digits.drain(..read);
                    tail_left = 0;
                }
                // The digits after a mask are its readable tail, and no number begins with them.
                if reader.digits.len() <= tail_left {
                    tail_left -= reader.digits.len();
                    reader.digits.clear();
                }
                (joint, read) = (DigitGap::default(), reader.digits.len());
            }
            Part::Mask(mask) if mask.byte_len() >= MIN_MASK_BYTES => {
                found(&reader.digits);
                reader.digits.clear();
                (joint, read, tail_left) = (DigitGap::default(), 0, VISIBLE_DIGITS);
            }
            Part::Mask(_) => joint.signs += 1,
            Part::Signs(signs) => joint.signs += signs,
            Part::Markup => {}
            Part::Hesitation(words) => joint.hesitations += words,
            Part::Word => joint.add_word(tokens.at(reader.last_token()), reader.last_touches_digit()),
        }
    }
    found(&reader.digits);
    reader.is_ambiguous
}

/// What lies between two digits.
#[derive(Default)]
struct DigitGap {
    signs: usize,
    words: usize,
    hesitations: usize,
    line_breaks: usize,
}

impl DigitGap {
    fn add_gap(&mut self, gap: Gap) {
        self.line_breaks += match gap {
            Gap::None | Gap::Space | Gap::Wide => 0,
            Gap::Line => 1,
            Gap::Paragraph => 2,
        };
    }

    /// Adds a word. A word that touches a digit is a part of a code, and no joint.
    fn add_word(&mut self, word: Token, touches_digit: bool) {
        self.words += if touches_digit || word.flags & END_WORDS != 0 { 2 } else { 1 };
    }

    fn is_too_long(&self) -> bool {
        self.signs > MAX_SIGNS || self.hesitations > MAX_HESITATIONS || self.words + self.line_breaks > 1
    }
}
