//! The invariants of the redaction engine. Each is a function that checks the outcome of one call.

use crate::call::Call;
use crate::dictation;
use parlance_redaction::{Entity, EntitySet, Mask, Redaction, Redactor, Span, Speaker, Utterance, mask_spans};
use std::borrow::Cow;
use std::fmt;

/// An invariant that a call violates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantViolation {
    /// The invariant.
    pub invariant: &'static str,
    /// The expected value.
    pub expected: String,
    /// The actual value.
    pub actual: String,
}

impl fmt::Display for InvariantViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { invariant, expected, actual } = self;
        write!(f, "violated invariant: {invariant}\nexpected: {expected}\n  actual: {actual}")
    }
}

/// A call with its result, which is the input of an invariant.
struct Outcome<'c> {
    call: &'c Call,
    context: &'c [Utterance<'c>],
    redactor: Redactor,
    redaction: Redaction<'c>,
}

type Invariant = fn(&Outcome<'_>) -> Result<(), InvariantViolation>;

/// The invariants that hold for every text.
const INVARIANTS: [Invariant; 10] = [
    spans_are_ordered_and_in_bounds,
    only_active_entities_are_found,
    earlier_spans_are_in_bounds,
    the_masked_text_matches_its_spans,
    a_text_without_spans_is_not_copied,
    masking_keeps_the_number_of_characters,
    needs_context_if_context_changes_the_result,
    no_card_number_remains,
    of_a_dictated_card_number_at_most_four_digits_remain,
    redaction_is_idempotent,
];

/// Makes the call and checks every invariant.
///
/// # Errors
/// The first violated invariant.
pub fn check_invariants(call: &Call) -> Result<(), InvariantViolation> {
    let context = call.utterances();
    let redactor = Redactor::new(call.active);
    let redaction = redactor.redact(&call.text, &context);
    let outcome = Outcome { call, context: &context, redactor, redaction };
    INVARIANTS.iter().try_for_each(|invariant| invariant(&outcome))
}

fn ensure(
    holds: bool,
    invariant: &'static str,
    expected: &dyn fmt::Debug,
    actual: &dyn fmt::Debug,
) -> Result<(), InvariantViolation> {
    if holds {
        return Ok(());
    }
    Err(InvariantViolation { invariant, expected: format!("{expected:?}"), actual: format!("{actual:?}") })
}

fn spans_are_ordered_and_in_bounds(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let mut previous_end = 0;
    for span in &outcome.redaction.spans {
        let holds = span.start >= previous_end && is_in_bounds(span, &outcome.call.text);
        ensure(
            holds,
            "spans are in order, inside the text, on character boundaries, and not empty",
            &format_args!("a span between {previous_end} and {}", outcome.call.text.len()),
            span,
        )?;
        previous_end = span.end;
    }
    Ok(())
}

fn is_in_bounds(span: &Span, text: &str) -> bool {
    let is_ordered = span.start <= span.visible_from && span.visible_from <= span.end;
    let offsets = [span.start, span.visible_from, span.end];
    span.start < span.end && is_ordered && offsets.iter().all(|&offset| text.is_char_boundary(offset))
}

fn only_active_entities_are_found(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let mut found = outcome.redaction.spans.iter().map(|span| span.entity);
    let inactive = found.find(|&entity| !outcome.call.active.contains(entity));
    ensure(inactive.is_none(), "only active entities are found", &outcome.call.active, &inactive)
}

fn earlier_spans_are_in_bounds(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    for earlier in &outcome.redaction.earlier {
        let message = outcome.context.get(earlier.utterance);
        ensure(
            message.is_some_and(|message| is_in_bounds(&earlier.span, message.text)),
            "spans of earlier messages are inside these messages",
            &message,
            earlier,
        )?;
    }
    Ok(())
}

fn the_masked_text_matches_its_spans(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let masked = mask_spans(&outcome.call.text, &outcome.redaction.spans);
    ensure(
        masked == outcome.redaction.text,
        "the masked text is the text with its spans masked",
        &masked,
        &outcome.redaction.text,
    )
}

fn a_text_without_spans_is_not_copied(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let is_borrowed = matches!(outcome.redaction.text, Cow::Borrowed(_));
    ensure(
        is_borrowed == outcome.redaction.spans.is_empty(),
        "the text is borrowed if and only if nothing is found",
        &outcome.redaction.spans.is_empty(),
        &is_borrowed,
    )
}

fn masking_keeps_the_number_of_characters(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let Redaction { text, spans, .. } = &outcome.redaction;
    if spans.iter().any(|s| s.entity.row().mask == Mask::Fixed8) {
        return Ok(());
    }
    let original = outcome.call.text.chars().count();
    ensure(
        text.chars().count() == original,
        "a masked text has the same number of characters as the text, unless a mask hides the length",
        &original,
        text,
    )
}

fn redaction_is_idempotent(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let once = &outcome.redaction.text;
    let context = masked_context(outcome);
    let context: Vec<_> = context.iter().map(|(speaker, text)| Utterance { text, speaker: *speaker }).collect();
    let twice = outcome.redactor.redact(once, &context).text;
    ensure(twice == *once, "a second redaction does not change a masked text", once, &twice)
}

/// The earlier messages after masking of their new spans, as the service stores them.
fn masked_context(outcome: &Outcome<'_>) -> Vec<(Speaker, String)> {
    let masked = |(index, message): (usize, &Utterance<'_>)| {
        let earlier = outcome.redaction.earlier.iter().filter(|earlier| earlier.utterance == index);
        let mut spans: Vec<_> = earlier.map(|earlier| earlier.span).collect();
        spans.sort_by_key(|span| span.start);
        (message.speaker, mask_spans(message.text, &spans))
    };
    outcome.context.iter().enumerate().map(masked).collect()
}

fn needs_context_if_context_changes_the_result(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let text = &outcome.call.text;
    if outcome.context.is_empty() || outcome.redactor.needs_context(text) {
        return Ok(());
    }
    let without_context = outcome.redactor.redact(text, &[]);
    ensure(
        outcome.redaction == without_context,
        "context does not change the result of a text that needs no context",
        &without_context.spans,
        &outcome.redaction.spans,
    )
}

/// One text in so many is also the source of a conversation. A conversation takes many calls.
const DICTATION_RATE: usize = 8;

fn of_a_dictated_card_number_at_most_four_digits_remain(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    let input = outcome.call.text.as_bytes();
    if !outcome.call.active.contains(Entity::CREDIT_CARD_NUMBER) || input.len() % DICTATION_RATE != 1 {
        return Ok(());
    }
    // A mask of another entity can hide the length of a part, so that the digits are not found again.
    let redactor = Redactor::new(EntitySet::from_iter([Entity::CREDIT_CARD_NUMBER]));
    let messages = dictation::conversation(input);
    let stored = dictation::store(redactor, &messages);
    ensure(
        dictation::readable_digits(&messages, &stored) <= dictation::READABLE_DIGITS,
        "at most the last four digits of a dictated card number stay readable",
        &messages,
        &stored,
    )
}

fn no_card_number_remains(outcome: &Outcome<'_>) -> Result<(), InvariantViolation> {
    if !outcome.call.active.contains(Entity::CREDIT_CARD_NUMBER) {
        return Ok(());
    }
    let text = &outcome.redaction.text;
    let mut words = text.split(|c: char| c.is_ascii_whitespace() || !c.is_ascii());
    let card = words.find(|word| is_card_number(word.as_bytes()));
    ensure(card.is_none(), "no word of a masked text is a payment card number", &format_args!("{card:?} masked"), text)
}

/// Whether a word is certainly a payment card number: digits with the prefix and length of a large scheme, not all
/// equal, with a valid Luhn check digit (ISO/IEC 7812-1).
///
/// Weaker evidence is insufficient, since many reference numbers and IMEIs (ETSI TS 123 003) of 13 to 19 digits have a
/// valid Luhn check digit.
fn is_card_number(word: &[u8]) -> bool {
    if !word.iter().all(u8::is_ascii_digit) || word.windows(2).all(|pair| pair[0] == pair[1]) {
        return false;
    }
    let prefix = word.iter().take(4);
    let first_four = prefix.fold(0, |number, &b| number * 10 + u32::from(b - b'0'));
    let is_in_scheme = match word.len() {
        // Visa, in its short and long format.
        13 | 19 => matches!(first_four, 4000..=4999),
        // Diners Club International.
        14 => matches!(first_four, 3600..=3699 | 3800..=3999),
        // American Express.
        15 => matches!(first_four, 3400..=3499 | 3700..=3799),
        // Visa, Mastercard, Discover, JCB.
        16 => matches!(
            first_four,
            4000..=4999 | 2221..=2719 | 5100..=5599 | 6011 | 6500..=6599 | 3530..=3588
        ),
        _ => false,
    };
    is_in_scheme && luhn_sum(word).is_multiple_of(10)
}

/// The Luhn sum, which is a multiple of 10 for a valid number (ISO/IEC 7812-1, annex B).
fn luhn_sum(digits: &[u8]) -> u32 {
    let doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
    let values = digits.iter().rev().map(|&b| b - b'0').enumerate();
    values
        .map(|(position, digit)| match position % 2 {
            0 => u32::from(digit),
            _ => doubled[usize::from(digit)],
        })
        .sum()
}
