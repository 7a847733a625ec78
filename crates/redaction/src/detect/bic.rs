//! Bank identifier codes in groups, after their cue or in an answer: "BIC: CHAS IE 2S", "swift n w b k g b two l".

use super::spelled_code::{spelled_letter, symbol};
use super::{DetectorInput, is_connector};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::word_set::COMMON_WORD_SET;
use crate::tokenize::{Gap, TokenKind, Tokens};
use crate::validate::banking::bic;

/// Letters and digits of the longest code (ISO 9362).
const MAX_LENGTH: usize = 11;
/// Maximum tokens between a cue and its code, and before a code that is an answer.
const MAX_TOKENS_BEFORE: usize = 4;

/// Looks for a code in groups after every cue for one, and at the beginning of an answer.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.active().and(input.named_entities).contains(Entity::SWIFT_BIC) {
        return;
    }
    let tokens = input.tokens;
    for cue in input.cues().iter().filter(|cue| cue.entities.contains(Entity::SWIFT_BIC)) {
        let from = cue.end_token as usize;
        let connects = |at: &usize| *at == from || is_connector(tokens, at - 1) || tokens.before(*at).is_mark(b':');
        push_first((from..=from + MAX_TOKENS_BEFORE).take_while(connects), input, DetectionReason::Cue, out);
    }
    if input.expected_entities.contains(Entity::SWIFT_BIC) {
        push_first(answer_starts(tokens), input, DetectionReason::EarlierCue, out);
    }
}

/// Reports the first code that begins at one of these tokens.
fn push_first(
    starts: impl Iterator<Item = usize>,
    input: &DetectorInput<'_, '_>,
    reason: DetectionReason,
    out: &mut Candidates,
) {
    let tokens = input.tokens;
    for first in starts {
        if let Some(after) = code_end(tokens, first) {
            let (start, end) = (tokens.at(first).start, tokens.before(after).end);
            out.push_fully_masked(start, end, Entity::SWIFT_BIC, reason, EvidenceRank::Cue);
            return;
        }
    }
}

/// The lengths of the groups of a code, but for one whose letters and digits are said one by one.
const GROUPINGS: [&[usize]; 8] =
    [&[4, 2, 2], &[4, 2, 2, 3], &[4, 4], &[4, 4, 3], &[6, 2], &[6, 2, 3], &[8, 3], &[4, 2, 5]];

/// The token after the longest code in groups that begins at a token.
fn code_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let (mut compact, mut length, mut at, mut end) = ([0; MAX_LENGTH], 0, first, None);
    let (mut lengths, mut groups) = ([0; MAX_LENGTH], 0);
    while at == first || tokens.at(at).gap <= Gap::Space {
        let Some((added, after)) = read_group(tokens, at, &mut compact[length..]) else { break };
        length += added;
        groups += usize::from(at == first || tokens.at(at).gap != Gap::None);
        lengths[groups - 1] += added;
        at = after;
        let lengths = &lengths[..groups];
        let is_grouped = GROUPINGS.contains(&lengths) || lengths.iter().all(|length| *length == 1);
        let is_inner = tokens.at(at).gap == Gap::None && tokens.at(at).is_alphanumeric();
        if !is_inner && is_grouped && bic(&compact[..length]) {
            end = Some(at);
        }
    }
    end
}

/// Writes the letters and digits of a token in upper case, or a letter or digit said aloud. Returns their number and the token
/// after them; `None` if the token has none, or more than there is room for.
fn read_group(tokens: &Tokens<'_>, at: usize, out: &mut [u8]) -> Option<(usize, usize)> {
    let token = tokens.at(at);
    if let Some((value, 1, after)) = symbol(tokens, at) {
        *out.first_mut()? = spelled_letter(value).or_else(|| (value < 10).then(|| b'0' + value))?;
        return Some((1, after));
    }
    let text = tokens.str(token);
    let slots = out.get_mut(..text.len())?;
    let is_group = matches!(token.kind, TokenKind::Word | TokenKind::Digits)
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // "BIC CITI AT UU you gave me"
    if !is_group || text.len() > 2 && COMMON_WORD_SET.contains(text) {
        return None;
    }
    slots.copy_from_slice(text.as_bytes());
    slots.make_ascii_uppercase();
    Some((text.len(), at + 1))
}

/// The tokens at which a code that is an answer may begin: nothing but connectors precede it.
fn answer_starts(tokens: &Tokens<'_>) -> impl Iterator<Item = usize> {
    (0..MAX_TOKENS_BEFORE).take_while(|at| *at == 0 || is_connector(tokens, at - 1))
}

/// Whether a text may begin with a code in groups.
pub(crate) fn may_answer(tokens: &Tokens<'_>) -> bool {
    answer_starts(tokens).any(|first| code_end(tokens, first).is_some())
}
