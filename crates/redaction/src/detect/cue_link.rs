//! Cue links: which cue a value belongs to.

use super::cue_reference::describes;
use super::cue_scope::{is_aside, is_purpose, is_replaced, is_sender, is_told_of};
use super::{DetectorInput, flags, is_connector, is_digit_count, is_one_of};
use crate::cues::{Cue, is_bare_code};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::lexicon::word_id;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};
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
    /// Whether the cue is "the code" without more.
    pub(crate) is_bare_code: bool,
    /// Whether the cue begins with a word of everyday language, as in "my number", and so names a telephone number too.
    pub(crate) is_weak: bool,
}

/// First words of weak cues.
const WEAK_HEADS: [u16; 6] = [
    word_id("my"),
    word_id("business"),
    word_id("company"),
    word_id("provider"),
    word_id("transit"),
    word_id("national"),
];

fn is_weak(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    WEAK_HEADS.contains(&tokens.at(cue.first_token as usize).slot())
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
    let listed = last.after > 0
        && (is_same_list(tokens, last.after, value)
            || is_contrasted(input, last.after, value)
            || is_replaced(tokens, last.after, value));
    let first = if listed { last.list_start } else { value };
    let start = tokens.at(first).start;
    let before = input.cues_before(|c| c.end_token as usize <= first);
    let left = input.cues()[..before].iter().rev().take_while(move |c| {
        let end = tokens.before(c.end_token as usize).end;
        start.saturating_sub(end) <= MAX_BYTES_AFTER_CUE && first - c.end_token as usize <= MAX_TOKENS_AFTER_CUE
    });
    let left = left.filter(move |c| listed || last.after <= c.end_token as usize);
    let left = left.filter(move |c| !is_aside(input, c, first) && !is_sender(tokens, c));
    let left = left.filter_map(move |c| {
        let direct = is_direct(tokens, c.end_token as usize, first);
        let c = if direct { head_of(input, c) } else { c };
        (direct || !c.needs_connector).then_some(CueLink {
            entities: c.entities,
            direct,
            distance: first - c.end_token as usize,
            is_bare_code: is_bare_code(c),
            is_weak: is_weak(tokens, c),
        })
    });
    let mut left = left.peekable();
    let nearest_is_direct = left.peek().is_some_and(|a| a.direct);
    let before = if nearest_is_direct { None } else { following_cue() };
    let behind = iter::once_with(move || if nearest_is_direct { following_cue() } else { None }).flatten();
    before.into_iter().chain(left).chain(behind).take(4)
}

/// Whether only connectors are between a cue and a value, or the value is a new one after words of change: "the pin
/// changed from 1234 to 5678".
fn is_direct(tokens: &Tokens<'_>, from: usize, to: usize) -> bool {
    let is_change = |at: usize| is_one_of(tokens, tokens.at(at), &["changed", "change", "r", "looks", "on"]);
    (from..to).all(|at| is_connector(tokens, at) || is_change(at))
}

/// The cue that another one only describes further: the PIN of "the pin on the SIM card", the code of "the security code
/// of my credit card".
fn head_of<'c>(input: &'c DetectorInput<'_, '_>, cue: &'c Cue) -> &'c Cue {
    let head = input.last_cue_before(cue.first_token as usize);
    head.filter(|head| describes(input.tokens, head, cue)).unwrap_or(cue)
}

/// The cue after a value: "4567 is my pin", "3591 2749 this is my card".
fn following_cue(input: &DetectorInput<'_, '_>, value: usize, mut after: usize) -> Option<CueLink> {
    let tokens = input.tokens;
    let end = tokens.before(after).end;
    let index = input.cues_before(|c| (c.first_token as usize) < after);
    let cue = input.cues().get(index)?;
    let first = cue.first_token as usize;
    // "4821 as my account pin": the last noun is the head.
    let is_head = |next: &&Cue| next.first_token == cue.end_token && next.entities.contains(Entity::PIN);
    let cue = input.cues().get(index + 1).filter(is_head).unwrap_or(cue);
    let is_far = tokens.at(first).start.saturating_sub(end) > MAX_BYTES_BEFORE_CUE;
    if is_far || is_purpose(input, cue, after) {
        return None;
    }
    while is_same_list(tokens, after, after + 1) && after < first && tokens.at(after + 1).kind == TokenKind::Digits {
        after += 2;
    }
    let has_verb = (after..first).any(|at| {
        flags(tokens.at(at)) & flag::COPULA != 0
            || matches!(tokens.str(tokens.at(at)), "as" | "for" | "its" | "thats")
            || matches!(tokens.str(tokens.at(at)), "s" | "S") && tokens.before(at).is_mark(b'\'')
    });
    let has_subject = is_one_of(tokens, tokens.at(after + 1), &["it", "its", "that", "thats", "this"]);
    // One adjective may describe the cue: "8384 is the parental pin".
    let is_adjective = |at: usize| {
        at + 1 == first
            && tokens.at(at).kind == TokenKind::Word
            && is_one_of(tokens, tokens.before(at), &["the", "my", "a"])
    };
    let is_linked = (after..first).all(|at| {
        (is_connector(tokens, at) || is_adjective(at) || is_one_of(tokens, tokens.at(at), &["what", "whats"]))
            && flags(tokens.at(at)) & flag::AND == 0
            && (at == after && has_subject && tokens.at(at).is_mark(b',')
                || !tokens.at(at).is_mark(b',') && !ends_sentence(tokens, at))
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
        is_bare_code: is_bare_code(cue),
        is_weak: is_weak(tokens, cue),
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
const POSTFIX_ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::AGE, Entity::PHONE_NUMBER, Entity::CVV]);

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

/// Maximum tokens between two values that are contrasted.
const MAX_CONTRAST_TOKENS: usize = 8;

/// Whether the value from token `first` replaces or corrects the one before token `after`: "1234 but mine is 5678",
/// "1234 no wait 5678", "from 1234 to 5678", "1234 and then another one 5678".
fn is_contrasted(input: &DetectorInput<'_, '_>, after: usize, first: usize) -> bool {
    const CONTRAST: [&str; 22] = [
        "but", "not", "no", "should", "mine", "now", "instead", "to", "wait", "another", "actually", "then", "sorry",
        "replaced", "old", "new", "perdon", "pardon", "nicht", "oder", "ou", "oppure",
    ];
    let tokens = input.tokens;
    let between = first.saturating_sub(after);
    let has_cue = || {
        let next = input.cues_before(|c| (c.first_token as usize) < after);
        input.cues().get(next).is_some_and(|c| (c.first_token as usize) < first)
    };
    (1..=MAX_CONTRAST_TOKENS).contains(&between)
        && (after..first).any(|at| is_one_of(tokens, tokens.at(at), &CONTRAST))
        && (after..first).all(|at| {
            let token = tokens.at(at);
            let is_plain = flags(token) & (flag::CONNECTOR | flag::STOPWORD | flag::FILLER | flag::AND) != 0;
            is_plain && flags(token) & flag::UNIT == 0
                || is_one_of(tokens, token, &CONTRAST)
                || token.is_mark(b',')
                || token.is_mark(b'\'')
        })
        && !has_cue()
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
    let is_other_kind =
        |other: Token, gap: Gap| gap == Gap::None && other.is_alphanumeric() && other.kind != token.kind;
    is_other_kind(next, next.gap) || is_other_kind(before, token.gap)
}

/// The entities that a message asks for: those of the cues from token `after` on, after the last value. A cue that only
/// describes another one does not count, and a cue that needs a connector counts only where no other is and a number is asked for. A cue for a
/// password that also means something else, such as "pass", counts in a question alone.
pub(crate) fn requested_entities(tokens: &Tokens<'_>, cues: &[Cue], after: usize, is_question: bool) -> EntitySet {
    let from = cues.partition_point(|c| (c.first_token as usize) < after);
    let asked = cues.get(from..).unwrap_or_default();
    let is_ambiguous = |c: &Cue| c.needs_connector && c.entities.contains(Entity::PASSWORD);
    let is_weak = |c: &Cue| c.needs_connector && !is_bare_code(c) && !is_ambiguous(c);
    let is_number_question = || {
        let words = [
            "number", "numbers", "digits", "ending", "ends", "last", "read", "first", "next", "second", "third",
            "middle",
        ];
        tokens.as_slice().iter().any(|token| is_one_of(tokens, *token, &words))
    };
    let has_firm = asked.iter().any(|c| !is_weak(c) && !c.entities.is_empty()) || !is_number_question();
    let counts = |at: usize, c: &Cue| {
        let is_description =
            at.checked_sub(1).and_then(|before| asked.get(before)).is_some_and(|head| describes(tokens, head, c));
        // The "bank" of "your bank pin" only describes the PIN.
        let is_modifier = asked.get(at + 1).is_some_and(|next| {
            next.first_token == c.end_token
                && tokens.at(next.first_token as usize).gap == Gap::Space
                && next.entities.intersects(SECRET_ENTITIES)
        });
        !(is_modifier
            || is_description
            || is_told_of(tokens, c)
            || has_firm && is_weak(c)
            || is_ambiguous(c) && !is_question)
    };
    asked.iter().enumerate().filter(|(at, c)| counts(*at, c)).fold(EntitySet::empty(), |set, (_, c)| set.or(c.entities))
}

/// Entities whose names stand after the thing that they open: "bank pin", "account password".
pub(crate) const SECRET_ENTITIES: EntitySet =
    EntitySet::from_slice(&[Entity::PIN, Entity::CVV, Entity::PASSWORD, Entity::ONE_TIME_PASSCODE]);
