//! Which cue a value belongs to.

use super::{Page, flags, is_tail_count, links};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Tokens};
use std::iter;

/// How far a cue reaches to the right, in bytes and tokens.
const REACH_BYTES: u32 = 64;
const REACH_TOKENS: usize = 12;
/// How far after its value a cue may stand, in bytes.
const BACK_REACH: u32 = 24;

/// A cue beside a value.
#[derive(Clone, Copy)]
pub(crate) struct Announcement {
    pub(crate) set: EntitySet,
    /// Nothing but links such as "number is" between.
    pub(crate) tight: bool,
    /// Tokens between.
    pub(crate) distance: usize,
}

/// The value found last.
#[derive(Clone, Copy, Default)]
pub(crate) struct Taken {
    /// First token of the list of values that it ends.
    head: usize,
    /// Token after the value; 0 when there was none.
    pub(crate) after: usize,
}

impl Taken {
    /// Notes a value; it prolongs the list where it is joined to the value before.
    pub(crate) fn note(&mut self, tokens: &Tokens<'_>, first: usize, after: usize) {
        if !(self.after > 0 && is_list(tokens, self.after, first)) {
            self.head = first;
        }
        self.after = after;
    }
}

/// The cues that may name the value at tokens `value..after`, the nearest first.
pub(crate) fn announcements(
    page: &Page<'_, '_>,
    value: usize,
    after: usize,
    taken: Taken,
) -> impl Iterator<Item = Announcement> {
    let tokens = page.tokens;
    let ahead = move || ahead(page, value, after);
    let listed = taken.after > 0 && is_list(tokens, taken.after, value);
    let first = if listed { taken.head } else { value };
    let start = tokens.at(first).start;
    let before = page.cues_before(|c| c.after as usize <= first);
    let left = page.cues()[..before].iter().rev().take_while(move |c| {
        let end = tokens.before(c.after as usize).end;
        start.saturating_sub(end) <= REACH_BYTES && first - c.after as usize <= REACH_TOKENS
    });
    let left = left.filter(move |c| listed || taken.after <= c.after as usize);
    let left = left.filter_map(move |c| {
        let tight = (c.after as usize..first).all(|at| links(tokens, at));
        (tight || !c.shy).then_some(Announcement { set: c.set, tight, distance: first - c.after as usize })
    });
    let mut left = left.peekable();
    let close = left.peek().is_some_and(|a| a.tight);
    let before = if close { None } else { ahead() };
    let behind = iter::once_with(move || if close { ahead() } else { None }).flatten();
    before.into_iter().chain(left).chain(behind).take(4)
}

/// The cue after a value: "4567 is my pin", "3591 2749 this is my card".
fn ahead(page: &Page<'_, '_>, value: usize, mut after: usize) -> Option<Announcement> {
    let tokens = page.tokens;
    let end = tokens.before(after).end;
    let cue = page.cues().get(page.cues_before(|c| (c.first as usize) < after))?;
    let first = cue.first as usize;
    if tokens.at(first).start.saturating_sub(end) > BACK_REACH {
        return None;
    }
    while is_list(tokens, after, after + 1) && after < first && tokens.at(after + 1).kind == Kind::Digits {
        after += 2;
    }
    let said = (after..first)
        .any(|at| flags(tokens.at(at)) & flag::IS != 0 || matches!(tokens.str(tokens.at(at)), "as" | "for"));
    let linked = (after..first).all(|at| {
        links(tokens, at)
            && flags(tokens.at(at)) & flag::AND == 0
            && !tokens.at(at).is_mark(b',')
            && !is_stop(tokens, at)
    });
    let touching =
        (after..first).all(|at| tokens.at(at).kind == Kind::Mark && tokens.at(at).bytes() == 1 && !is_stop(tokens, at));
    let this = first == after + 1 && matches!(tokens.str(tokens.at(after)), "this" | "my" | "the");
    let direct = (touching && first <= after + 1 || this)
        && !is_followed(tokens, cue.after as usize)
        && tokens.at(first).gap <= Gap::Space
        && (cue.set.touches(DIRECT) || value < 8 || this);
    (direct || said && linked).then_some(Announcement { set: cue.set, tight: true, distance: first - after })
}

/// A sentence ends at a token.
fn is_stop(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    [b'.', b'?', b'!', b';', b','].iter().any(|m| token.is_mark(*m))
        && token.gap == Gap::None
        && tokens.at(at + 1).gap != Gap::None
}

/// Whether a value of its own follows a cue.
fn is_followed(tokens: &Tokens<'_>, mut at: usize) -> bool {
    for _ in 0..3 {
        let token = tokens.at(at);
        if token.kind == Kind::Digits
            || token.kind == Kind::Mask
            || flags(token) & (flag::NUMBER | flag::IS) != 0
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

/// Entities whose cue may follow its value without a word between: "45 years old", "415 555 0132 mobile".
const DIRECT: EntitySet = EntitySet::of(&[Entity::AGE, Entity::PHONE_NUMBER]);

/// Whether values at two places are items of one list: "1596 or 0314", "8965 to 4586".
fn is_list(tokens: &Tokens<'_>, after: usize, first: usize) -> bool {
    first >= after
        && first - after <= 2
        && (after..first).all(|at| {
            let token = tokens.at(at);
            token.is_mark(b',')
                || token.is_mark(b'/')
                || matches!(tokens.str(token), "and" | "or" | "to" | "And" | "Or")
        })
}

/// The cue that names nothing known: such a value is of no kind that needs a cue.
pub(crate) fn is_denial(a: &Announcement) -> bool {
    a.set.is_empty() && a.distance <= 4
}

/// Tokens of politeness and links beside a value that is all there is to a message, at most.
pub(crate) const BESIDE: usize = 10;

/// Whether a text is nothing but the tokens `first..after`, politeness and links.
pub(crate) fn is_alone(tokens: &Tokens<'_>, first: usize, after: usize, strict: bool) -> bool {
    if tokens.len() > after - first + BESIDE {
        return false;
    }
    (0..tokens.len()).filter(|at| !(first..after).contains(at)).all(|at| {
        let token = tokens.at(at);
        match token.kind {
            Kind::Mark => true,
            Kind::Word if is_mixed(tokens, at) || !tokens.str(token).is_ascii() => true,
            Kind::Word => {
                !strict
                    && flags(token) & (flag::LINK | flag::FILLER | flag::PLAIN | flag::AND) != 0
                    && flags(token) & flag::UNIT == 0
            }
            Kind::Digits => is_mixed(tokens, at) || is_tail_count(tokens, at),
            Kind::Mask | Kind::Edge => false,
        }
    })
}

/// Whether a token is a part of letters and digits without a space: a value too.
fn is_mixed(tokens: &Tokens<'_>, at: usize) -> bool {
    let (before, token, next) = (tokens.before(at), tokens.at(at), tokens.at(at + 1));
    let differs =
        |other: crate::tokenize::Token, gap: Gap| gap == Gap::None && other.is_value() && other.kind != token.kind;
    differs(next, next.gap) || differs(before, token.gap)
}

/// The cues of a message that ask for something: those after its last value.
pub(crate) fn asked(cues: &[Cue], after: usize) -> EntitySet {
    cues.iter().filter(|c| c.first as usize >= after).fold(EntitySet::empty(), |set, c| set.or(c.set))
}
