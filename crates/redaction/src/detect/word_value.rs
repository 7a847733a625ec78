//! Values of words after a cue: passwords, user names, answers to security questions, names.

use super::{Page, clause_end, flags, is_shortened};
use crate::candidate::{Candidates, Proof};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens;
use crate::span::Reason;
use crate::tables::index::COMMON;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens};

const SECRETS: EntitySet = EntitySet::of(&[Entity::PASSWORD, Entity::USERNAME, Entity::SECURITY_ANSWER]);
/// What an answer in words may be after an earlier question.
pub(crate) const ASKED: EntitySet = SECRETS.or(Entity::PERSON_NAME.bit());
/// Tokens between a cue and its value at most.
const LINKS: usize = 7;

/// Looks for a value after every cue for one, and in answers to earlier questions.
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    for cue in page.cues() {
        if let Some(entity) = cue.set.and(SECRETS).and(out.active()).iter().next() {
            after_cue(page, cue, entity, out);
        }
    }
    if let Some(entity) = page.armed.and(SECRETS).and(out.active()).iter().next() {
        answer(page, entity, out);
    }
}

/// How surely the words after a cue lead to a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// The value follows the cue itself.
    Bare,
    /// "is", ":" or "=" lies between.
    Said,
}

fn after_cue(page: &Page<'_, '_>, cue: &Cue, entity: Entity, out: &mut Candidates) {
    let tokens = page.tokens;
    let mut at = clause_end(tokens, cue.after as usize).unwrap_or(cue.after as usize);
    let mut lead = Lead::Bare;
    let limit = at + LINKS;
    while at < limit {
        let token = tokens.at(at);
        let flags = flags(token);
        if token.gap >= Gap::Line && at > cue.after as usize && lead == Lead::Bare {
            return;
        }
        if token.is_mark(b':')
            || token.is_mark(b'=')
            || token.is_mark(b'"')
            || token.is_mark(b'\'') && token.gap != Gap::None
            || token.is_mark(b'-') && token.gap != Gap::None
            || token.is_mark(b'>')
            || flags & flag::IS != 0
        {
            lead = Lead::Said;
        } else if token.is_mark(b'\'') && tokens.at(at + 1).bytes() == 1 {
            lead = Lead::Said;
            at += 1;
        } else if flags & flag::FILLER != 0 || is_skipped(tokens, token, lead) {
            // Thinking aloud and articles change nothing.
        } else if !token.is_mark(b',') && !token.is_mark(b'#') && !mask_tokens::is_emphasis(tokens, at) {
            break;
        }
        at += 1;
    }
    if at >= limit || cue.shy && lead == Lead::Bare {
        return;
    }
    if let Some(after) = value_end(tokens, at, entity, lead) {
        out.whole(tokens.at(at).start, end_byte(tokens, after), entity, Reason::Cue, Proof::Cue);
    }
}

fn is_skipped(tokens: &Tokens<'_>, token: Token, lead: Lead) -> bool {
    let word = tokens.str(token);
    let always = ["number", "no", "code", "num"];
    let after = ["actually", "just", "still", "now", "my", "the"];
    token.kind == Kind::Word
        && if lead == Lead::Bare {
            always.iter().any(|w| word.eq_ignore_ascii_case(w))
        } else {
            after.iter().any(|w| word.eq_ignore_ascii_case(w))
        }
}

/// The token after the value that begins at a token; `None` where it is none.
fn value_end(tokens: &Tokens<'_>, first: usize, entity: Entity, lead: Lead) -> Option<usize> {
    let token = tokens.at(first);
    if token.kind == Kind::Edge
        || token.kind == Kind::Mask
        || token.gap >= Gap::Paragraph
        || touches_mask(tokens, first)
    {
        return None;
    }
    let counts = token.kind == Kind::Digits && flags(tokens.at(first + 1)) & flag::UNIT != 0;
    if is_shortened(tokens, first) || counts && tokens.at(first + 1).gap == Gap::Space {
        return None;
    }
    let mut after = piece_end(tokens, first);
    let has_digit = (first..after).any(|at| tokens.at(at).kind == Kind::Digits);
    let letters = token.kind == Kind::Word && after == first + 1;
    if letters && !is_word_value(tokens, first, entity, lead) {
        return None;
    }
    if entity == Entity::SECURITY_ANSWER {
        return Some(answer_end(tokens, first, after));
    }
    let masked = || {
        (first..after).all(|at| !tokens.at(at).is_value())
            && (first..after).any(|at| tokens.at(at).kind == Kind::Mask && tokens.at(at).bytes() > 3)
    };
    if !token.is_value() && !has_digit && after == first + 1 || masked() {
        return None;
    }
    while after < first + 8 && goes_on(tokens, after, has_digit || tokens.at(after).kind == Kind::Digits) {
        after = piece_end(tokens, after);
    }
    let size = tokens.before(after).end - token.start;
    (size >= 3
        && !touches_mask(tokens, after)
        && !(after == first + 1 && flags(tokens.at(after)) & flag::UNIT != 0 && has_digit))
        .then_some(after)
}

fn touches_mask(tokens: &Tokens<'_>, at: usize) -> bool {
    let masked = |at: usize| tokens.at(at).kind == Kind::Mask && !mask_tokens::is_emphasis(tokens, at);
    masked(at) || at.checked_sub(1).is_some_and(masked)
}

/// The token after what stands without a space, without the marks that close a sentence.
fn piece_end(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut after = first + 1;
    while after < first + 40 && tokens.at(after).gap == Gap::None && tokens.at(after).kind != Kind::Edge {
        after += 1;
    }
    while after > first + 1 && closes(tokens, after - 1) {
        after -= 1;
    }
    after
}

/// Whether a token closes a sentence, quotation or emphasis.
fn closes(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind == Kind::Mark
        && matches!(u8::try_from(token.code), Ok(b'.' | b',' | b'?' | b';' | b':' | b'"' | b'\'' | b')' | b'}' | b']'))
        || mask_tokens::is_emphasis(tokens, at)
}

/// Whether a word alone can be the value.
fn is_word_value(tokens: &Tokens<'_>, at: usize, entity: Entity, lead: Lead) -> bool {
    let token = tokens.at(at);
    let word = tokens.str(token);
    if flags(token) & flag::NUMBER != 0 {
        return entity == Entity::PASSWORD
            && flags(tokens.at(at + 1)) & flag::NUMBER != 0
            && flags(tokens.at(at + 2)) & flag::NUMBER != 0;
    }
    if has_number(tokens, at) && (lead == Lead::Said || !COMMON.contains(word)) {
        return true;
    }
    if flags(token) & (flag::STATUS | flag::PLAIN | flag::UNIT | flag::CUE) != 0 || is_done(tokens, at) {
        return false;
    }
    if word.len() < 3 {
        return false;
    }
    let common = COMMON.contains(word);
    let grammar = word.ends_with("ing") || word.ends_with("ed") || word.ends_with("ly");
    match lead {
        Lead::Said => !(follows_prose(tokens, at) && (grammar || common && entity != Entity::SECURITY_ANSWER)),
        Lead::Bare => {
            !common && !grammar && entity != Entity::SECURITY_ANSWER && (entity == Entity::PASSWORD || token.code == 0)
        }
    }
}

/// Whether a number follows a word that may be a value with it, and counts nothing.
fn has_number(tokens: &Tokens<'_>, at: usize) -> bool {
    const OTHER: u32 = flag::IS | flag::AND | flag::UNIT | flag::STATUS;
    let (number, counted) = (tokens.at(at + 1), tokens.at(at + 2));
    let counts = counted.gap <= Gap::Space && flags(counted) & flag::UNIT != 0;
    number.kind == Kind::Digits && number.gap == Gap::Space && !counts && flags(tokens.at(at)) & OTHER == 0
}

/// "was declined", "being processed": what was done with a value, and none.
fn is_done(tokens: &Tokens<'_>, at: usize) -> bool {
    const PASSIVE: [&str; 5] = ["was", "were", "been", "being", "got"];
    tokens.str(tokens.at(at)).ends_with("ed") && super::is_one_of(tokens, tokens.before(at), &PASSIVE)
}

/// Whether a sentence goes on after a word: then the word is a part of it, not a value.
fn follows_prose(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    next.kind == Kind::Word && next.gap <= Gap::Space && flags(next) & flag::AND == 0
}

/// Whether the token after a value belongs to it: digits after letters, short letters after digits.
fn goes_on(tokens: &Tokens<'_>, at: usize, has_digit: bool) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.gap != Gap::Space {
        return false;
    }
    match token.kind {
        Kind::Digits => tokens.before(at).kind != Kind::Mark,
        Kind::Word => {
            has_digit
                && token.bytes() <= 6
                && (token.bytes() == 1 && !matches!(tokens.str(token), "i" | "a")
                    || flags(token) & (flag::PLAIN | flag::LINK | flag::CUE | flag::AND | flag::UNIT | flag::FILLER)
                        == 0)
                && tokens.before(at).kind == Kind::Digits
                && (next.kind == Kind::Digits || !next.is_value())
        }
        Kind::Mark | Kind::Mask | Kind::Edge => false,
    }
}

/// Up to four words.
fn answer_end(tokens: &Tokens<'_>, first: usize, mut after: usize) -> usize {
    while after < first + 4 {
        let token = tokens.at(after);
        if token.gap != Gap::Space || !token.is_value() || flags(token) & (flag::AND | flag::CUE | flag::PLAIN) != 0 {
            break;
        }
        after += 1;
    }
    after
}

fn end_byte(tokens: &Tokens<'_>, after: usize) -> u32 {
    tokens.before(after).end
}

/// A message of a word or two that answers a question.
fn answer(page: &Page<'_, '_>, entity: Entity, out: &mut Candidates) {
    let tokens = page.tokens;
    let Some(first) = answer_word(tokens).filter(|first| !is_shortened(tokens, *first)) else { return };
    let after = piece_end(tokens, first);
    let mut last = after;
    while last < tokens.len()
        && tokens.at(last).gap == Gap::Space
        && tokens.at(last).is_value()
        && flags(tokens.at(last)) & (flag::PLAIN | flag::CUE) == 0
        && last < first + 8
    {
        last = piece_end(tokens, last);
    }
    let last = if entity == Entity::SECURITY_ANSWER || tokens.before(last).kind == Kind::Digits { last } else { after };
    if !touches_mask(tokens, first) && !touches_mask(tokens, last) {
        out.whole(tokens.at(first).start, end_byte(tokens, last), entity, Reason::EarlierCue, Proof::Cue);
    }
}

/// Tokens of a message that can be an answer in words.
const ANSWER: usize = 8;

/// The first word of a short message that is no politeness: what an earlier question may have asked for.
pub(crate) fn answer_word(tokens: &Tokens<'_>) -> Option<usize> {
    if tokens.len() > ANSWER {
        return None;
    }
    let mut said = false;
    for (at, token) in tokens.all().iter().enumerate() {
        let plain = flags(*token) & (flag::PLAIN | flag::LINK | flag::FILLER | flag::AND | flag::STATUS) != 0;
        if token.kind == Kind::Mark || plain {
            said |= flags(*token) & flag::IS != 0;
            continue;
        }
        if token.kind == Kind::Mask {
            return None;
        }
        let word = tokens.str(*token);
        let common = COMMON.contains(word);
        return (token.kind == Kind::Digits && token.code >= 4
            || token.kind == Kind::Word && (!common || said) && word.len() >= 3)
            .then_some(at);
    }
    None
}
