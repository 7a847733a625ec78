//! The promises, each a function that says whether one call keeps it.

use crate::call::Call;
use parlance_redaction::{Entity, Mask, Redaction, Redactor, Span, Speaker, Utterance, mask_spans};
use std::borrow::Cow;
use std::fmt;

/// A promise that a call breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The promise.
    pub promise: &'static str,
    /// What should have come out.
    pub expected: String,
    /// What came out.
    pub got: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { promise, expected, got } = self;
        write!(f, "broken: {promise}\nexpected: {expected}\n     got: {got}")
    }
}

/// Everything a promise may look at.
struct Outcome<'c> {
    call: &'c Call,
    context: &'c [Utterance<'c>],
    redactor: Redactor,
    redaction: Redaction<'c>,
}

type Promise = fn(&Outcome<'_>) -> Result<(), Broken>;

/// What no text breaks.
const PROMISES: [Promise; 9] = [
    spans_are_in_order_and_fit,
    only_active_entities_are_found,
    earlier_spans_fit_their_messages,
    the_text_is_its_spans_masked,
    nothing_found_is_nothing_copied,
    as_many_characters_as_before,
    wants_context_where_context_counts,
    no_card_number_is_left,
    a_masked_text_stays_as_it_is,
];

/// Makes the call and holds the outcome against every promise.
///
/// # Errors
/// The first promise that is broken.
pub fn kept(call: &Call) -> Result<(), Broken> {
    let context = call.utterances();
    let redactor = Redactor::new(call.active);
    let redaction = redactor.redact(&call.text, &context);
    let outcome = Outcome { call, context: &context, redactor, redaction };
    PROMISES.iter().try_for_each(|promise| promise(&outcome))
}

fn hold(kept: bool, promise: &'static str, expected: &dyn fmt::Debug, got: &dyn fmt::Debug) -> Result<(), Broken> {
    if kept {
        return Ok(());
    }
    Err(Broken { promise, expected: format!("{expected:?}"), got: format!("{got:?}") })
}

fn spans_are_in_order_and_fit(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let mut done = 0;
    for span in &outcome.redaction.spans {
        let kept = span.start >= done && fits(span, &outcome.call.text);
        hold(
            kept,
            "spans are in order, inside the text, on character boundaries, not empty",
            &format_args!("a span from {done} of {}", outcome.call.text.len()),
            span,
        )?;
        done = span.end;
    }
    Ok(())
}

fn fits(span: &Span, text: &str) -> bool {
    let hidden_then_shown = span.start <= span.shown_from && span.shown_from <= span.end;
    let edges = [span.start, span.shown_from, span.end];
    span.start < span.end && hidden_then_shown && edges.iter().all(|&edge| text.is_char_boundary(edge))
}

fn only_active_entities_are_found(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let mut found = outcome.redaction.spans.iter().map(|span| span.entity);
    let stranger = found.find(|&entity| !outcome.call.active.contains(entity));
    hold(stranger.is_none(), "only active entities are found", &outcome.call.active, &stranger)
}

fn earlier_spans_fit_their_messages(outcome: &Outcome<'_>) -> Result<(), Broken> {
    for earlier in &outcome.redaction.earlier {
        let message = outcome.context.get(earlier.utterance);
        hold(
            message.is_some_and(|message| fits(&earlier.span, message.text)),
            "spans of earlier messages fit them",
            &message,
            earlier,
        )?;
    }
    Ok(())
}

fn the_text_is_its_spans_masked(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let masked = mask_spans(&outcome.call.text, &outcome.redaction.spans);
    hold(
        masked == outcome.redaction.text,
        "the masked text is the text with its spans masked",
        &masked,
        &outcome.redaction.text,
    )
}

fn nothing_found_is_nothing_copied(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let borrowed = matches!(outcome.redaction.text, Cow::Borrowed(_));
    hold(
        borrowed == outcome.redaction.spans.is_empty(),
        "the text is borrowed where nothing was found, and only there",
        &outcome.redaction.spans.is_empty(),
        &borrowed,
    )
}

fn as_many_characters_as_before(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let Redaction { text, spans, .. } = &outcome.redaction;
    if spans.iter().any(|s| s.entity.row().mask == Mask::Fixed8) {
        return Ok(());
    }
    let before = outcome.call.text.chars().count();
    hold(
        text.chars().count() == before,
        "a masked text has as many characters as the text, unless a mask hides the length",
        &before,
        text,
    )
}

fn a_masked_text_stays_as_it_is(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let once = &outcome.redaction.text;
    let context = stored(outcome);
    let context: Vec<_> = context.iter().map(|(speaker, text)| Utterance { text, speaker: *speaker }).collect();
    let twice = outcome.redactor.redact(once, &context).text;
    hold(twice == *once, "a masked text stays as it is when it is redacted again", once, &twice)
}

/// The earlier messages as they are stored from then on: with what the outcome says of them masked.
fn stored(outcome: &Outcome<'_>) -> Vec<(Speaker, String)> {
    let masked = |(number, message): (usize, &Utterance<'_>)| {
        let earlier = outcome.redaction.earlier.iter().filter(|earlier| earlier.utterance == number);
        let mut spans: Vec<_> = earlier.map(|earlier| earlier.span).collect();
        spans.sort_by_key(|span| span.start);
        (message.speaker, mask_spans(message.text, &spans))
    };
    outcome.context.iter().enumerate().map(masked).collect()
}

fn wants_context_where_context_counts(outcome: &Outcome<'_>) -> Result<(), Broken> {
    let text = &outcome.call.text;
    if outcome.context.is_empty() || outcome.redactor.wants_context(text) {
        return Ok(());
    }
    let alone = outcome.redactor.redact(text, &[]);
    hold(
        outcome.redaction == alone,
        "where no context is wanted, none changes the outcome",
        &alone.spans,
        &outcome.redaction.spans,
    )
}

fn no_card_number_is_left(outcome: &Outcome<'_>) -> Result<(), Broken> {
    if !outcome.call.active.contains(Entity::CREDIT_CARD_NUMBER) {
        return Ok(());
    }
    let text = &outcome.redaction.text;
    let mut words = text.split(|c: char| c.is_ascii_whitespace() || !c.is_ascii());
    let card = words.find(|word| is_card_number(word.as_bytes()));
    hold(card.is_none(), "no word is left that is the number of a card", &format_args!("{card:?} masked"), text)
}

/// Whether a word is beyond doubt the number of a payment card: digits that begin and are as many as those of a large
/// scheme, not all the same, with a check digit that holds (ISO/IEC 7812-1). Many a reference number or IMEI (ETSI TS
/// 123 003) of 13 to 19 digits has Luhn's check digit too, so less than that is no proof.
fn is_card_number(word: &[u8]) -> bool {
    if !word.iter().all(u8::is_ascii_digit) || word.windows(2).all(|pair| pair[0] == pair[1]) {
        return false;
    }
    let begins = word.iter().take(4);
    let first_four = begins.fold(0, |number, &b| number * 10 + u32::from(b - b'0'));
    let of_a_scheme = match word.len() {
        // Visa, with and without the digits of the long form.
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
    of_a_scheme && luhn_sum(word).is_multiple_of(10)
}

/// The sum that the Luhn check digit makes a multiple of ten (ISO/IEC 7812-1, annex B).
fn luhn_sum(digits: &[u8]) -> u32 {
    let doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
    let values = digits.iter().rev().map(|&b| b - b'0').enumerate();
    values
        .map(|(place, digit)| match place % 2 {
            0 => u32::from(digit),
            _ => doubled[usize::from(digit)],
        })
        .sum()
}
