//! Values of digits, written or spoken: first cards, then values by shape, cue, earlier message or check digits.

mod card_data;
mod card_trail;
mod cards;
mod classify;
mod code_format;
pub(crate) mod min_digits;
mod named_entities;
mod other_identifier;
mod quantity;
mod report;
mod shape;
mod short_code;
mod sole_code;
mod ssn_tail;
mod ssn_words;
mod told_apart;
mod unexplained_code;

use super::{DetectorInput, correction, is_digit_count, is_one_of};
use crate::candidate::Candidates;
use crate::numbers::slice::RunSlice;
use crate::numbers::{DigitBound, MAX_DIGITS, MIN_DIGITS, NumberRun, with_run_buffer};
use crate::tokenize::{Gap, TokenKind, Tokens};
use cards::split_at_cards;
use classify::{Progress, record_short_year};
use min_digits::enough_digits;
use report::push_sequence;

/// Looks at every number run of a text. `digits` is the bound for the digits of the text.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, digits: DigitBound, out: &mut Candidates) {
    if let Some(digits) = enough_digits(input, digits, out.active()) {
        with_run_buffer(digits, |run| classify_runs(input, run, out));
        correction::detect(input, out);
        correction::extend(input.tokens, out);
    }
}

fn classify_runs(input: &DetectorInput<'_, '_>, mut run: NumberRun<'_>, out: &mut Candidates) {
    let mut ascii = [0; MAX_DIGITS];
    let mut last = Progress::default();
    let mut from = 0;
    while let Some(first) = run.read(input.tokens, from) {
        from = run.end_token.max(first + 1);
        if is_pronoun(input.tokens, first) {
            from = first + 1;
            continue;
        }
        let may_be_part = input.expects_part() || short_code::expects_digit(input);
        let is_short = run.digits().len() < MIN_DIGITS;
        if is_short && !input.has_age_word && !may_be_part && !input.dates().covers(first) {
            continue;
        }
        for (slot, digit) in ascii.iter_mut().zip(run.digits()) {
            *slot = b'0' + digit.value;
        }
        if run.groups().len() == 1 && is_digit_count(input.tokens, first) && run.digits().len() <= 2 {
            continue;
        }
        let slice = RunSlice::whole_run(input.tokens, &run, &ascii);
        record_short_year(input, slice, &mut last);
        split_at_cards(input, slice, &mut last, out);
        push_sequence(slice, out);
    }
}

/// Whether the word at a token is the "one" of "the same as my old one 845681" and not the first digit of a number.
fn is_pronoun(tokens: &Tokens<'_>, at: usize) -> bool {
    const DETERMINERS: [&str; 12] =
        ["the", "my", "this", "that", "your", "his", "her", "same", "old", "new", "other", "our"];
    const REACH: usize = 2;
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    next.kind == TokenKind::Digits
        && next.gap == Gap::Space
        && usize::from(next.digit_count()) >= MIN_DIGITS
        && is_one_of(tokens, token, &["one"])
        && (at.saturating_sub(REACH)..at).any(|near| is_one_of(tokens, tokens.at(near), &DETERMINERS))
}
