//! Cue links: which cue a value belongs to.

use super::{DetectorInput, flags, is_connector, is_digit_count};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};
use std::iter;

/// Maximum distance from a cue to a value after it, in bytes and tokens.
const MAX_BYTES_AFTER_CUE: u32 = 64;
const MAX_TOKENS_AFTER_CUE: usize = 12;
/// Maximum distance from a value to a cue after it, in bytes.
const MAX_BYTES_BEFORE_CUE: u32 = 24;

/// A link between a value and a cue beside it.
#[derive(Clone, Copy)]
pub(crate) struct CueLink {
    pub(crate) entities: EntitySet,
    /// Whether only connectors such as "number is" are between cue and value.
    pub(crate) direct: bool,
    /// Tokens between cue and value.
    pub(crate) distance: usize,
}

/// The previous value of a text, and the list of values that it ends.
#[derive(Clone, Copy, Default)]
pub(crate) struct LastValue {
    /// First token of the list.
    list_start: usize,
    /// Token after the value; 0 if there is no previous value.
    pub(crate) after: usize,
}

impl LastValue {
    /// Records a value. The value continues the list if it is joined to the previous one.
    pub(crate) fn record(&mut self, tokens: &Tokens<'_>, first: usize, after: usize) {
        if !(self.after > 0 && is_same_list(tokens, self.after, first)) {
            self.list_start = first;
        }
        self.after = after;
    }
}

/// The cues that may name the value at tokens `value..after`, the nearest first.
pub(crate) fn cue_links(
    input: &DetectorInput<'_, '_>,
    value: usize,
    after: usize,
    last: LastValue,
) -> impl Iterator<Item = CueLink> {
    let tokens = input.tokens;
    let following_cue = move || following_cue(input, value, after);
    let listed = last.after > 0 && is_same_list(tokens, last.after, value);
    let first = if listed { last.list_start } else { value };
    let start = tokens.at(first).start;
    let before = input.cues_before(|c| c.end_token as usize <= first);
    let left = input.cues()[..before].iter().rev().take_while(move |c| {
        let end = tokens.before(c.end_token as usize).end;
        start.saturating_sub(end) <= MAX_BYTES_AFTER_CUE && first - c.end_token as usize <= MAX_TOKENS_AFTER_CUE
    });
    let left = left.filter(move |c| listed || last.after <= c.end_token as usize);
    let left = left.filter_map(move |c| {
        let direct = (c.end_token as usize..first).all(|at| is_connector(tokens, at));
        (direct || !c.needs_connector).then_some(CueLink {
            entities: c.entities,
            direct,
            distance: first - c.end_token as usize,
        })
    });
    let mut left = left.peekable();
    let nearest_is_direct = left.peek().is_some_and(|a| a.direct);
    let before = if nearest_is_direct { None } else { following_cue() };
    let behind = iter::once_with(move || if nearest_is_direct { following_cue() } else { None }).flatten();
    before.into_iter().chain(left).chain(behind).take(4)
}

/// The cue after a value: "4567 is my pin", "3591 2749 this is my card".
fn following_cue(input: &DetectorInput<'_, '_>, value: usize, mut after: usize) -> Option<CueLink> {
    let tokens = input.tokens;
    let end = tokens.before(after).end;
    let cue = input.cues().get(input.cues_before(|c| (c.first_token as usize) < after))?;
    let first = cue.first_token as usize;
    if tokens.at(first).start.saturating_sub(end) > MAX_BYTES_BEFORE_CUE {
        return None;
    }
    while is_same_list(tokens, after, after + 1) && after < first && tokens.at(after + 1).kind == TokenKind::Digits {
        after += 2;
    }
    let has_verb = (after..first)
        .any(|at| flags(tokens.at(at)) & flag::COPULA != 0 || matches!(tokens.str(tokens.at(at)), "as" | "for"));
    let is_linked = (after..first).all(|at| {
        is_connector(tokens, at)
            && flags(tokens.at(at)) & flag::AND == 0
            && !tokens.at(at).is_mark(b',')
            && !ends_sentence(tokens, at)
    });
    let marks_only = (after..first)
        .all(|at| tokens.at(at).kind == TokenKind::Mark && tokens.at(at).byte_len() == 1 && !ends_sentence(tokens, at));
    let has_determiner = first == after + 1 && matches!(tokens.str(tokens.at(after)), "this" | "my" | "the");
    let is_adjacent = (marks_only && first <= after + 1 || has_determiner)
        && !has_own_value(tokens, cue.end_token as usize)
        && tokens.at(first).gap <= Gap::Space
        && (cue.entities.intersects(POSTFIX_ENTITIES) || value < 8 || has_determiner);
    (is_adjacent || has_verb && is_linked).then_some(CueLink {
        entities: cue.entities,
        direct: true,
        distance: first - after,
    })
}

/// Whether a token ends a sentence or clause.
fn ends_sentence(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    [b'.', b'?', b'!', b';', b','].iter().any(|m| token.is_mark(*m))
        && token.gap == Gap::None
        && tokens.at(at + 1).gap != Gap::None
}

/// Whether a cue is followed by its own value.
fn has_own_value(tokens: &Tokens<'_>, mut at: usize) -> bool {
    for _ in 0..3 {
        let token = tokens.at(at);
        if token.kind == TokenKind::Digits
            || token.kind == TokenKind::Mask
            || flags(token) & (flag::NUMBER | flag::COPULA) != 0
            || token.is_mark(b':')
            || token.is_mark(b'=')
            || token.is_mark(b'(')
            || token.is_mark(b'+')
        {
            return token.gap <= Gap::Space;
        }
        if !matches!(tokens.str(token), "number" | "no" | "num" | "id" | "code") {
            return false;
        }
        at += 1;
    }
    false
}

/// Entities whose cue can follow the value without a word between: "45 years old", "415 555 0132 mobile".
const POSTFIX_ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::AGE, Entity::PHONE_NUMBER]);

/// Whether the values before token `after` and from token `first` are items of one list: "1596 or 0314", "8965 to
/// 4586".
fn is_same_list(tokens: &Tokens<'_>, after: usize, first: usize) -> bool {
    first >= after
        && first - after <= 2
        && (after..first).all(|at| {
            let token = tokens.at(at);
            token.is_mark(b',')
                || token.is_mark(b'/')
                || matches!(tokens.str(token), "and" | "or" | "to" | "And" | "Or")
        })
}

/// Whether a link is to a negative cue: the phrase says that the value is of no known entity.
pub(crate) fn is_negative_cue(a: &CueLink) -> bool {
    a.entities.is_empty() && a.distance <= 4
}

/// Maximum tokens beside a value that is the whole message.
pub(crate) const MAX_SURROUNDING_TOKENS: usize = 10;

/// Whether a text has only the tokens `first..after`, stopwords and connectors.
pub(crate) fn is_whole_message(tokens: &Tokens<'_>, first: usize, after: usize, strict: bool) -> bool {
    if tokens.len() > after - first + MAX_SURROUNDING_TOKENS {
        return false;
    }
    (0..tokens.len()).filter(|at| !(first..after).contains(at)).all(|at| {
        let token = tokens.at(at);
        match token.kind {
            TokenKind::Mark => true,
            TokenKind::Word if is_alphanumeric_part(tokens, at) || !tokens.str(token).is_ascii() => true,
            TokenKind::Word => {
                !strict
                    && flags(token) & (flag::CONNECTOR | flag::FILLER | flag::STOPWORD | flag::AND) != 0
                    && flags(token) & flag::UNIT == 0
            }
            TokenKind::Digits => is_alphanumeric_part(tokens, at) || is_digit_count(tokens, at),
            TokenKind::Mask | TokenKind::Edge => false,
        }
    })
}

/// Whether a token is part of letters and digits without a space, which is a value too.
fn is_alphanumeric_part(tokens: &Tokens<'_>, at: usize) -> bool {
    let (before, token, next) = (tokens.before(at), tokens.at(at), tokens.at(at + 1));
    let is_other_kind = |other: crate::tokenize::Token, gap: Gap| {
        gap == Gap::None && other.is_alphanumeric() && other.kind != token.kind
    };
    is_other_kind(next, next.gap) || is_other_kind(before, token.gap)
}

/// The entities that a message asks for: those of the cues from token `after` on, after the last value.
pub(crate) fn requested_entities(cues: &[Cue], after: usize) -> EntitySet {
    cues.iter().filter(|c| c.first_token as usize >= after).fold(EntitySet::empty(), |set, c| set.or(c.entities))
}
