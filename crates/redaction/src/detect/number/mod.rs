//! Values made of digits, written or said: cards first, then what the shape, a cue, an earlier question or check digits tell.

pub(crate) mod least;
mod quantity;
mod shape;

use super::announced::{self, Announcement, Taken, announcements};
use super::date_words::Lies;
use super::fit::fits;
use super::{Page, card, date, flags, is_tail_count, phone, track};
use crate::candidate::{Candidate, Candidates, Proof};
use crate::catalog::Mask;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens;
use crate::numbers::slice::Slice;
use crate::numbers::{Joint, LEAST as SHORTEST, MOST_DIGITS, Run, with_room};
use crate::span::Reason;
use crate::tokenize::Kind;
use crate::tokenize::words::flag;
use crate::validate;
use least::enough_digits;
use quantity::{is_address_part, is_quantity};
use shape::shaped;

/// More digits than this are no value as a whole.
const LONGEST: usize = crate::registry::LONGEST;

/// Looks at every number run of a text.
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    if let Some(digits) = enough_digits(page, out.active()) {
        with_room(digits, |run| look_at_each(page, run, out));
    }
}

fn look_at_each(page: &Page<'_, '_>, mut run: Run<'_>, out: &mut Candidates) {
    let mut ascii = [0; MOST_DIGITS];
    let mut taken = Taken::default();
    let mut from = 0;
    while let Some(first) = run.read(page.tokens, from) {
        from = run.after.max(first + 1);
        if !page.aged && run.digits().len() < SHORTEST {
            continue;
        }
        for (slot, digit) in ascii.iter_mut().zip(run.digits()) {
            *slot = b'0' + digit.value;
        }
        if run.parts().len() == 1 && is_tail_count(page.tokens, first) && run.digits().len() <= 2 {
            continue;
        }
        let slice = Slice::whole(page.tokens, &run, &ascii);
        look(page, slice, &mut taken, out);
        sequence(slice, out);
    }
}

/// Cards anywhere in the slice, the rest piece by piece.
fn look(page: &Page<'_, '_>, slice: Slice<'_, '_>, taken: &mut Taken, out: &mut Candidates) {
    if slice.run.endless {
        return;
    }
    let Some((from, to)) = card::find(slice) else {
        if track::is_number(slice) {
            card::push(slice, Reason::Shape, out);
        } else {
            pieces(page, slice, taken, out);
        }
        return;
    };
    pieces(page, slice.sub(slice.from, from), taken, out);
    card::push(slice.sub(from, to), Reason::Checksum, out);
    taken.note(page.tokens, slice.sub(from, to).token(), slice.sub(from, to).after());
    if to < slice.to {
        look(page, slice.sub(to, slice.to), taken, out);
    }
}

/// Classifies a slice whole; where it is nothing whole, cuts it at its loosest joints.
fn pieces(page: &Page<'_, '_>, slice: Slice<'_, '_>, taken: &mut Taken, out: &mut Candidates) {
    if slice.parts().is_empty() || slice.len() == 0 {
        return;
    }
    if classify(page, slice, *taken, out) {
        taken.note(page.tokens, slice.token(), slice.after());
        return;
    }
    let loosest = slice.loosest();
    if slice.parts().len() < 2 || loosest == Joint::Touching {
        return;
    }
    let mut from = slice.from;
    for (at, part) in slice.parts().iter().enumerate().skip(1) {
        if part.joint == loosest {
            piece(page, slice.sub(from, slice.from + at), taken, out);
            from = slice.from + at;
        }
    }
    piece(page, slice.sub(from, slice.to), taken, out);
}

/// Classifies a part of a slice, unless it is one group too short for any value.
fn piece(page: &Page<'_, '_>, slice: Slice<'_, '_>, taken: &mut Taken, out: &mut Candidates) {
    let short = matches!(slice.parts(), [only] if usize::from(only.count) < SHORTEST) && page.cues().is_empty();
    if !short {
        pieces(page, slice, taken, out);
    }
}

/// Says what a slice is; false where it is nothing whole.
fn classify(page: &Page<'_, '_>, slice: Slice<'_, '_>, taken: Taken, out: &mut Candidates) -> bool {
    let n = slice.len();
    if n > LONGEST {
        return false;
    }
    if n < SHORTEST && (slice.parts().len() > 1 || !page.names_age())
        || slice.loosest() == Joint::Break && !crosses_lines(slice)
    {
        return false;
    }
    let mut first = slice.token();
    if slice.run.masked && n <= 4 {
        first = mask_tokens::head(page.tokens, first);
        // What stands after the digits says nothing of the asterisks before them.
        let nearest = announcements(page, first, page.tokens.len(), taken).next();
        if !is_never_a_tail(nearest) {
            return true;
        }
    }
    match page.dates().lie(slice.token(), slice.after()) {
        Lies::Inside => return true,
        Lies::Across => return false,
        Lies::Apart => {}
    }
    if date::is_numeric(slice) {
        dated(page, slice, taken, out);
        return true;
    }
    if is_address_part(slice) {
        return false;
    }
    if date::is_said(slice) {
        dated(page, slice, taken, out);
        return true;
    }
    let quantity = is_quantity(slice);
    let formatted = phone::likeness(slice);
    let mut denied = false;
    let cued = !page.cues().is_empty();
    for a in cued.then(|| announcements(page, first, slice.after(), taken)).into_iter().flatten() {
        if announced::is_denial(&a) {
            denied = true;
            break;
        }
        if let Some(entities) = fitting(page, a, slice, quantity, formatted) {
            named(slice, entities, Reason::Cue, out);
            return true;
        }
    }
    if quantity {
        return false;
    }
    if !denied && !page.armed.is_empty() {
        let entities: EntitySet = page
            .armed
            .iter()
            .filter(|e| {
                fits(page, *e, slice, true)
                    || *e == Entity::DOB && (date::is_compact(slice.compact()) || date::is_loose(slice))
            })
            .collect();
        if !entities.is_empty() && (n >= 6 || is_answer(page, slice)) {
            out.note_answer();
            named(slice, entities, Reason::EarlierCue, out);
            return true;
        }
    }
    shaped(page, slice, formatted, denied, out)
}

/// Whether the nearest cue is for values of which no mask leaves a tail: asterisks before them hide nothing.
fn is_never_a_tail(nearest: Option<Announcement>) -> bool {
    let keeps = |entity: Entity| entity.row().mask == Mask::KeepLast4;
    nearest.is_some_and(|a| a.tight && !a.set.is_empty() && !a.set.iter().any(keeps))
}

/// Digits on two lines are one value only where each is a part of a written whole.
fn crosses_lines(slice: Slice<'_, '_>) -> bool {
    slice.all_spoken()
}

/// An answer to a question: a short message that opens or ends with the digits.
#[inline(never)]
fn is_answer(page: &Page<'_, '_>, slice: Slice<'_, '_>) -> bool {
    let before = slice.before();
    let said = flags(before) & flag::IS != 0
        || before.kind == Kind::Word && matches!(page.tokens.str(before), "its" | "s" | "either" | "maybe");
    let ends = page.tokens.len() <= slice.after() + 1;
    page.tokens.len() <= 16 + (slice.after() - slice.token())
        || slice.token() <= 1
        || said
        || ends && before.kind == Kind::Mark
        || ends && slice.len() >= 4
}

/// The entities of a cue that the slice fits.
#[inline(never)]
fn fitting(
    page: &Page<'_, '_>,
    a: Announcement,
    slice: Slice<'_, '_>,
    quantity: bool,
    formatted: Option<phone::Likeness>,
) -> Option<EntitySet> {
    let n = slice.len();
    if n < 7 && slice.is_torn() {
        return None;
    }
    if quantity && (n < 6 || !a.tight) && !a.set.contains(Entity::AGE) || n <= 6 && !a.tight && a.distance > 5 {
        return None;
    }
    if !a.tight
        && formatted == Some(phone::Likeness::Sure)
        && slice.parts().len() > 1
        && !slice.spoken()
        && !a.set.contains(Entity::PHONE_NUMBER)
    {
        return None;
    }
    let entities: EntitySet = a
        .set
        .iter()
        .filter(|e| match *e {
            Entity::AGE => is_age(slice) && a.tight,
            Entity::DOB => (date::is_compact(slice.compact()) || date::is_loose(slice)) && a.tight,
            other => fits(page, other, slice, a.tight),
        })
        .collect();
    (!entities.is_empty()).then_some(entities)
}

fn is_age(slice: Slice<'_, '_>) -> bool {
    slice.len() <= 3 && validate::number(slice.compact()).is_some_and(|n| n <= 120)
}

/// Hands over the first active one of the entities a value may be.
#[inline(never)]
fn named(slice: Slice<'_, '_>, entities: EntitySet, reason: Reason, out: &mut Candidates) {
    let long = (entities.contains(Entity::PIN) && slice.len() >= 5).then(|| {
        entities.iter().find(|e| *e == Entity::ZIP_CODE || *e == Entity::BANK_ACCOUNT_NUMBER && slice.len() >= 7)
    });
    let Some(entity) =
        long.flatten().filter(|e| out.active().contains(*e)).or_else(|| entities.and(out.active()).iter().next())
    else {
        return;
    };
    let proof = if entity == Entity::CREDIT_CARD_NUMBER || entity == Entity::CVV { Proof::Card } else { Proof::Cue };
    push(slice, entity, reason, proof, out);
}

fn push(slice: Slice<'_, '_>, entity: Entity, reason: Reason, proof: Proof, out: &mut Candidates) {
    let keeps = entity.row().mask == Mask::KeepLast4
        && (slice.len() >= 12 || slice.len() >= 8 && entity != Entity::CREDIT_CARD_NUMBER);
    let shown_from = if keeps { slice.last_four() } else { slice.end() };
    let start = if entity == Entity::PHONE_NUMBER { phone::start(slice) } else { slice.start() };
    let (end, shown_from) = match phone::extension(slice).filter(|_| entity == Entity::PHONE_NUMBER) {
        Some(end) => (end, end),
        None => (slice.end(), shown_from),
    };
    out.push(Candidate { start, end, shown_from, entity, reason, proof });
}

#[inline(never)]
fn dated(page: &Page<'_, '_>, slice: Slice<'_, '_>, taken: Taken, out: &mut Candidates) {
    let cue = announcements(page, slice.token(), slice.after(), taken).next();
    if let Some(a) = cue
        && a.set.contains(Entity::CARD_EXPIRATION_DATE)
        && out.active().contains(Entity::CARD_EXPIRATION_DATE)
    {
        push(slice, Entity::CARD_EXPIRATION_DATE, Reason::Cue, Proof::Cue, out);
        return;
    }
    let reason = match cue {
        Some(a) if a.set.contains(Entity::DOB) => Some(Reason::Cue),
        _ if page.armed.contains(Entity::DOB) => Some(Reason::EarlierCue),
        _ => None,
    };
    match reason {
        Some(reason) if out.active().contains(Entity::DOB) => push(slice, Entity::DOB, reason, Proof::Cue, out),
        _ => push(slice, Entity::DATE, Reason::Shape, Proof::Shape, out),
    }
}

/// Any run of five digits or more.
fn sequence(slice: Slice<'_, '_>, out: &mut Candidates) {
    if slice.len() >= 5 && !slice.run.masked && !date::is_numeric(slice) && !is_quantity(slice) {
        out.whole(slice.start(), slice.end(), Entity::NUMERIC_SEQUENCE, Reason::Shape, Proof::Any);
    }
}
