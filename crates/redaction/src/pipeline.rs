//! The detection pipeline: the features of a tokenized text decide which detectors run on it.

use crate::candidate::Candidates;
use crate::card_floor;
use crate::classifier;
use crate::cross_message::context;
use crate::cross_message::context_need::detect_context_free;
use crate::cross_message::dictated_card;
use crate::cross_message::utterance::Utterance;
use crate::cues::has_spelled_word;
use crate::detect::{self, AnalyzedText, DetectorInput, Expectation};
use crate::entity::{Entity, EntitySet};
use crate::masking::stability::is_stable;
use crate::numbers::DigitBound;
use crate::prefilter::{Prefilter, SPOKEN_ADDRESS};
use crate::registry::lookup::IdentifierSet;
use crate::span::Span;
use crate::tagger;
use crate::tokenize::words::flag;
use crate::tokenize::{TextFeatures, TokenizedText};

/// The detectors for a set of entities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pipeline {
    active: EntitySet,
    identifiers: IdentifierSet,
    prefilter: Prefilter,
}

impl Pipeline {
    /// The pipeline for these entities.
    pub(crate) fn new(active: EntitySet) -> Self {
        Self { active, identifiers: IdentifierSet::for_entities(active), prefilter: Prefilter::new(active) }
    }

    /// Whether another detection pass over the masked text would find nothing; false if that is uncertain. The spans
    /// are everything that a pass without earlier messages found. `cued` are the entities that the cues of the text
    /// name.
    pub(crate) fn is_stable(&self, text: &TokenizedText<'_>, spans: &[Span], cued: EntitySet) -> bool {
        is_stable(text, spans, self.active, cued)
    }

    /// The candidates of a text without earlier messages; `None` if earlier messages could change them.
    pub(crate) fn detect_context_free(&self, text: &TokenizedText<'_>) -> Option<Candidates> {
        AnalyzedText::with(text, |analyzed| self.read_context_free(analyzed))
    }

    /// The candidates of a text, and whether they depend on the earlier messages.
    pub(crate) fn detect(&self, text: &TokenizedText<'_>, context: &[Utterance<'_>]) -> (Candidates, bool) {
        AnalyzedText::with(text, |analyzed| {
            if context.is_empty() {
                let mut candidates = self.read_alone(analyzed);
                classifier::revise(text, &[], false, &mut candidates);
                return (candidates, false);
            }
            let read = || {
                let expected = context::expectation_of(analyzed.tokens, context);
                let mut candidates = self.read(analyzed, expected);
                classifier::revise(text, context, expected.names_secret, &mut candidates);
                (candidates, true)
            };
            self.read_context_free(analyzed).map_or_else(read, |candidates| (candidates, false))
        })
    }

    /// The candidates of a text with what earlier messages say about its values.
    #[cfg(test)]
    pub(crate) fn detect_expecting(&self, text: &TokenizedText<'_>, expected: Expectation) -> Candidates {
        AnalyzedText::with(text, |analyzed| self.read(analyzed, expected))
    }

    /// Same as [`Self::detect_context_free`]. No other code makes this decision.
    fn read_context_free(&self, analyzed: &AnalyzedText<'_, '_>) -> Option<Candidates> {
        let expecting = |expected| self.read(analyzed, expected);
        let mut candidates = detect_context_free(analyzed, self.active, expecting, || self.read_alone(analyzed))?;
        classifier::revise_alone(analyzed.text, &mut candidates)?;
        Some(candidates)
    }

    /// The candidates of a text without earlier messages.
    fn read_alone(&self, analyzed: &AnalyzedText<'_, '_>) -> Candidates {
        let (features, tokens) = (&analyzed.text.features, analyzed.tokens);
        let matches =
            self.prefilter.matches(features) || detect::credential::may_be_passphrase(tokens, features, self.active);
        if matches && !has_words_only(features) {
            return self.read(analyzed, Expectation::of(EntitySet::empty()));
        }
        let mut out = Candidates::new(self.active);
        if matches {
            detect_words_only(analyzed.text, &mut out);
        }
        detect_names(analyzed, EntitySet::empty(), &mut out);
        out
    }

    /// The candidates of a text with what earlier messages say about its values.
    fn read(&self, analyzed: &AnalyzedText<'_, '_>, expected: Expectation) -> Candidates {
        let mut out = Candidates::new(self.active);
        detect_all(analyzed, expected, self.identifiers, &mut out);
        detect_names(analyzed, expected.entities, &mut out);
        out
    }
}

/// Runs the detectors that read names and addresses in any text.
fn detect_names(analyzed: &AnalyzedText<'_, '_>, expected: EntitySet, out: &mut Candidates) {
    detect::name_lead::detect(analyzed.tokens, out);
    tagger::detect(&analyzed.tagged, expected, out);
}

/// Whether a text can hold only profanity and introduced names, and no value that a cue names.
fn has_words_only(features: &TextFeatures) -> bool {
    const VALUE_WORDS: u32 = flag::NUMBER | flag::WORD_VALUE_CUE | flag::SECRET_WORD | SPOKEN_ADDRESS;
    let marks =
        features.has_at_sign | features.may_have_address_mark | features.has_dash_run | features.has_long_segment;
    let digits = features.has_digits | features.may_have_folded_digits;
    !((features.word_flags & VALUE_WORDS != 0) | digits | features.has_second_capital | marks)
}

/// Runs the detectors of a text for which [`has_words_only`] is true.
fn detect_words_only(text: &TokenizedText<'_>, out: &mut Candidates) {
    let (features, tokens) = (&text.features, text.tokens());
    if features.word_flags & flag::INTRODUCTION != 0 {
        detect::name::detect_introductions(&tokens, out);
    }
    if may_be_profane(features) {
        detect::profanity::detect(&tokens, features, out);
    }
}

fn may_be_profane(features: &TextFeatures) -> bool {
    features.has_leetspeak | features.has_triple_letter
        || features.word_flags & (flag::PROFANITY | flag::PROFANITY_HEAD) != 0
}

fn detect_all(
    analyzed: &AnalyzedText<'_, '_>,
    expected: Expectation,
    identifiers: IdentifierSet,
    out: &mut Candidates,
) {
    let AnalyzedText { text, tokens, .. } = analyzed;
    let features = &text.features;
    let has_numbers = text.has_numbers();
    let digits = if has_numbers { DigitBound::from_text(tokens) } else { DigitBound::zero() };
    let may_have_word_values = features.word_flags & flag::WORD_VALUE_CUE != 0 || !expected.entities.is_empty();
    let needs_cues = has_numbers
        || features.may_have_folded_digits
        || may_have_word_values
        || features.has_second_capital
        || features.has_at_sign
        || features.may_have_address_mark
        || features.word_flags & (SPOKEN_ADDRESS | flag::SECRET_WORD | flag::MONTH) != 0
        || expected.names_secret;
    let word_flags = if needs_cues { features.word_flags } else { 0 };
    let may_have_cue = word_flags & flag::CUE_HEAD != 0 || has_numbers || has_spelled_word(tokens);
    let cues = if needs_cues && may_have_cue { analyzed.cues() } else { &[] };
    let input = DetectorInput::new(tokens, word_flags, cues, expected, identifiers);
    out.set_cued_entities(input.named_entities);
    if has_numbers || features.word_flags & flag::MONTH != 0 {
        detect::date_report::detect(&input, out);
    }
    if has_numbers {
        detect::number::detect(&input, digits, out);
        detect::age::detect(&input, out);
    }
    detect_codes(text, &input, out);
    if may_have_word_values {
        detect::word_value::detect(&input, out);
    }
    if expected.names_secret && out.is_any_active(detect::credential::SECRETS)
        || detect::credential::may_be_in(tokens, features, input.named_entities, out.active())
    {
        detect::credential::detect(&input, analyzed.secrets(cues), out);
        detect::word_value::remove_answered_passwords(out);
    }
    let has_introduction = features.word_flags & flag::INTRODUCTION != 0;
    if may_have_word_values || has_introduction {
        detect::name::detect(&input, has_introduction, out);
    }
    if may_be_profane(features) {
        detect::profanity::detect(tokens, features, out);
    }
    detect_by_marks(text, &input, out);
    detect::dictated_part::detect(&input, out);
    if out.is_any_active(detect::spelled_run::MASKED_AS) && analyzed.has_spelled_run() {
        detect::spelled_run::detect(&input, out);
    }
    if card_floor::detect(text, digits, out) {
        dictated_card::detect_in_text(&input, out);
    }
}

/// Runs the detectors of identifiers, addresses of places, and codes of letters and digits.
fn detect_codes(text: &TokenizedText<'_>, input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let (features, has_numbers) = (&text.features, text.has_numbers());
    if features.has_digits {
        detect::identifier::detect(input, out);
        detect::location::detect(input, features, out);
    }
    if features.has_digits || features.has_second_capital {
        detect::code::detect(input, out);
    }
    if has_numbers || features.may_have_folded_digits {
        detect::folded_code::detect(input, out);
    }
    if has_numbers && features.word_flags & flag::SPOKEN_MARK != 0 {
        detect::location::detect_spoken_coordinates(input.tokens, out);
    }
    detect::spelled_code::detect(input, out);
    detect::bic::detect(input, out);
    if has_numbers {
        detect::cued_identifier::detect(input, out);
    }
}

/// Runs the detectors that need a mark, a spoken address, a long segment or a word of secrets.
fn detect_by_marks(text: &TokenizedText<'_>, input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let features = &text.features;
    if features.has_at_sign || features.may_have_address_mark {
        detect::internet::detect(input, out);
    }
    if features.word_flags & SPOKEN_ADDRESS != 0 {
        detect::spoken_address::detect(input, out);
    }
    if features.has_at_sign {
        detect::spelled_email::detect(input.tokens.text, out);
    }
    if features.has_digits {
        detect::email_answer::detect(input, out);
    }
    if out.is_any_active(Entity::PERSON_NAME.bit()) {
        detect::spelled_name::detect(input, out);
    }
    if detect::disguised_email::may_be_in(features) {
        detect::disguised_email::detect(input, out);
    }
    if features.has_long_segment {
        detect::secret::detect(input.tokens.text, input.expected_entities, out);
    }
    if features.word_flags & flag::SECRET_WORD != 0 && out.is_any_active(Entity::ACCESS_TOKEN.bit()) {
        detect::secret::detect_cookies(input.tokens.text, out);
    }
    if features.has_dash_run && out.is_any_active(Entity::PRIVATE_KEY.bit()) {
        detect::secret::detect_blocks(input.tokens.text, out);
    }
}
