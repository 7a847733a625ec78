//! Card numbers that are dictated over many messages, often one digit a message.
//!
//! The digits of all messages of one speaker that are nothing but digits and fillers are one run ([`message_run`]). The
//! message before them may add the digits at its end, unless it names them as something else. The rule of a single text
//! applies to the run, and to masked digits as follows:
//!
//! - A masked digit has an unknown value. A number with unknown digits counts only over at least [`MIN_MASKED_MESSAGES`]
//!   messages, because a masked PIN and a phone number could otherwise be one.
//! - What extends a masked card number is masked with it, and the last four digits are taken anew. A bare mask says
//!   nothing about its entity, so the number may begin with any message of the masked run.

use super::message_part::{NumberRunPart, names_other_value};
use super::message_run::{self, fewest};
use super::reader::{FloorDigit, Interpretation, UNKNOWN};
use super::window::{
    CARD_DIGITS, VISIBLE_DIGITS, first_visible, for_each_card, for_each_masked_card, hidden_ranges, longest_start,
};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cross_message::utterance::{Speaker, Utterance};
use crate::entity::{Entity, EntitySet};
use crate::span::{DetectionReason, EarlierSpan, Span};
use crate::tokenize::{TokenBuffer, TokenizedText, saturating_u32};
use std::ops::Range;

/// Minimum messages of a number with unknown digits.
const MIN_MASKED_MESSAGES: usize = 3;
/// Minimum hidden digits of a masked card number.
const MIN_HIDDEN_DIGITS: usize = 9;

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
struct DigitRun<'c> {
    context: &'c [Utterance<'c>],
    digits: Vec<FloorDigit>,
    is_hidden: Vec<bool>,
    /// The first digit of the last message.
    last_message: usize,
}

impl<'c> DigitRun<'c> {
    /// The run of a text after these messages.
    fn read(text: &TokenizedText<'_>, context: &'c [Utterance<'c>], reading: Interpretation) -> Self {
        let digits = message_run::read(text, context, reading);
        let last_message = digits.partition_point(|digit| digit.message < context.len());
        Self { context, is_hidden: vec![false; digits.len()], digits, last_message }
    }

    /// Hides the numbers that begin in an earlier message and end in the last one.
    fn hide_cards(&mut self) {
        let (digits, last_message, context) = (&self.digits, self.last_message, self.context);
        let mut hide = |first: usize, end: usize| {
            let card = digits.get(first..end).unwrap_or_default();
            if end > last_message && is_plausible(card, context) {
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

    /// Hides a masked card number with what the last message adds to it, except for the last four digits. The mask of a
    /// secret may have been taken for the beginning of that number, so the number that goes on may begin with any of its
    /// messages. What answers a question for something else extends no complete number before the question.
    fn extend_masked_card(&mut self) {
        if self.answers_question_after_card() {
            return;
        }
        let count = self.digits.len();
        let is_masked = |at: &usize| self.digits.get(*at).is_some_and(|digit| digit.value == UNKNOWN);
        let starts =
            (0..self.last_message).filter(|at| is_masked(at) && !at.checked_sub(1).is_some_and(|at| is_masked(&at)));
        let longest = starts.into_iter().find(|first| {
            let masked_end = self.masked_end(*first);
            let hidden = (*first..masked_end).filter(is_masked).count();
            let added = count.saturating_sub(masked_end + VISIBLE_DIGITS);
            let has_readable = || (*first..masked_end.min(self.last_message)).any(|at| !is_masked(&at));
            let mut borders = (*first..masked_end).filter(|at| at == first || self.begins_message(*at));
            hidden >= MIN_HIDDEN_DIGITS
                && (added > 0 || has_readable())
                && borders.any(|at| self.has_card_length(at))
                && !(masked_end..count).any(|at| is_masked(&at))
        });
        let Some(masked) = longest else { return };
        let first = (0..=masked).rfind(|at| self.begins_message(*at)).unwrap_or(masked);
        let hidden = first + first_visible(self.digits.get(first..).unwrap_or_default());
        self.is_hidden.iter_mut().take(hidden).skip(first).for_each(|is_hidden| *is_hidden = true);
    }

    /// Whether the messages before the last one end with a complete masked number, and the other speaker then asks for something
    /// else.
    fn answers_question_after_card(&self) -> bool {
        let before = self.digits.get(..self.last_message).unwrap_or_default();
        let newest = before.last().map_or(0, |digit| digit.message);
        hide_card(before) && asks_for_other(self.context, newest..self.context.len())
    }

    fn begins_message(&self, at: usize) -> bool {
        let message = |at: usize| self.digits.get(at).map(|digit| digit.message);
        at == 0 || message(at - 1) != message(at)
    }

    /// Whether the digits from `first` on may be as many as a card number has.
    fn has_card_length(&self, first: usize) -> bool {
        let rest = self.digits.get(first..).unwrap_or_default();
        rest.len() >= *CARD_DIGITS.start() && fewest(rest) <= *CARD_DIGITS.end()
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
/// one message has the mask and the readable tail of another, complete number, or if it has too many digits and the
/// messages before the last one end with a complete number.
fn is_plausible(card: &[FloorDigit], context: &[Utterance<'_>]) -> bool {
    let last = card.last().map_or(0, |digit| digit.message);
    let before_last = card.get(..card.partition_point(|digit| digit.message < last)).unwrap_or_default();
    let messages = || card.chunk_by(|one, next| one.message == next.message);
    // A mask that continues that of the message before was one number with it.
    let masked = || card.chunk_by(|one, next| one.message == next.message || is_unknown(one) && is_unknown(next));
    let is_other_number = |digits: &[FloorDigit]| {
        let message = digits.first().map_or(0, |digit| digit.message);
        has_readable_tail(digits)
            && digits.iter().all(|digit| digit.message == message)
            && (digits.len() >= *CARD_DIGITS.start() || asks_for_other(context, message..last))
    };
    !card.iter().any(is_unknown)
        || messages().count() >= MIN_MASKED_MESSAGES
            && !masked().any(is_other_number)
            && !(card.len() > *CARD_DIGITS.end() && hide_card(before_last))
}

/// Whether digits end with a complete card number, of which only the last four are readable.
fn hide_card(digits: &[FloorDigit]) -> bool {
    let first = digits.iter().position(is_unknown).unwrap_or_default();
    let masked = digits.get(first..).unwrap_or_default();
    let hidden = masked.iter().take_while(|digit| is_unknown(digit)).count();
    hidden >= MIN_HIDDEN_DIGITS && CARD_DIGITS.contains(&masked.len()) && has_readable_tail(masked)
}

fn is_unknown(digit: &FloorDigit) -> bool {
    digit.value == UNKNOWN
}

/// Whether the last four digits, and no others at the end, are readable.
fn has_readable_tail(digits: &[FloorDigit]) -> bool {
    let visible = digits.iter().rev().take_while(|digit| !is_unknown(digit)).count();
    visible == VISIBLE_DIGITS && digits.len() > visible
}

/// Whether the other speaker asks for something else than a card number in these messages.
fn asks_for_other(context: &[Utterance<'_>], messages: Range<usize>) -> bool {
    let messages = context.get(messages).unwrap_or_default();
    messages.iter().filter(|message| message.speaker == Speaker::Other).any(|message| {
        let mut buffer = TokenBuffer::new();
        names_other_value(&TokenizedText::new(message.text, &mut buffer))
    })
}
