//! The data that follow a card number by position: its expiry date, then its code. "4111 1111 1111 1111 09/27 123"

use super::named_entities::has_other_meaning;
use super::report::push;
use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::detect::digit_format::is_expiry;
use crate::detect::{DetectorInput, flags, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};

/// Maximum tokens between two parts of the data of a card.
const MAX_BETWEEN: usize = 6;

/// The end of the data of a card that have been read.
#[derive(Clone, Copy, Default)]
pub(super) struct CardTrail {
    /// Token after the card number or its expiry date; 0 if there is no card number.
    end_token: usize,
    has_expiry: bool,
}

impl CardTrail {
    /// Records a card number that ends before a token.
    pub(super) fn record_card(&mut self, end_token: usize) {
        *self = Self { end_token, has_expiry: false };
    }

    /// Whether a cue that says that a number is no value is behind the data of the card, or none have been read. A cue before
    /// them cannot name what follows them.
    pub(super) fn is_interrupted(self, input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
        const AFTER: usize = 3;
        let behind = self.end_token..slice.end_token() + AFTER;
        let is_behind = |cue: &Cue| cue.entities.is_empty() && behind.contains(&(cue.first_token as usize));
        self.end_token == 0 || input.cues_near(slice.first_token()).iter().any(is_behind)
    }

    /// Records a number that was classified, if it is the expiry date of the card.
    pub(super) fn record_expiry(&mut self, input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) {
        let has_month = input.dates().covers(slice.first_token());
        let is_date = is_expiry(slice.compact()) || has_month;
        // The number of the card can stand in an earlier message.
        let has_parts = || has_month || slice.groups().len() == 2 || slice.all_spoken();
        let is_of_card = || has_parts() && input.named_entities.intersects(CARD_DATA);
        let continues = || !self.has_expiry && self.reaches(input, slice, true);
        if is_date && if self.end_token == 0 { is_of_card() } else { continues() } {
            *self = Self { end_token: slice.end_token(), has_expiry: true };
        }
    }

    /// Reports the expiry date and the code that a slice is by its position; false if it is neither.
    pub(super) fn detect(self, input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
        if is_with_card_end(input, slice) {
            push(slice, Entity::CVV, DetectionReason::Cue, EvidenceRank::PaymentCard, out);
            return true;
        }
        if self.end_token == 0 || slice.len() > MAX_DIGITS {
            return false;
        }
        let may_be_code = slice.len() == 3 || slice.len() == 4 && (self.has_expiry || !is_expiry(slice.compact()));
        if may_be_code && slice.first_token() >= self.end_token && is_said_to_be_code(input, slice) {
            push(slice, Entity::CVV, DetectionReason::Cue, EvidenceRank::PaymentCard, out);
            return true;
        }
        if slice.first_token() >= self.end_token && is_with_card(input, slice, self.end_token) {
            push(slice, Entity::CVV, DetectionReason::Cue, EvidenceRank::PaymentCard, out);
            return true;
        }
        if !self.reaches(input, slice, false) {
            return false;
        }
        let is_code = |slice: RunSlice<'_, '_>| slice.len() == 3 || slice.len() == 4 && self.has_expiry;
        let is_date = |slice: RunSlice<'_, '_>| slice.len() >= 4 && is_expiry(slice.compact());
        let push_expiry = |slice: RunSlice<'_, '_>, out: &mut Candidates| {
            push(slice, Entity::CARD_EXPIRATION_DATE, DetectionReason::Shape, EvidenceRank::Shape, out);
        };
        let push_code = |slice: RunSlice<'_, '_>, out: &mut Candidates| {
            push(slice, Entity::CVV, DetectionReason::Shape, EvidenceRank::PaymentCard, out);
        };
        if !self.has_expiry && is_date(slice) {
            push_expiry(slice, out);
            return true;
        }
        if is_code(slice) {
            push_code(slice, out);
            return true;
        }
        let borders = slice.first_group + 1..slice.end_group;
        let split =
            borders.rev().map(|at| (slice.subslice(slice.first_group, at), slice.subslice(at, slice.end_group)));
        let Some((date, code)) =
            split.into_iter().find(|(date, code)| !self.has_expiry && is_date(*date) && matches!(code.len(), 3 | 4))
        else {
            return false;
        };
        push_expiry(date, out);
        push_code(code, out);
        true
    }

    /// Whether only separators are between the data of the card and a slice, or also words for the expiry date.
    fn reaches(self, input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, names_expiry: bool) -> bool {
        let (from, to) = (self.end_token, slice.first_token());
        if to < from || to - from > MAX_BETWEEN {
            return false;
        }
        // After the expiry date, three digits are the code whatever word names it: "09/27 and the cod 123".
        let is_code = self.has_expiry && !names_expiry && slice.len() == 3 && to - from <= MAX_WORDS_BEFORE_CODE;
        let expiry_cue = || {
            let set = EntitySet::from_slice(&[Entity::CARD_EXPIRATION_DATE]);
            input
                .cues_near(to)
                .iter()
                .any(|cue| cue.entities == set && (from..to).contains(&(cue.first_token as usize)))
        };
        let begins_cue = |at: usize| {
            let next = input.cues_before(|cue| (cue.first_token as usize) < at);
            input.cues().get(next).is_some_and(|cue| cue.first_token as usize == at)
        };
        (from..to).all(|at| {
            let token = input.tokens.at(at);
            match token.kind {
                TokenKind::Mark => !matches!(token.mark(), b'$' | b'(' | b'?') && token.gap < Gap::Paragraph,
                TokenKind::Word => {
                    flags(token) & (flag::AND | flag::FILLER | flag::MONTH) != 0
                        || is_code && flags(token) & flag::UNIT == 0 && !begins_cue(at)
                        || names_expiry && flags(token) & EXPIRY_WORDS != 0
                }
                TokenKind::Digits | TokenKind::Mask | TokenKind::Edge => false,
            }
        }) && (!names_expiry || to - from <= 1 || expiry_cue() || is_direct(input, from, to))
    }
}

/// Whether the words before digits say that they are the code of the card in the same text: "the secret one is 123".
fn is_said_to_be_code(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const NOUNS: [&str; 21] = [
        "code",
        "codice",
        "codigo",
        "código",
        "cod",
        "cód",
        "kod",
        "one",
        "digits",
        "numbers",
        "three",
        "back",
        "secret",
        "small",
        "little",
        "behind",
        "security",
        "verification",
        "chiffres",
        "cifre",
        "ziffern",
    ];
    let (tokens, first) = (input.tokens, slice.first_token());
    let is_joint = |at: usize| flags(tokens.at(at)) & flag::COPULA != 0 || tokens.at(at).kind == TokenKind::Mark;
    let mut near = (first.saturating_sub(MAX_WORDS_BEFORE_CODE)..first).rev();
    let noun = near.find(|at| !is_joint(*at)).filter(|at| is_one_of(tokens, tokens.at(*at), &NOUNS));
    // "the small one is 123", but not "one 123"
    let is_sure =
        |noun: usize| noun + 1 < first || !is_one_of(tokens, tokens.at(noun), &["one", "three", "small", "little"]);
    noun.is_some_and(is_sure) && tokens.at(first).gap <= Gap::Space && flags(slice.token_after()) & flag::UNIT == 0
}

/// Words that join a card to its code: "4111 1111 1111 1111 with 123".
const WITH: [&str; 7] = ["with", "con", "avec", "mit", "com", "had", "has"];
/// Digits of the code of most cards.
const CODE_DIGITS: usize = 3;

/// Whether "with" alone is between a card that ends at a token and three digits that count nothing.
fn is_with_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, end: usize) -> bool {
    let first = slice.first_token();
    (end + 1..=end + 2).contains(&first)
        && is_one_of(input.tokens, slice.token_before(), &WITH)
        && (end + 1 == first || flags(input.tokens.at(end)) & flag::AND != 0 || input.tokens.at(end).is_mark(b','))
        && stands_alone(input, slice)
}

/// Whether three digits are the code of a card that the words before them name by its end: "the old one ended 8218 and had
/// 202".
fn is_with_card_end(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const ENDED: [&str; 9] =
        ["ended", "ending", "ends", "finished", "terminada", "terminaba", "terminava", "endete", "finissait"];
    let (tokens, first) = (input.tokens, slice.first_token());
    if slice.len() != CODE_DIGITS || first < 2 || !is_one_of(tokens, slice.token_before(), &WITH) {
        return false;
    }
    let tail = first - 2 - usize::from(first > 2 && flags(tokens.at(first - 2)) & flag::AND != 0);
    let is_tail = tokens.at(tail).kind == TokenKind::Digits && tokens.at(tail).digit_count() == 4;
    is_tail
        && (tail.saturating_sub(2)..tail).any(|at| is_one_of(tokens, tokens.at(at), &ENDED))
        && input.cues_near(first).iter().any(|cue| cue.entities.contains(Entity::CREDIT_CARD_NUMBER))
        && stands_alone(input, slice)
}

/// Whether three digits count nothing.
fn stands_alone(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const GRAMMAR: u32 = flag::AND | flag::STOPWORD | flag::CONNECTOR | flag::FILLER;
    let next = slice.token_after();
    let ends = next.kind != TokenKind::Word || next.gap >= Gap::Line || flags(next) & GRAMMAR != 0;
    slice.len() == CODE_DIGITS && ends && flags(next) & flag::UNIT == 0 && !has_other_meaning(input, slice)
}

/// Whether only marks, fillers and the words of a date are between two tokens.
fn is_direct(input: &DetectorInput<'_, '_>, from: usize, to: usize) -> bool {
    (from..to).all(|at| {
        let token = input.tokens.at(at);
        token.kind == TokenKind::Mark || flags(token) & (flag::AND | flag::FILLER | flag::MONTH) != 0
    })
}

/// What a message or the question before it names if its date is that of a card.
const CARD_DATA: EntitySet = EntitySet::from_slice(&[Entity::CARD_EXPIRATION_DATE, Entity::CVV]);
/// Words between a card number and its expiry date: "good through january slash thirty one".
const EXPIRY_WORDS: u32 = flag::CONNECTOR | flag::CUE_HEAD | flag::CUE_TAIL | flag::SPOKEN_MARK;
/// Maximum tokens between the expiry date and the code of a card.
const MAX_WORDS_BEFORE_CODE: usize = 5;
/// Digits of the longest expiry date with the longest code.
const MAX_DIGITS: usize = 10;
