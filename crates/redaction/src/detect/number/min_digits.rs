//! The minimum digits of a text that can have a number. Most texts with digits have too few, and are not read.

use super::code_format::CARD_TALK;
use super::shape;
use super::short_code::expects_digit;
use crate::detect::date_report::DATE_ENTITIES;
use crate::detect::{DetectorInput, digit_format};
use crate::entity::{Entity, EntitySet};
use crate::numbers::DigitBound;

/// The minimum digits of a value of a set of entities.
#[derive(Clone, Copy)]
pub(crate) struct MinDigits {
    digits: usize,
    /// Whether dates in digits, which can be shorter, are among the entities.
    dates: bool,
}

impl MinDigits {
    /// The minimum for the active entities. `named` are the active entities that a cue or an earlier message names.
    pub(crate) fn new(active: EntitySet, named: EntitySet) -> Self {
        // The code of a card can follow its expiry date, or be told in a message that speaks of the card.
        let names_card = named.intersects(CARD_TALK) && active.contains(Entity::CVV);
        let named = if names_card { named.or(Entity::CVV.bit()) } else { named };
        Self {
            digits: digit_format::min_cued_digits(named).min(shape::min_uncued_digits(active)),
            dates: active.intersects(DATE_ENTITIES),
        }
    }

    /// Whether no run with these digits can be a value.
    pub(crate) fn rules_out(self, digits: DigitBound) -> bool {
        digits.is_below(self.digits) && !(self.dates && digits.may_have_date())
    }
}

/// The digits of a text by runs; `None` if no run has as many as the shortest value. `digits` counts the whole text as
/// one run.
pub(super) fn enough_digits(
    input: &DetectorInput<'_, '_>,
    digits: DigitBound,
    active: EntitySet,
) -> Option<DigitBound> {
    let named = input.named_entities;
    let named = named.and(active).or(named.and(CARD_TALK));
    let min_digits = MinDigits::new(active, named);
    let can_have_value = |digits: &DigitBound| !min_digits.rules_out(*digits) || expects_digit(input);
    Some(digits).filter(can_have_value).map(|_| DigitBound::by_run(input.tokens.number_tokens())).filter(can_have_value)
}

#[cfg(test)]
mod tests {
    use super::super::{classify_runs, detect};
    use super::*;
    use crate::candidate::Candidates;
    use crate::cues::Cues;
    use crate::detect::Expectation;
    use crate::numbers::{NumberRun, RunBuffer};
    use crate::registry::lookup::IdentifierSet;
    use crate::tests::dice::Dice;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    const WORDS: [&str; 40] = [
        "my", "is", "pin", "ssn", "card", "cvv", "phone", "age", "born", "policy", "order", "account", "expires",
        "plan", "march", "and", "uh", "to", "for", "one", "two", "oh", "five", "double", "twenty", "hundred",
        "nineteen", "1", "3", "12", "450", "1990", "4111", "-", "/", ".", ",", ":", "+", "****",
    ];

    /// The candidates in the runs of a text. `skips_check` reads each run, whatever the digits of the text.
    fn found(text: &str, active: EntitySet, expected: EntitySet, skips_check: bool) -> String {
        let mut buffer = TokenBuffer::new();
        let tokenized = TokenizedText::new(text, &mut buffer);
        let tokens = tokenized.tokens();
        let (cues, mut out) = (Cues::find_all(&tokens), Candidates::new(active));
        let input = DetectorInput::new(
            &tokens,
            tokenized.features.word_flags,
            cues.as_slice(),
            Expectation::of(expected),
            IdentifierSet::for_entities(active),
        );
        if skips_check {
            classify_runs(&input, NumberRun::new(&mut RunBuffer::full_size()), &mut out);
        } else {
            detect(&input, DigitBound::from_text(&tokens), &mut out);
        }
        format!("{:?}", out.as_slice())
    }

    #[test]
    fn a_text_ruled_out_by_its_digit_count_has_no_value() {
        let mut dice = Dice::new();
        for _ in 0..10_000 {
            let text = dice.text(&WORDS, 12);
            for (active, expected) in [
                (EntitySet::all(), EntitySet::empty()),
                (EntitySet::defaults(), EntitySet::empty()),
                (dice.entities(4), EntitySet::empty()),
                (dice.entities(2), dice.entities(8)),
            ] {
                assert_eq!(found(&text, active, expected, false), found(&text, active, expected, true), "{text}");
            }
        }
    }
}
