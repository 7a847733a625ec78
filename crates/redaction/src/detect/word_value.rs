//! Word values after a cue: passwords, user names, answers to security questions, names.

use super::credential::{SECRETS, is_grammar_word, is_mistyped_word};
use super::word_value_extent::{Connector, value_end};
use super::{DetectorInput, clause_end, flags, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::entity::Entity;
use crate::masking::mask_tokens;
use crate::span::DetectionReason;
use crate::tables::word_set::COMMON_WORD_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens between a cue and its value.
const MAX_CONNECTOR_TOKENS: usize = 7;

/// Looks for a value after every cue for one.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let named = cue.entities.and(SECRETS).and(out.active());
        let answer = named.contains(Entity::SECURITY_ANSWER).then_some(Entity::SECURITY_ANSWER);
        if let Some(entity) = answer.or_else(|| named.iter().next()) {
            detect_after_cue(input, cue, entity, out);
        }
    }
}

/// Removes the passwords that are the answers of this file: "security word: pizza" is an answer if answers are masked.
pub(crate) fn remove_answered_passwords(out: &mut Candidates) {
    let is_answer = |found: &&Candidate| found.entity == Entity::SECURITY_ANSWER && found.evidence == EvidenceRank::Cue;
    let ranges: Vec<_> = out.as_slice().iter().filter(is_answer).map(|found| found.start..found.end).collect();
    if !ranges.is_empty() {
        out.remove_within(Entity::PASSWORD, &ranges);
    }
}

fn detect_after_cue(input: &DetectorInput<'_, '_>, cue: &Cue, entity: Entity, out: &mut Candidates) {
    let tokens = input.tokens;
    let mut at = clause_end(tokens, cue.end_token as usize).unwrap_or(cue.end_token as usize);
    let mut connector = Connector::Absent;
    // "first car: Escort" is the answer to a question, "my first car was stolen" is none.
    let needs_mark = cue.needs_connector && entity == Entity::SECURITY_ANSWER;
    let mut has_mark = false;
    let limit = at + MAX_CONNECTOR_TOKENS;
    while at < limit {
        let token = tokens.at(at);
        let flags = flags(token);
        has_mark |= token.is_mark(b':') || token.is_mark(b'=');
        if token.gap >= Gap::Line && at > cue.end_token as usize && connector == Connector::Absent {
            return;
        }
        if token.is_mark(b':')
            || token.is_mark(b'=')
            || token.is_mark(b'"')
            || token.is_mark(b'\'') && token.gap != Gap::None
            || token.is_mark(b'-') && token.gap != Gap::None
            || token.is_mark(b'>')
            || flags & flag::COPULA != 0
        {
            connector = Connector::Present;
        } else if token.is_mark(b'\'') && tokens.at(at + 1).byte_len() == 1 {
            connector = Connector::Present;
            at += 1;
        } else if flags & flag::FILLER != 0 || is_skipped(tokens, token, connector) {
            // Fillers and articles are skipped.
        } else if !token.is_mark(b',') && !token.is_mark(b'#') && !mask_tokens::is_emphasis(tokens, at) {
            break;
        }
        at += 1;
    }
    // The "c'" of "c'est" is a word too.
    let is_elided = tokens.at(at).byte_len() == 1 && tokens.at(at + 1).is_mark(b'\'');
    let is_grammar = connector == Connector::Absent
        && (is_elided || is_grammar_word(tokens, tokens.at(at)) || is_mistyped_word(tokens, tokens.at(at)));
    // "no password, cafe wifi"
    let is_denied = connector == Connector::Absent
        && is_one_of(
            tokens,
            tokens.before(cue.first_token as usize),
            &["no", "without", "kein", "sin", "sans", "ohne", "sem", "senza"],
        );
    // "la contraseña, ¿podrían reenviarla?"
    let begins_sentence = matches!(tokens.str(tokens.at(at)), "¿" | "¡");
    if at >= limit
        || begins_sentence
        || is_grammar
        || is_denied
        || needs_mark && !has_mark
        || cue.needs_connector && connector == Connector::Absent
    {
        return;
    }
    if let Some(after) = value_end(tokens, at, entity, connector) {
        out.push_fully_masked(
            tokens.at(at).start,
            end_byte(tokens, after),
            entity,
            DetectionReason::Cue,
            EvidenceRank::Cue,
        );
    }
}

fn is_skipped(tokens: &Tokens<'_>, token: Token, connector: Connector) -> bool {
    let word = tokens.str(token);
    let without_connector = ["number", "no", "code", "num"];
    let with_connector = ["actually", "just", "still", "now", "my", "the"];
    token.kind == TokenKind::Word
        && if connector == Connector::Absent {
            without_connector.iter().any(|w| word.eq_ignore_ascii_case(w))
        } else {
            with_connector.iter().any(|w| word.eq_ignore_ascii_case(w))
        }
}

fn end_byte(tokens: &Tokens<'_>, after: usize) -> u32 {
    tokens.before(after).end
}

/// Maximum tokens of a message that can be an answer in words.
const MAX_ANSWER_TOKENS: usize = 8;

/// The first word of a short message that can be the answer to an earlier question. Stopwords and connectors are
/// skipped.
pub(crate) fn answer_word(tokens: &Tokens<'_>) -> Option<usize> {
    if tokens.len() > MAX_ANSWER_TOKENS {
        return None;
    }
    let mut has_verb = false;
    for (at, token) in tokens.as_slice().iter().enumerate() {
        let is_filler =
            flags(*token) & (flag::STOPWORD | flag::CONNECTOR | flag::FILLER | flag::AND | flag::STATUS) != 0;
        if token.kind == TokenKind::Mark || is_filler {
            has_verb |= flags(*token) & flag::COPULA != 0;
            continue;
        }
        if token.kind == TokenKind::Mask {
            return None;
        }
        let word = tokens.str(*token);
        let is_common = COMMON_WORD_SET.contains(word);
        return (token.kind == TokenKind::Digits && token.digit_count() >= 4
            || token.kind == TokenKind::Word && (!is_common || has_verb) && word.len() >= 3)
            .then_some(at);
    }
    None
}
