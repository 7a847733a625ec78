//! Codes spelled aloud after a cue, letter by letter and digit by digit: "b as in bravo", "q x r four eight two".

use super::code::{self, CODE_ENTITIES};
use super::said_symbol::{LETTER_BIT, single_letter};
pub(super) use super::said_symbol::{SAID_WORDS, explained_letter_start, is_explanation, spelled_letter, symbol};
use super::{DetectorInput, cue_link, flags, is_connector};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens, lexicon};

/// Entities whose values the registry defines by letters and digits.
const REGISTRY_ENTITIES: EntitySet = EntitySet::from_slice(&[
    Entity::UK_POSTCODE,
    Entity::CA_POSTAL_CODE,
    Entity::UK_NINO,
    Entity::UK_DRIVING_LICENCE,
    Entity::US_MEDICARE_ID,
]);
/// Entities that are spelled aloud.
pub(crate) const SPELLED_ENTITIES: EntitySet = CODE_ENTITIES.without(Entity::PASSWORD.bit()).or(REGISTRY_ENTITIES);
/// Maximum tokens between a cue and its code.
const MAX_CONNECTOR_TOKENS: usize = 8;
/// Maximum letters and digits of a code, and minimum letters of a code without digits.
const MAX_CODE_LENGTH: usize = 24;
const MIN_LETTERS: usize = 5;

/// A code read letter by letter.
struct SpelledCode {
    compact: [u8; MAX_CODE_LENGTH],
    length: usize,
    letters: usize,
    /// Token after the last letter or digit.
    after: usize,
}

/// Looks for a spelled code after every cue for one, and in an answer to an earlier question.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let set = cue.entities.and(SPELLED_ENTITIES).and(out.active());
        if !set.is_empty()
            && let Some(first) = code_start(input.tokens, cue.end_token as usize, 0)
        {
            push(input, first, set, DetectionReason::Cue, out);
        }
    }
    let set = input.expected_entities.and(SPELLED_ENTITIES).and(out.active());
    if !set.is_empty()
        && let Some(first) = answer_start(input.tokens)
    {
        push(input, first, set, DetectionReason::EarlierCue, out);
    }
}

/// The first token of a code that only connectors and words with one of the flags `skipped` precede.
fn code_start(tokens: &Tokens<'_>, from: usize, skipped: u32) -> Option<usize> {
    for at in from..from + MAX_CONNECTOR_TOKENS {
        if symbol(tokens, at).is_some() {
            return Some(at);
        }
        let connects = is_connector(tokens, at)
            || flags(tokens.at(at)) & skipped != 0
            || tokens.before(at).is_mark(b'\'') && tokens.at(at).gap == Gap::None;
        if !connects || at > 0 && tokens.at(at).gap >= Gap::Paragraph {
            break;
        }
    }
    None
}

/// Letters and digits of the shortest code that is an answer whatever is said after it.
const MIN_ANSWER_LENGTH: usize = 5;

/// The first token of a spelled code that is the whole message, or that begins it and has letters and digits.
pub(crate) fn answer_start(tokens: &Tokens<'_>) -> Option<usize> {
    let first = code_start(tokens, 0, flag::STOPWORD)?;
    let code = read(tokens, first);
    let is_mixed = code.letters >= 2 && code.length > code.letters && code.length >= MIN_ANSWER_LENGTH;
    let is_answer = is_mixed || code.length >= 4 && cue_link::is_whole_message(tokens, first, code.after, false);
    (code.letters > 0 && is_answer).then_some(first)
}

fn push(input: &DetectorInput<'_, '_>, first: usize, set: EntitySet, reason: DetectionReason, out: &mut Candidates) {
    let tokens = input.tokens;
    let code = read(tokens, first);
    let digits = code.length - code.letters;
    if code.letters == 0 || digits == 0 && code.letters < MIN_LETTERS || flags(tokens.at(code.after)) & flag::UNIT != 0
    {
        return;
    }
    let compact = &code.compact[..code.length];
    let checked =
        |entity| input.identifiers.iter_with_length(code.length).any(|(i, e)| e == entity && (i.validator)(compact));
    let entity = set.iter().find(|e| REGISTRY_ENTITIES.contains(*e) && checked(*e));
    if let Some(entity) = entity.or_else(|| set.iter().find(|e| code::matches_length(*e, code.letters, digits))) {
        out.push_fully_masked(tokens.at(first).start, tokens.before(code.after).end, entity, reason, EvidenceRank::Cue);
    }
}

fn read(tokens: &Tokens<'_>, first: usize) -> SpelledCode {
    let mut code = SpelledCode { compact: [0; MAX_CODE_LENGTH], length: 0, letters: 0, after: first };
    let mut at = first;
    while let Some((mut value, times, after)) =
        symbol(tokens, at).filter(|u| code.length + u.1 <= MAX_CODE_LENGTH && u.2 > at)
    {
        if is_prose_word(tokens, at, after) {
            break;
        }
        for slot in code.compact[code.length..code.length + times].iter_mut().rev() {
            *slot = if value >= LETTER_BIT { (value - LETTER_BIT).to_ascii_uppercase() } else { b'0' + value % 10 };
            value = if value < LETTER_BIT && is_two_digits(tokens, at) { value / 10 } else { value };
            code.letters += usize::from(slot.is_ascii_alphabetic());
        }
        code.length += times;
        code.after = after;
        at = skip_fillers(tokens, after);
    }
    code
}

/// The token after what can be between two letters: fillers, a comma, a hyphen or a full stop.
pub(super) fn skip_fillers(tokens: &Tokens<'_>, mut at: usize) -> usize {
    for _ in 0..2 {
        let token = tokens.at(at);
        let is_separator = token.kind == TokenKind::Mark
            && token.byte_len() == 1
            && (token.is_mark(b',') || token.is_mark(b'-') || token.is_mark(b'.'));
        let is_spoken_separator =
            flags(token) & flag::SPOKEN_MARK != 0 && matches!(lexicon::entry(token.slot()).value, b'-' | b'/');
        if !(is_separator || is_spoken_separator || flags(token) & flag::FILLER != 0) || token.gap > Gap::Space {
            break;
        }
        at += 1;
    }
    at
}

fn is_two_digits(tokens: &Tokens<'_>, at: usize) -> bool {
    flags(tokens.at(at)) & (flag::TENS | flag::TEEN) != 0
}

/// Whether a token is the word "a" or "i" of a sentence: another word than a letter or digit follows.
pub(super) fn is_prose_word(tokens: &Tokens<'_>, at: usize, after: usize) -> bool {
    let token = tokens.at(at);
    let follows = skip_fillers(tokens, after);
    after == at + 1
        && matches!(single_letter(tokens, token), Some(b'a' | b'i'))
        && tokens.at(follows).kind == TokenKind::Word
        && symbol(tokens, follows).is_none()
}
