//! Card numbers that are dictated over many messages, often one digit a message.
//!
//! The digits of all messages of one speaker that are nothing but digits and fillers are one run. The message before
//! them may add the digits at its end. The rule of a single text applies to the run, and to masked digits as follows:
//!
//! - A masked digit has an unknown value. A number with unknown digits counts only over at least [`MIN_MASKED_MESSAGES`]
//!   messages, because a masked PIN and a phone number could otherwise be one.
//! - What extends a masked card number is masked with it, and the last four digits are taken anew.

use super::mask_width::MaskWidth;
use super::message_part::{NumberRunPart, may_be_in_number};
use super::reader::{FloorDigit, Interpretation, Part, Reader, UNKNOWN};
use super::window::{
    CARD_DIGITS, VISIBLE_DIGITS, first_visible, for_each_card, for_each_masked_card, hidden_ranges, longest_start,
};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cross_message::context;
use crate::cross_message::utterance::{Speaker, Utterance};
use crate::entity::{Entity, EntitySet};
use crate::span::{DetectionReason, EarlierSpan, Span};
use crate::tokenize::{TokenBuffer, TokenKind, TokenizedText, Tokens, saturating_u32};

/// Maximum number of earlier messages in which a dictated card number is searched for, those of other speakers included.
pub const MAX_NUMBER_RUN: usize = 64;

/// Minimum messages of a number with unknown digits.
const MIN_MASKED_MESSAGES: usize = 3;
/// Minimum hidden digits of a masked card number.
const MIN_HIDDEN_DIGITS: usize = 9;
/// Maximum remarks within a number. A number with masked digits has at most one.
const MAX_REMARKS: usize = 2;
/// Maximum digits of each message of a number with a remark. A longer one is a number of its own.
const MAX_DIGITS_BESIDE_REMARK: usize = 8;
/// Maximum parts of a number whose messages say which part they are.
const MAX_PARTS: u32 = 19;

/// Whether a card number that earlier messages begin may end in a text.
pub(crate) fn may_end_number(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    active.contains(Entity::CREDIT_CARD_NUMBER)
        && (text.has_numbers() || text.features.may_have_folded_digits)
        && NumberRunPart::of_tokens(text) == NumberRunPart::Digits
}

/// Adds the part of a dictated card number in a text as a candidate, and the parts in earlier messages to `earlier`.
pub(crate) fn detect(
    text: &TokenizedText<'_>,
    context: &[Utterance<'_>],
    out: &mut Candidates,
    earlier: &mut Vec<EarlierSpan>,
) {
    if context.is_empty() || !may_end_number(text, out.active()) {
        return;
    }
    for reading in [Interpretation::Words, Interpretation::Dictated] {
        let mut run = DigitRun::read(text, context, reading);
        run.hide_cards();
        run.extend_masked_card();
        for (message, span) in (0..=context.len()).flat_map(|at| run.spans_of(at).into_iter().map(move |s| (at, s))) {
            if message < context.len() {
                push_earlier(EarlierSpan { utterance: message, span }, earlier);
                continue;
            }
            out.push(Candidate {
                start: saturating_u32(span.start),
                end: saturating_u32(span.end),
                visible_from: saturating_u32(span.visible_from),
                entity: span.entity,
                reason: span.reason,
                evidence: EvidenceRank::Shape,
            });
        }
    }
}

/// Adds a span of an earlier message, merged with the spans that it overlaps: a character stays readable only if each of
/// them leaves it readable.
pub(crate) fn push_earlier(mut new: EarlierSpan, earlier: &mut Vec<EarlierSpan>) {
    earlier.retain(|other| {
        let (one, two) = (other.span, new.span);
        let is_apart = other.utterance != new.utterance || one.end <= two.start || two.end <= one.start;
        if !is_apart {
            let end = one.end.max(two.end);
            let visible = |span: Span| if span.visible_from < span.end { span.visible_from } else { span.end };
            let visible_from = visible(one).max(visible(two)).min(end);
            new.span = Span { start: one.start.min(two.start), end, visible_from, ..two };
        }
        is_apart
    });
    earlier.push(new);
}

/// The digits of a run of messages, oldest first, of which a part is to be hidden.
struct DigitRun {
    digits: Vec<FloorDigit>,
    is_hidden: Vec<bool>,
    /// The first digit of the last message.
    last_message: usize,
}

impl DigitRun {
    /// Reads the digits before a text, as many as a card number can have there, and those of the text.
    fn read(text: &TokenizedText<'_>, context: &[Utterance<'_>], reading: Interpretation) -> Self {
        let mut messages = vec![digits_of(&text.tokens(), context.len(), reading)];
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
            let digits = digits_of(&text.tokens(), message, reading);
            if remarks > 0 && digits.len() > MAX_DIGITS_BESIDE_REMARK {
                break;
            }
            before += digits.iter().filter(|digit| !digit.is_optional).count();
            messages.push(digits);
            if matches!(part, NumberRunPart::Other | NumberRunPart::Remark) {
                break;
            }
        }
        let digits: Vec<_> = messages.into_iter().rev().flatten().collect();
        let last_message = digits.partition_point(|digit| digit.message < context.len());
        Self { is_hidden: vec![false; digits.len()], digits, last_message }
    }

    /// Hides the numbers that begin in an earlier message and end in the last one.
    fn hide_cards(&mut self) {
        let (digits, last_message) = (&self.digits, self.last_message);
        let mut hide = |first: usize, end: usize| {
            let card = digits.get(first..end).unwrap_or_default();
            if end > last_message && is_plausible(card) {
                let hidden = self.is_hidden.iter_mut().skip(first).take(first_visible(card));
                hidden.for_each(|is_hidden| *is_hidden = true);
            }
        };
        let is_unknown = |at: usize| digits.get(at).is_some_and(|digit| digit.value == UNKNOWN);
        for first in longest_start(digits, last_message)..last_message {
            for_each_card(digits, first, |end| hide(first, end));
            // A number does not begin within a masked one.
            if !(is_unknown(first) && first.checked_sub(1).is_some_and(is_unknown)) {
                for_each_masked_card(digits, first, |end| hide(first, end));
            }
        }
    }

    /// Hides a masked card number with what the last message adds to it, except for the last four digits.
    fn extend_masked_card(&mut self) {
        let count = self.digits.len();
        let is_masked = |at: &usize| self.digits.get(*at).is_some_and(|digit| digit.value == UNKNOWN);
        let starts =
            (0..self.last_message).filter(|at| is_masked(at) && !at.checked_sub(1).is_some_and(|at| is_masked(&at)));
        let longest = starts.into_iter().find(|first| {
            let masked_end = self.masked_end(*first);
            let hidden = (*first..masked_end).filter(is_masked).count();
            let added = count.saturating_sub(masked_end + VISIBLE_DIGITS);
            let is_complete = hidden >= MIN_HIDDEN_DIGITS && added > 0 && count - first <= *CARD_DIGITS.end();
            is_complete && !(masked_end..count).any(|at| is_masked(&at))
        });
        let Some(first) = longest else { return };
        let hidden = first + first_visible(self.digits.get(first..).unwrap_or_default());
        self.is_hidden.iter_mut().take(hidden).skip(first).for_each(|is_hidden| *is_hidden = true);
    }

    /// The digit after the last one of a masked number that begins at `first`. A mask can leave digits readable between
    /// masked ones, such as a homophone that it took for a word. As many as the readable tail of a number end it.
    fn masked_end(&self, first: usize) -> usize {
        let mut end = first;
        for (at, digit) in self.digits.iter().enumerate().skip(first) {
            if digit.value == UNKNOWN {
                end = at + 1;
            } else if at + 1 - end >= VISIBLE_DIGITS {
                break;
            }
        }
        end
    }

    /// The spans that hide the hidden digits of a message, and all digits before them.
    fn spans_of(&self, message: usize) -> Vec<Span> {
        let from = self.digits.partition_point(|digit| digit.message < message);
        let to = self.digits.partition_point(|digit| digit.message <= message);
        let is_new = |at: &usize| self.is_hidden[*at] && self.digits[*at].value != UNKNOWN;
        let Some(first) = (from..to).find(is_new) else { return Vec::new() };
        let hidden = (first..to).rfind(|at| self.is_hidden[*at]).map_or(0, |last| last + 1 - first);
        let spans = hidden_ranges(&self.digits[first..to], hidden).map(|(start, end, visible_from)| Span {
            start: start as usize,
            end: end as usize,
            visible_from: visible_from as usize,
            entity: Entity::CREDIT_CARD_NUMBER,
            reason: DetectionReason::SplitNumber,
            confidence: EvidenceRank::PaymentCard.confidence(DetectionReason::SplitNumber),
        });
        spans.collect()
    }
}

/// Whether the unknown digits of a number, if it has any, may be its own. They are not if the number has few messages, if
/// the mask of one message has the readable tail of another, complete number, or if it has too many
/// digits and the messages before the last one end with a complete number.
fn is_plausible(card: &[FloorDigit]) -> bool {
    let is_unknown = |digit: &FloorDigit| digit.value == UNKNOWN;
    let is_complete = |digits: &[FloorDigit]| {
        let visible = digits.iter().rev().take_while(|digit| !is_unknown(digit)).count();
        visible == VISIBLE_DIGITS && digits.len() > visible
    };
    let messages = || card.chunk_by(|one, next| one.message == next.message);
    let last = card.last().map_or(0, |digit| digit.message);
    let before_last = card.get(..card.partition_point(|digit| digit.message < last)).unwrap_or_default();
    let hides_card = || {
        let first = before_last.iter().position(is_unknown).unwrap_or_default();
        let masked = before_last.get(first..).unwrap_or_default();
        let hidden = masked.iter().take_while(|digit| is_unknown(digit)).count();
        hidden >= MIN_HIDDEN_DIGITS && CARD_DIGITS.contains(&masked.len()) && is_complete(masked)
    };
    !card.iter().any(is_unknown)
        || messages().count() >= MIN_MASKED_MESSAGES
            && !messages().any(is_complete)
            && !(card.len() > *CARD_DIGITS.end() && hides_card())
}

/// How many remarks may interrupt these messages of digits. A long number stands for itself.
fn max_remarks(messages: &[Vec<FloorDigit>]) -> usize {
    let is_long = messages.iter().any(|digits| digits.len() > MAX_DIGITS_BESIDE_REMARK);
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

/// The digits of a message after its last word that is no filler.
fn digits_of(tokens: &Tokens<'_>, message: usize, reading: Interpretation) -> Vec<FloorDigit> {
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
    if let Some(first) = reader.digits.first_mut() {
        first.starts_group = true;
    }
    reader.digits.iter_mut().for_each(|digit| digit.message = message);
    reader.digits
}
