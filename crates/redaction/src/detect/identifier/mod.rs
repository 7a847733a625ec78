//! Identifiers of letters and digits whose shape and check digits the registry knows.

mod begin;
mod outline;

use super::internet::is_announced;
use super::{Page, announced};
use crate::candidate::{Candidate, Candidates, Proof};
use crate::catalog::Mask;
use crate::entity::Entity;
use crate::registry::lookup::Known;
use crate::registry::{Grouping, Identifier, LONGEST, Strength};
use crate::span::Reason;
use crate::tables::iban::iban_country;
use crate::tokenize::{Gap, Kind, Tokens, fold};
use crate::validate::vat;
pub(crate) use begin::is_code_like;
use begin::joins;

/// Tokens of an identifier at most.
const REACH: usize = 16;
/// Tokens before the first letter of an identifier at most.
const DIGITS_FIRST: usize = 6;
/// Tries every stretch of letter and digit groups that begins at the border of a piece.
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    let lettered = page.known.with_letters();
    if lettered.is_empty() {
        return;
    }
    let evident = || if has_evidence(page) { lettered } else { lettered.without_cue() };
    let (mut known, mut from) = (None, 0);
    begin::each(page.tokens, |at| {
        if at >= from {
            from = longest(page, *known.get_or_insert_with(evident), at, out);
        }
    });
}

/// Whether a cue, an earlier question, or standing alone can prove what the check digits do not.
fn has_evidence(page: &Page<'_, '_>) -> bool {
    !page.cues().is_empty() || !page.armed.is_empty() || page.tokens.len() <= REACH + announced::BESIDE
}

/// Letters and digits from a token on, with the identifiers that their groups leave possible.
struct Walk {
    compact: [u8; LONGEST],
    length: usize,
    known: Known,
    /// Separators so far, and where the group after the last one begins.
    separators: usize,
    group: usize,
    letters: bool,
    digits: bool,
}

impl Walk {
    /// Goes over a separator; false where no identifier has this one there.
    fn part(&mut self, mark: u8) -> bool {
        self.known = self.known.with_mark(mark);
        // The first two letters stay what they are once they are there.
        if self.group < 2 {
            if self.length >= 2 && !vat::begins_like_a_country(&self.compact[..self.length]) {
                self.known = self.known.in_usual_groups();
            }
            if iban_country([self.compact[0], self.compact[1]]).is_none() {
                self.known = self.known.in_uneven_groups();
            }
        }
        self.known = self.known.with_group(self.separators, self.length - self.group);
        self.separators += 1;
        self.group = self.length;
        self.known.can_be_longer(self.length)
    }

    /// Takes a token in; false where an identifier cannot go on with it.
    fn take(&mut self, tokens: &Tokens<'_>, at: usize) -> bool {
        let token = tokens.at(at);
        let Some(length) = append(tokens, at, &mut self.compact, self.length) else { return false };
        if token.kind == Kind::Word && self.length < vat::DIGITS.end && length > vat::DIGITS.start {
            self.known = self.known.in_usual_groups();
        }
        self.length = length;
        self.letters |= token.kind == Kind::Word;
        self.digits |= token.kind == Kind::Digits;
        !self.known.is_empty()
    }
}

/// Hands over the longest identifier that begins at a token; returns the token after it.
#[inline(never)]
fn longest(page: &Page<'_, '_>, known: Known, first: usize, out: &mut Candidates) -> usize {
    let tokens = page.tokens;
    let mut walk =
        Walk { compact: [0; LONGEST], length: 0, known, separators: 0, group: 0, letters: false, digits: false };
    let mut best = None;
    let mut at = first;
    while at < first + REACH {
        let token = tokens.at(at);
        if !token.is_value() {
            if at == first || !joins(tokens, at) || !walk.part(u8::try_from(token.code).unwrap_or(0)) {
                break;
            }
            at += 1;
            continue;
        }
        if at > first
            && token.gap != Gap::None
            && (token.gap > Gap::Space || !is_code_like(tokens, at) || !walk.part(b' '))
        {
            break;
        }
        if !walk.take(tokens, at) || !walk.letters && at - first >= DIGITS_FIRST {
            break;
        }
        at += 1;
        if walk.letters && walk.digits && is_border(tokens, at) {
            best = identify(page, first, at, &walk).map(|found| (found, at)).or(best);
        }
    }
    let Some(((entity, reason, proof), after)) = best else { return first + 1 };
    push(tokens, first, after, entity, reason, proof, out);
    if proof == Proof::Check && out.active().contains(entity) { after } else { first + 1 }
}

fn append(tokens: &Tokens<'_>, at: usize, compact: &mut [u8; LONGEST], mut length: usize) -> Option<usize> {
    let token = tokens.at(at);
    let raw = tokens.text.as_bytes().get(token.start as usize..token.end as usize)?;
    let room = compact.get_mut(length..)?;
    let mut seen = 0;
    for (slot, byte) in room.iter_mut().zip(raw) {
        *slot = byte.to_ascii_uppercase();
        seen |= byte;
    }
    if seen.is_ascii() && raw.len() <= room.len() {
        return Some(length + raw.len());
    }
    for c in tokens.str(token).chars() {
        match fold::compact(c) {
            Some(byte) => {
                *compact.get_mut(length)? = byte;
                length += 1;
            }
            None if fold::fold(c) == fold::Folded::Nothing => {}
            None => return None,
        }
    }
    Some(length)
}

/// Whether a piece ends before a token.
fn is_border(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap != Gap::None
        || !token.is_value() && token.kind != Kind::Mask && !token.is_mark(b'_') && !token.is_mark(b'@')
}

fn identify(page: &Page<'_, '_>, first: usize, after: usize, walk: &Walk) -> Option<(Entity, Reason, Proof)> {
    let compact = &walk.compact[..walk.length];
    let known = walk.known.with_separators(walk.separators);
    if !known.can_have(compact.len()) {
        return None;
    }
    let tokens = page.tokens;
    let raw = tokens.between(tokens.at(first).start, tokens.before(after).end).as_bytes();
    let whole = raw.iter().all(u8::is_ascii_alphanumeric);
    let permits = |i: &Identifier| i.grouping.permits_given(raw, || whole);
    known
        .of_length(compact.len())
        .filter(|(i, _)| {
            // The check of what is written in even groups goes by the length first, which costs less than the groups do.
            let even = matches!(i.grouping, Grouping::Every(_));
            (even || permits(i)) && (i.check)(compact) && (!even || permits(i))
        })
        .filter_map(|(i, entity)| {
            proof(page, first, after, i, entity, raw).map(|(reason, proof)| (entity, reason, proof))
        })
        .min_by_key(|(entity, _, proof)| (*proof, *entity))
}

fn proof(
    page: &Page<'_, '_>,
    first: usize,
    after: usize,
    identifier: &Identifier,
    entity: Entity,
    raw: &[u8],
) -> Option<(Reason, Proof)> {
    let grouped = identifier.grouping.is_grouped(raw);
    match identifier.strength {
        Strength::Strong => return Some((Reason::Checksum, Proof::Check)),
        Strength::Formatted if grouped => return Some((Reason::Shape, Proof::Shape)),
        Strength::Formatted | Strength::Weak => {}
    }
    let (before, own) = (page.tokens.before(first), page.tokens.at(first));
    if before.kind == Kind::Digits && own.gap <= Gap::Space {
        return None;
    }
    if is_announced(page, first, after, entity.bit()) {
        return Some((Reason::Cue, Proof::Cue));
    }
    let whole = raw.iter().all(u8::is_ascii_alphanumeric) || grouped;
    (whole && announced::is_alone(page.tokens, first, after, false)).then_some((Reason::Shape, Proof::Alone))
}

fn push(
    tokens: &Tokens<'_>,
    first: usize,
    after: usize,
    entity: Entity,
    reason: Reason,
    proof: Proof,
    out: &mut Candidates,
) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let shown_from =
        if entity.row().mask == Mask::KeepLast4 { last_four(tokens.between(start, end), start) } else { end };
    out.push(Candidate { start, end, shown_from, entity, reason, proof });
}

/// The byte from which the last four digits or letters stay readable.
fn last_four(raw: &str, start: u32) -> u32 {
    let mut left = 4;
    for (at, c) in raw.char_indices().rev() {
        left -= usize::from(fold::compact(c).is_some());
        if left == 0 {
            return start + u32::try_from(at).unwrap_or(0);
        }
    }
    start
}
