//! Card numbers that are dictated in pieces, with other words between: "the first four are 4111, then 1111, hang on, and
//! it ends in 1111 1111". The pieces stand in one message or in several.
//!
//! The evidence is the number that the pieces make: an issuer's prefix, a length of the issuer, and a right Luhn digit.
//! A number without a right Luhn digit counts where words name a card or where the speaker corrects a number.

mod assemble;
mod piece;

use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::card_floor;
use crate::cross_message::context;
use crate::cross_message::utterance::{Speaker, Utterance};
use crate::cues::{Cue, Cues, LAST_FOUR, may_have_word_cue};
use crate::detect::{AnalyzedText, DetectorInput, correction};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{NumberRun, RunBuffer, SSN_DIGITS};
use crate::span::{DetectionReason, EarlierSpan, Span};
use crate::tokenize::{TokenBuffer, TokenizedText, saturating_u32};
use crate::validate::payment::card_issuer;
use assemble::{Assembled, MAX_JOINS, MAX_PIECES, Search, UNCHECKED_LENGTHS};
use piece::Piece;
use std::cell::Cell;

/// Maximum earlier messages that are read.
const MAX_MESSAGES: usize = 16;
/// Maximum tokens of a message without digits between two pieces.
const MAX_INTERJECTION_TOKENS: usize = 20;
/// Maximum tokens before the first digit of a message that continues a number.
const MAX_LEAD_TOKENS: usize = 12;
/// Maximum words beside the digits of a message that continues a number, and beside fewer digits than
/// [`MIN_CERTAIN_DIGITS`]. Words for numbers and politeness do not count.
const MAX_WORDS_BESIDE_DIGITS: usize = 9;
const MAX_WORDS_BESIDE_FEW_DIGITS: usize = 2;
const MIN_CERTAIN_DIGITS: usize = 4;
/// Digits of the shortest part of a number that is written in several messages, or after words that name a card.
const MIN_PART_DIGITS: usize = 2;
/// Digits of the shortest written part of a number in one message that does not name a card.
const MIN_WRITTEN_DIGITS: usize = 4;
/// Pieces among which a number is searched for at once. A search of all pieces for each number would take time that grows with
/// the square of the text.
const SEARCHED_PIECES: usize = 4 * MAX_PIECES;
/// Digits of the longest card number.
const MAX_CARD_DIGITS: usize = 19;

/// Adds the card numbers whose pieces stand in one text.
pub(crate) fn detect_in_text(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let card = Entity::CREDIT_CARD_NUMBER;
    let min_written_digits = if input.named_entities.contains(card) { MIN_PART_DIGITS } else { MIN_WRITTEN_DIGITS };
    if !piece::may_have_card(input.tokens, min_written_digits) {
        return;
    }
    let pieces = piece::read(input.tokens, input.cues(), 0, min_written_digits);
    if is_answer_with_ssn(&pieces, input.expected_entities) {
        return;
    }
    let is_named = input.expected_entities.contains(card);
    let may_be_unchecked = is_named || input.expected_entities.is_empty();
    let (mut from, mut is_any) = (0, false);
    while from < pieces.len() {
        let after = pieces.len().min(from + SEARCHED_PIECES);
        let search = Search {
            pieces: &pieces[from..after],
            min_last: 0,
            is_named,
            may_be_unchecked,
            joins_left: Cell::new(MAX_JOINS),
        };
        let Some(found) = search.find() else {
            from += SEARCHED_PIECES - MAX_PIECES;
            continue;
        };
        let found = Assembled { first: found.first + from, end: (found.end.0 + from, found.end.1) };
        for (_, span) in spans(&pieces, found) {
            push(span, out);
        }
        (from, is_any) = (found.end.0 + 1, true);
    }
    if is_any {
        correction::extend(input.tokens, out);
    }
}

/// Whether a card number whose pieces begin in earlier messages may end in a text.
pub(crate) fn may_end_number(analyzed: &AnalyzedText<'_, '_>, has_card: bool) -> bool {
    let text = analyzed.text;
    let cues = || if may_have_word_cue(text) { analyzed.cues() } else { &[] };
    has_card && text.has_numbers() && !last_pieces(text, cues(), 0).is_empty()
}

/// The pieces of a text that may end a number: the first one is near the start.
fn last_pieces(text: &TokenizedText<'_>, cues: &[Cue], message: usize) -> Vec<Piece> {
    let tokens = text.tokens();
    let pieces = piece::read(&tokens, cues, message, MIN_PART_DIGITS);
    let Some((_, start, _)) = pieces.first().and_then(|piece| piece.digits.first()) else { return Vec::new() };
    let lead = tokens.as_slice().partition_point(|token| token.end <= *start);
    let is_apart = pieces.first().is_some_and(|piece| piece.is_apart);
    let is_short = pieces.first().is_some_and(|piece| piece.digits.len() < MIN_CERTAIN_DIGITS);
    let content = piece::content_words(&tokens, 0, tokens.len());
    let most = if is_short { MAX_WORDS_BESIDE_FEW_DIGITS } else { MAX_WORDS_BESIDE_DIGITS };
    if lead > MAX_LEAD_TOKENS || is_apart || content > most { Vec::new() } else { pieces }
}

/// Adds the pieces of a dictated card number in a text as candidates, and those in earlier messages to `earlier`.
pub(crate) fn detect(
    text: &TokenizedText<'_>,
    context: &[Utterance<'_>],
    out: &mut Candidates,
    earlier: &mut Vec<EarlierSpan>,
) {
    if !out.active().contains(Entity::CREDIT_CARD_NUMBER) || !text.has_numbers() {
        return;
    }
    detect_bare_number(text, context, out);
    let last = last_pieces(text, Cues::of_words(text).as_slice(), context.len());
    if last.is_empty() {
        return;
    }
    let asked = context::expectation(context).entities;
    if is_answer_with_ssn(&last, asked) {
        return;
    }
    let (mut pieces, is_named) = pieces_before(context);
    let min_last = pieces.len();
    pieces.extend(last);
    let joins_left = Cell::new(MAX_JOINS);
    let search = Search { pieces: &pieces, min_last, is_named, may_be_unchecked: true, joins_left };
    let Some(found) = search.find() else { return };
    for (message, span) in spans(&pieces, found) {
        if message < context.len() {
            card_floor::messages::push_earlier(EarlierSpan { utterance: message, span }, earlier);
        } else {
            push(span, out);
        }
    }
}

/// Whether pieces answer a question for a social security number and for no card: one of them has all its digits.
fn is_answer_with_ssn(pieces: &[Piece], asked: EntitySet) -> bool {
    asked.contains(Entity::SSN)
        && !asked.contains(Entity::CREDIT_CARD_NUMBER)
        && pieces.iter().any(|piece| piece.digits.len() == SSN_DIGITS)
}

/// Adds a message of a conversation that is nothing but a number with the prefix and the length of an issuer, unless an
/// earlier message asks for something else. The check digit is not tested, since people mistype card numbers.
fn detect_bare_number(text: &TokenizedText<'_>, context: &[Utterance<'_>], out: &mut Candidates) {
    let tokens = text.tokens();
    let mut buffer = RunBuffer::full_size();
    let mut run = NumberRun::new(&mut buffer);
    let Some(first) = run.read(&tokens, 0) else { return };
    let is_bare = first == 0 && run.end_token + 1 >= tokens.len() && !run.is_oversized;
    let ascii: Vec<u8> = run.digits().iter().map(|digit| b'0' + digit.value).collect();
    if !is_bare || !UNCHECKED_LENGTHS.contains(&ascii.len()) || card_issuer(&ascii).is_none() {
        return;
    }
    let expected = context::expectation(context).entities;
    if !expected.is_empty() && !expected.contains(Entity::CREDIT_CARD_NUMBER) {
        return;
    }
    let digits: Vec<_> = run.digits().iter().map(|digit| (b'0' + digit.value, digit.start, digit.end)).collect();
    let (Some((_, start, _)), Some((_, _, end))) = (digits.first(), digits.last()) else { return };
    out.push(Candidate {
        start: *start,
        end: *end,
        visible_from: last_four_start(&digits),
        entity: Entity::CREDIT_CARD_NUMBER,
        reason: DetectionReason::Shape,
        evidence: EvidenceRank::Shape,
    });
}

/// The pieces of the messages before a text, oldest first, and whether one of the messages names a card.
fn pieces_before(context: &[Utterance<'_>]) -> (Vec<Piece>, bool) {
    let (mut messages, mut is_named, mut digits) = (Vec::new(), false, 0);
    for (at, utterance) in context.iter().enumerate().rev().take(MAX_MESSAGES) {
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new(utterance.text, &mut buffer);
        let tokens = text.tokens();
        let cues = Cues::of_words(&text);
        let names = |entity: Entity| {
            cues.as_slice().iter().any(|cue| cue.entities.contains(entity) && cue.entities != LAST_FOUR)
        };
        is_named |= names(Entity::CREDIT_CARD_NUMBER);
        let is_other =
            cues.as_slice().iter().any(|cue| !cue.needs_connector && !cue.entities.intersects(piece::CARD_ENTITIES));
        let pieces = if utterance.speaker == Speaker::Other || is_other {
            Vec::new()
        } else {
            piece::read(&tokens, cues.as_slice(), at, MIN_PART_DIGITS)
        };
        let is_long = pieces.is_empty() && tokens.len() > MAX_INTERJECTION_TOKENS;
        digits += pieces.iter().map(|piece| piece.digits.len()).sum::<usize>();
        messages.push(pieces);
        if is_other || is_long || digits > 2 * MAX_CARD_DIGITS {
            break;
        }
    }
    (messages.into_iter().rev().flatten().collect(), is_named)
}

/// The spans of an assembled number, each with the index of its message. The last four digits stay readable if they
/// stand in the last piece.
fn spans(pieces: &[Piece], found: Assembled) -> impl Iterator<Item = (usize, Span)> + '_ {
    let Assembled { first, end } = found;
    (corrected_piece(pieces, first)..=end.0).filter_map(move |at| {
        let piece = pieces.get(at)?;
        let digits = if at == end.0 { piece.digits.get(..end.1)? } else { &piece.digits[..] };
        let ((_, start, _), (_, _, end_byte)) = (*digits.first()?, *digits.last()?);
        let visible_from = if at == end.0 { last_four_start(digits) } else { end_byte };
        let reason = DetectionReason::SplitNumber;
        let span = Span {
            start: start as usize,
            end: end_byte as usize,
            visible_from: visible_from as usize,
            entity: Entity::CREDIT_CARD_NUMBER,
            reason,
            confidence: EvidenceRank::PaymentCard.confidence(reason),
        };
        Some((piece.message, span))
    })
}

/// The first of at most [`MAX_PIECES`] pieces that the piece `last` corrects, or `last` if it corrects none.
fn corrected_piece(pieces: &[Piece], last: usize) -> usize {
    let mut at = last;
    let corrects = |at: usize| pieces.get(at).is_some_and(|piece| piece.is_correction && !piece.is_apart);
    let is_same_message =
        |at: usize| pieces.get(at - 1).zip(pieces.get(at)).is_some_and(|(a, b)| a.message == b.message);
    while at > last.saturating_sub(MAX_PIECES) && corrects(at) && is_same_message(at) {
        at -= 1;
    }
    at
}

/// The first byte of the last four digits; the end of the digits if there are fewer, or if a word holds a part of them.
fn last_four_start(digits: &[(u8, u32, u32)]) -> u32 {
    let end = digits.last().map_or(0, |(_, _, end)| *end);
    let Some(at) = digits.len().checked_sub(4) else { return end };
    let shares_word = at > 0 && digits[at - 1].2 > digits[at].1;
    if shares_word { end } else { digits[at].1 }
}

fn push(span: Span, out: &mut Candidates) {
    out.push(Candidate {
        start: saturating_u32(span.start),
        end: saturating_u32(span.end),
        visible_from: saturating_u32(span.visible_from),
        entity: span.entity,
        reason: span.reason,
        evidence: EvidenceRank::PaymentCard,
    });
}
