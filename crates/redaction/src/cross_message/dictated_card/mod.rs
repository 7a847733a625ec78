//! Card numbers that are dictated in pieces, with other words between: "the first four are 4111, then 1111, hang on, and
//! it ends in 1111 1111". The pieces stand in one message or in several.
//!
//! The evidence is the number that the pieces make: an issuer's prefix, a length of the issuer, and a right Luhn digit.
//! A number without a right Luhn digit counts where words name a card or where the speaker corrects a number.

mod assemble;
mod piece;

use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::card_floor;
use crate::cross_message::context::{Speaker, Utterance};
use crate::cues::{Cues, has_spelled_word};
use crate::detect::DetectorInput;
use crate::entity::Entity;
use crate::span::{DetectionReason, EarlierSpan, Span};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenBuffer, TokenizedText, saturating_u32};
use assemble::{Assembled, Search};
use piece::Piece;

/// Maximum earlier messages that are read.
const MAX_MESSAGES: usize = 16;
/// Maximum tokens of a message without digits between two pieces.
const MAX_INTERJECTION_TOKENS: usize = 20;
/// Maximum tokens before the first digit of a message that continues a number.
const MAX_LEAD_TOKENS: usize = 12;
/// Digits of the longest card number.
const MAX_CARD_DIGITS: usize = 19;

/// Adds the card numbers whose pieces stand in one text.
pub(crate) fn detect_in_text(text: &TokenizedText<'_>, input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(Entity::CREDIT_CARD_NUMBER.bit()) || !card_floor::may_have_card(text) {
        return;
    }
    let pieces = piece::read(input.tokens, input.cues(), 0);
    let is_named = input.named_entities.contains(Entity::CREDIT_CARD_NUMBER);
    let may_be_unchecked = is_named || input.expected_entities.is_empty();
    let mut from = 0;
    while let Some(found) = (Search { pieces: &pieces[from..], min_last: 0, is_named, may_be_unchecked }).find() {
        let found = Assembled { first: found.first + from, end: (found.end.0 + from, found.end.1) };
        for (_, span) in spans(&pieces, found) {
            push(span, out);
        }
        from = found.end.0 + 1;
    }
}

/// Whether a card number whose pieces begin in earlier messages may end in a text.
pub(crate) fn may_end_number(text: &TokenizedText<'_>, out_active: bool) -> bool {
    out_active && text.has_numbers() && !last_pieces(text, 0).is_empty()
}

/// The pieces of a text that may end a number: the first one is near the start.
fn last_pieces(text: &TokenizedText<'_>, message: usize) -> Vec<Piece> {
    let tokens = text.tokens();
    let pieces = read_message(text, message);
    let Some((_, start, _)) = pieces.first().and_then(|piece| piece.digits.first()) else { return Vec::new() };
    let lead = tokens.as_slice().partition_point(|token| token.end <= *start);
    let is_apart = pieces.first().is_some_and(|piece| piece.is_apart);
    if lead > MAX_LEAD_TOKENS || is_apart { Vec::new() } else { pieces }
}

fn read_message(text: &TokenizedText<'_>, message: usize) -> Vec<Piece> {
    let tokens = text.tokens();
    let has_cue = text.features.word_flags & flag::CUE_HEAD != 0 || has_spelled_word(&tokens);
    let cues = if has_cue { Cues::find_all(&tokens) } else { Cues::new() };
    piece::read(&tokens, cues.as_slice(), message)
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
    let last = last_pieces(text, context.len());
    if last.is_empty() {
        return;
    }
    let (mut pieces, is_named) = pieces_before(context);
    let min_last = pieces.len();
    pieces.extend(last);
    let Some(found) = (Search { pieces: &pieces, min_last, is_named, may_be_unchecked: true }).find() else { return };
    for (message, span) in spans(&pieces, found) {
        if message < context.len() {
            card_floor::messages::push_earlier(EarlierSpan { utterance: message, span }, earlier);
        } else {
            push(span, out);
        }
    }
}

/// The pieces of the messages before a text, oldest first, and whether one of the messages names a card.
fn pieces_before(context: &[Utterance<'_>]) -> (Vec<Piece>, bool) {
    let (mut messages, mut is_named, mut digits) = (Vec::new(), false, 0);
    for (at, utterance) in context.iter().enumerate().rev().take(MAX_MESSAGES) {
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new(utterance.text, &mut buffer);
        let tokens = text.tokens();
        let has_cue = text.features.word_flags & flag::CUE_HEAD != 0 || has_spelled_word(&tokens);
        let cues = if has_cue { Cues::find_all(&tokens) } else { Cues::new() };
        let names = |entity: Entity| cues.as_slice().iter().any(|cue| cue.entities.contains(entity));
        is_named |= names(Entity::CREDIT_CARD_NUMBER);
        let is_other = cues.as_slice().iter().any(|cue| !cue.entities.intersects(piece::CARD_ENTITIES));
        let pieces = if utterance.speaker == Speaker::Other || is_other {
            Vec::new()
        } else {
            piece::read(&tokens, cues.as_slice(), at)
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

/// The first of the pieces that the piece `at` corrects, or `at` if it corrects none.
fn corrected_piece(pieces: &[Piece], mut at: usize) -> usize {
    let corrects = |at: usize| pieces.get(at).is_some_and(|piece| piece.is_correction && !piece.is_apart);
    let is_same_message = |at: usize| pieces.get(at - 1).zip(pieces.get(at)).is_some_and(|(a, b)| a.message == b.message);
    while at > 0 && corrects(at) && is_same_message(at) {
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
