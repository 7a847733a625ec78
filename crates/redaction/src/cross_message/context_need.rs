//! Context need: whether earlier messages could change the candidates of a text, decided from the text alone.

use crate::candidate::Candidates;
use crate::card_floor;
use crate::cross_message::{dictated_card, split_number};
use crate::detect::{self, AnalyzedText, Expectation};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{self, DigitBound, NumberRun, with_run_buffer};
use crate::tagger;
use crate::tokenize::words::flag;
use crate::tokenize::{self, TokenizedText, Tokens};

/// The candidates of a text without earlier messages; `None` if earlier messages could change them. Earlier messages
/// can ask for an entity or begin a number that ends in the text. `detect` finds the candidates without earlier
/// messages, `detect_expecting` those if earlier messages ask for these entities.
///
/// A text with a number, or with letters and digits in one segment, is also scanned as if every entity were expected.
/// If that finds the same candidates and takes no number as an answer, no expected entity can change the result.
pub(crate) fn detect_context_free(
    analyzed: &AnalyzedText<'_, '_>,
    active: EntitySet,
    detect_expecting: impl FnOnce(Expectation) -> Candidates,
    detect: impl FnOnce() -> Candidates,
) -> Option<Candidates> {
    let text = analyzed.text;
    let may_end_number = || {
        let has_card = active.contains(Entity::CREDIT_CARD_NUMBER);
        split_number::may_end_number(text, active)
            || card_floor::messages::may_end_number(text, active)
            || dictated_card::may_end_number(analyzed, has_card)
    };
    if may_answer(analyzed, active) || may_end_number() || tagger::needs_context(&analyzed.tagged, active) {
        return None;
    }
    if !holds_value(text, active) {
        return Some(detect());
    }
    let expecting_all = detect_expecting(Expectation::of(EntitySet::all()));
    if expecting_all.has_answer() {
        return None;
    }
    Some(detect()).filter(|candidates| candidates.as_slice() == expecting_all.as_slice())
}

/// Whether a text may be an answer in words, may be a code and little else, or may hold an e-mail address if one is
/// expected.
fn may_answer(analyzed: &AnalyzedText<'_, '_>, active: EntitySet) -> bool {
    let AnalyzedText { text, tokens, .. } = analyzed;
    let names = || {
        let is_answer =
            || detect::word_value::answer_word(tokens).is_some() || detect::spelled_name::may_answer(tokens);
        active.contains(Entity::PERSON_NAME) && is_answer()
    };
    let secrets = || {
        let has_cue = text.features.word_flags & flag::CUE_HEAD != 0 || text.has_numbers();
        let analysis = || analyzed.secrets(if has_cue { analyzed.cues() } else { &[] });
        detect::credential::may_answer(tokens, analysis, active)
    };
    let codes = || active.intersects(detect::code::CODE_ENTITIES) && detect::code::answer_start(tokens).is_some();
    let spelled = || {
        active.intersects(detect::spelled_code::SPELLED_ENTITIES)
            && detect::spelled_code::answer_start(tokens).is_some()
    };
    let emails = || active.contains(Entity::EMAIL) && detect::disguised_email::may_answer(text);
    let identifiers = || text.has_numbers() && detect::cued_identifier::may_answer(tokens, active);
    let banks = || active.contains(Entity::SWIFT_BIC) && detect::bic::may_answer(tokens);
    let parts = || detect::dictated_part::may_answer(tokens, active);
    let runs = || active.intersects(detect::spelled_run::RUN_ENTITIES) && analyzed.has_spelled_run();
    names() || secrets() || codes() || spelled() || identifiers() || emails() || parts() || runs() || banks()
}

/// Whether a text holds a possible answer among other words or at its end: a number, a date, or letters and digits.
fn holds_value(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    holds_number(text, active) || holds_code(text, active)
}

/// Maximum tokens of a message in which one or two digits can be an answer.
const MAX_SHORT_TOKENS: usize = 12;

/// Whether a text holds a number, a digit or two in few words, or a date.
fn holds_number(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    let tokens = &text.tokens();
    text.has_numbers() && (tokens.len() <= MAX_SHORT_TOKENS || has_number(tokens))
        || text.features.word_flags & flag::MONTH != 0 && active.intersects(ASKED_DATES)
}

/// Entities of a date for which an earlier message can ask.
const ASKED_DATES: EntitySet = EntitySet::from_slice(&[Entity::DOB, Entity::CARD_EXPIRATION_DATE]);

/// Whether a text holds letters and digits in one segment, and an active entity can have such values.
fn holds_code(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    text.features.has_digits && !active.without(WITHOUT_CODES).is_empty() && has_mixed(&text.tokens())
}

/// Entities whose values are numbers or words, never letters and digits with check digits.
const WITHOUT_CODES: EntitySet =
    EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CVV, Entity::PIN, Entity::SSN, Entity::PASSWORD]);

/// Whether a text has a number of three digits or more.
fn has_number(tokens: &Tokens<'_>) -> bool {
    let bound = DigitBound::from_text(tokens);
    !bound.is_below(numbers::MIN_DIGITS) && with_run_buffer(bound, |run| has_long_run(tokens, run))
}

fn has_long_run(tokens: &Tokens<'_>, mut run: NumberRun<'_>) -> bool {
    let mut from = 0;
    while let Some(first) = run.read(tokens, from) {
        from = run.end_token.max(first + 1);
        if run.digits().len() >= numbers::MIN_DIGITS {
            return true;
        }
    }
    false
}

/// Whether a word touches digits.
fn has_mixed(tokens: &Tokens<'_>) -> bool {
    tokens.as_slice().windows(2).any(|pair| {
        pair[0].is_alphanumeric()
            && pair[1].is_alphanumeric()
            && pair[0].kind != pair[1].kind
            && pair[1].gap == tokenize::Gap::None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;
    use crate::cross_message::utterance::{Speaker, Utterance};
    use crate::pipeline::Pipeline;
    use crate::tests::dice::Dice;
    use crate::tokenize::TokenBuffer;

    const PIECES: &str = "my|is|pin|ssn|card|cvv|phone|number|age|born|policy|order|account|expires|march|and|uh|to|the|\
        it|was|for|one|two|oh|five|twenty|hundred|nineteen|1|3|12|450|1990|4111|4111 1111 1111 1111|(202) 555-0143|\
        536-90-4399|12/27|A10-48213|-|.|,|:|please|then|ring|plate|booking|jfo|98|e|AB 12|****|\
        QQ123456C|SW1A 1AA|a1b2c3d4e5f6g7h8|K7|x";

    /// The candidates of a text if these entities are expected, with those of a number that earlier messages begin.
    fn candidates(
        pipeline: &Pipeline,
        text: &TokenizedText<'_>,
        expected: EntitySet,
        earlier: &[Utterance<'_>],
    ) -> Vec<Candidate> {
        let mut out = pipeline.detect_expecting(text, Expectation::of(expected));
        split_number::detect(text, earlier, &mut out);
        out.into_vec()
    }

    #[test]
    fn earlier_messages_do_not_change_the_candidates_of_a_context_free_text() {
        let (mut dice, pieces) = (Dice::new(), PIECES.split('|').collect::<Vec<_>>());
        let mut context_free = 0;
        for _ in 0..10_000 {
            let (text, earlier) = (dice.text(&pieces, 32), [dice.text(&pieces, 6), dice.text(&pieces, 3)]);
            let sets = [EntitySet::all(), EntitySet::defaults(), dice.entities(4), dice.entities(30)];
            let active = *dice.one_of(&sets);
            let (pipeline, mut buffer) = (Pipeline::new(active), TokenBuffer::new());
            let tokenized = TokenizedText::new(&text, &mut buffer);
            let Some(alone) = pipeline.detect_context_free(&tokenized).map(Candidates::into_vec) else { continue };
            context_free += 1;
            let earlier = earlier.each_ref().map(|text| Utterance { text, speaker: Speaker::Same });
            for nth in [1, 2, 8, 30] {
                let expected = if holds_value(&tokenized, active) { dice.entities(nth) } else { EntitySet::empty() };
                assert_eq!(
                    candidates(&pipeline, &tokenized, expected, &earlier),
                    alone,
                    "{text:?} with {expected:?} expected"
                );
            }
        }
        assert!(context_free > 1_000, "{context_free}");
    }
}
