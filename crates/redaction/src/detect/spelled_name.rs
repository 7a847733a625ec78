//! Names typed letter by letter, after a question for a name or beside a word for one: "D-i-a-z", "my surname is D I A Z".

use super::DetectorInput;
use super::spelled_code::{is_explanation, symbol};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Letters of the shortest run beside a word for a name, and of the shortest answer.
const MIN_LETTERS: usize = 4;
const MIN_ANSWER_LETTERS: usize = 3;
/// Maximum letters of a name.
const MAX_LETTERS: usize = 32;
/// Maximum tokens of an answer beside the name.
const MAX_ANSWER_TOKENS: usize = 8;

/// Looks at every run of single letters.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let tokens = input.tokens;
    let mut at = 0;
    while at < tokens.len() {
        let Some((letters, after)) = run_at(tokens, at) else {
            at += 1;
            continue;
        };
        let is_cued = || input.cues_near(at).iter().any(|cue| cue.entities.contains(Entity::PERSON_NAME));
        let is_answer = input.expected_entities.contains(Entity::PERSON_NAME) && is_answer(tokens, letters, at, after);
        let reason = match () {
            () if letters >= MIN_LETTERS && is_cued() => Some(DetectionReason::Cue),
            () if is_answer => {
                out.record_answer();
                Some(DetectionReason::EarlierCue)
            }
            () => None,
        };
        if let Some(reason) = reason {
            let (start, end) = (tokens.at(at).start, tokens.before(after).end);
            out.push_fully_masked(start, end, Entity::PERSON_NAME, reason, EvidenceRank::Cue);
        }
        at = after;
    }
}

/// Whether a text may spell a name if an earlier message asks for one.
pub(crate) fn may_answer(tokens: &Tokens<'_>) -> bool {
    let mut starts = (0..tokens.len()).filter_map(|at| Some((at, run_at(tokens, at)?)));
    starts.any(|(at, (letters, after))| is_answer(tokens, letters, at, after))
}

/// Whether little else than the letters is in a text.
fn is_answer(tokens: &Tokens<'_>, letters: usize, first: usize, after: usize) -> bool {
    letters >= MIN_ANSWER_LETTERS && tokens.len() <= after - first + MAX_ANSWER_TOKENS
}

/// Maximum bytes of one letter.
const MAX_LETTER_BYTES: usize = 4;

fn is_one_character(text: &str) -> bool {
    text.chars().nth(1).is_none()
}

/// The number of single letters in a row from a token on, and the token after them. One kind of separator is between them.
fn run_at(tokens: &Tokens<'_>, first: usize) -> Option<(usize, usize)> {
    let is_letter = |at: usize| {
        let token = tokens.at(at);
        let is_short = || token.byte_len() == 1 || is_one_character(tokens.str(token));
        token.kind == TokenKind::Word && token.byte_len() <= MAX_LETTER_BYTES && is_short()
    };
    if !is_letter(first)
        || first > 0 && tokens.at(first).gap == Gap::None && tokens.before(first).kind != TokenKind::Edge
    {
        return None;
    }
    let mark = tokens.at(first + 1);
    let separator = [b'-', b'.', b','].into_iter().find(|separator| mark.is_mark(*separator) && mark.gap == Gap::None);
    let step = 1 + usize::from(separator.is_some());
    let (mut letters, mut last) = (1, first);
    while letters < MAX_LETTERS && is_letter(last + step) {
        let next = tokens.at(last + step);
        let is_joined = match separator {
            Some(separator) => tokens.at(last + 1).is_mark(separator) && next.gap <= Gap::Space,
            None => next.gap == Gap::Space,
        };
        if !is_joined {
            break;
        }
        (letters, last) = (letters + 1, last + step);
    }
    let after = last + 1;
    let touches = tokens.at(after).gap == Gap::None && tokens.at(after).is_alphanumeric();
    // Letters with their words, "b as in bravo", are read elsewhere.
    let is_said = || symbol(tokens, after).is_some() || is_explanation(tokens, after, first);
    (letters >= MIN_ANSWER_LETTERS && !touches && !is_said()).then_some((letters, after))
}
