//! The local part of an e-mail address as the answer to a question for the address: "it's rosa77".

use super::DetectorInput;
use super::word_value_extent::segment_end;
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum tokens of such an answer.
const MAX_TOKENS: usize = 14;
/// Entities that the answer may name itself.
const LOGINS: EntitySet = EntitySet::from_slice(&[Entity::EMAIL, Entity::USERNAME]);

/// Looks for the only word with letters and digits in a short message.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let tokens = input.tokens;
    let is_asked = input.expected_entities.contains(Entity::EMAIL) && tokens.len() <= MAX_TOKENS;
    let names_other = input.cues().iter().any(|cue| !cue.entities.is_subset(LOGINS));
    if !is_asked || names_other || tokens.as_slice().iter().any(|token| token.is_mark(b'@')) {
        return;
    }
    let mut segments = segments(tokens).filter(|(first, after)| is_local_part(tokens, *first, *after));
    let (Some((first, after)), None) = (segments.next(), segments.next()) else { return };
    out.record_answer();
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    out.push_fully_masked(start, end, Entity::EMAIL, DetectionReason::EarlierCue, EvidenceRank::WholeMessage);
}

/// The parts of a text without a space in them.
fn segments<'a>(tokens: &'a Tokens<'_>) -> impl Iterator<Item = (usize, usize)> + 'a {
    let starts = (0..tokens.len()).filter(|at| *at == 0 || tokens.at(*at).gap != Gap::None);
    starts.map(|first| (first, segment_end(tokens, first)))
}

/// Whether a part begins with a letter and has only letters, digits and the marks of a local part, with a digit among them.
fn is_local_part(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let is_mark = |at: usize| [b'.', b'_', b'-', b'+'].iter().any(|mark| tokens.at(at).is_mark(*mark));
    let is_part = |at: usize| tokens.at(at).is_alphanumeric() || is_mark(at);
    tokens.at(first).kind == TokenKind::Word
        && tokens.at(first).byte_len() > 1
        && (first..after).all(is_part)
        && (first..after).any(|at| tokens.at(at).kind == TokenKind::Digits)
}
