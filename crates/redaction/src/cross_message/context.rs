//! Earlier messages as context: which of them count, and which entities they ask for.

use super::code_topic::code_of_topic;
use super::open_question::expected_entities;
use super::question;
use super::reply;
use super::utterance::Utterance;
use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::Expectation;
use crate::entity::{Entity, EntitySet};
use crate::span::{DetectionReason, ExternalSpan};
use crate::tokenize::{Tokens, saturating_u32};

/// What the earlier messages say about the values of a text: what they ask for, or the value that the text confirms or
/// corrects.
pub(crate) fn expectation_of(tokens: &Tokens<'_>, context: &[Utterance<'_>]) -> Expectation {
    let mut expected = expectation(context);
    let is_repeated = !expected.repeated.is_empty() && (expected.must_repeat || reply::is_reply(tokens));
    if expected.entities.is_empty() && is_repeated {
        expected.entities = expected.repeated;
    }
    if expected.entities.is_empty() && !expected.answered.is_empty() && reply::is_correction(tokens) {
        expected.entities = expected.answered;
    }
    expected.entities = expected.entities.or(code_of_topic(tokens, context, expected.entities));
    expected
}

/// The entities that the earlier messages ask for, and whether those messages speak of a secret. The newest message with
/// a cue decides.
pub(crate) fn expectation(context: &[Utterance<'_>]) -> Expectation {
    let mut expected = Expectation::of(EntitySet::empty());
    expected.entities = expected_entities(context, &mut expected);
    expected.names_secret |= expected.entities.contains(Entity::PASSWORD);
    expected
}

/// Whether a message speaks of the code of a card, other than by the word "code" alone.
pub(crate) fn speaks_of_card_code(text: &str) -> bool {
    question::read(text).has_code
}

/// Adds the finding of an external detector, extended to character boundaries.
pub(crate) fn push_external(text: &str, span: ExternalSpan, out: &mut Candidates) {
    let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    out.push_fully_masked(
        saturating_u32(start),
        saturating_u32(end),
        span.entity,
        DetectionReason::External,
        EvidenceRank::Shape,
    );
}
