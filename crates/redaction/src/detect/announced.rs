//! Which cue a value belongs to, and which values fit which entity.

use super::{Page, flags, is_tail_count, links};
use crate::check;
use crate::cue::Cue;
use crate::entity::{Entity, EntitySet};
use crate::number_run::Joint;
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, Tokens};
use crate::slice::Slice;
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

/// Whether digits fit an entity that a cue or question names.
pub(crate) fn fits(page: &Page<'_, '_>, entity: Entity, slice: Slice<'_, '_>, tight: bool) -> bool {
    let n = slice.len();
    let compact = slice.compact();
    let near = tight || n >= 7;
    match entity {
        Entity::CREDIT_CARD_NUMBER => (13..=19).contains(&n) || tight && matches!(n, 4 | 7..=12) && !is_split(slice),
        Entity::CVV => matches!(n, 3 | 4) && !is_split(slice),
        Entity::PIN => {
            (4..=6).contains(&n) && !is_split(slice) || tight && matches!(n, 7 | 8) && slice.parts().len() == 1
        }
        Entity::SSN => fits_ssn(slice, n, tight),
        Entity::PHONE_NUMBER => {
            (7..=15).contains(&n) && (tight || !is_split(slice) && !slice.raw().contains('/'))
                || n == 6 && tight && !is_split(slice)
        }
        Entity::BANK_ACCOUNT_NUMBER | Entity::ACCOUNT_NUMBER => (4..=17).contains(&n) && near,
        Entity::BANK_ROUTING_NUMBER => check::banking::aba_routing(compact),
        Entity::ZIP_CODE => {
            (n == 5 && compact != b"00000" || n == 9 && slice.grouped(&[5, 4]) || n == 6 && tight)
                && slice.raw().bytes().all(|b| b != b',')
        }
        Entity::CARD_EXPIRATION_DATE => is_expiry(compact),
        Entity::ONE_TIME_PASSCODE => (4..=8).contains(&n),
        Entity::US_EIN => n == 9,
        Entity::US_ITIN => check::us::itin(compact),
        Entity::PASSPORT_NUMBER => matches!(n, 8 | 9) && !is_split(slice),
        Entity::US_DRIVER_LICENSE => (6..=14).contains(&n) && near,
        Entity::US_NPI
        | Entity::CA_SIN
        | Entity::UK_NHS_NUMBER
        | Entity::AU_TFN
        | Entity::AU_MEDICARE
        | Entity::AU_ABN
        | Entity::IN_AADHAAR
        | Entity::EU_NATIONAL_ID
        | Entity::LATAM_NATIONAL_ID
        | Entity::ASIA_NATIONAL_ID
        | Entity::AFRICA_NATIONAL_ID
        | Entity::VAT_NUMBER => passes(page, entity, compact),
        Entity::MEDICAL_RECORD_NUMBER => (5..=12).contains(&n) && tight,
        Entity::HEALTH_PLAN_ID => (6..=15).contains(&n) && tight,
        Entity::IMEI => matches!(n, 14..=16 | 19 | 20),
        Entity::UK_SORT_CODE => check::banking::uk_sort_code(compact),
        Entity::AU_BSB => n == 6,
        Entity::ORDER_NUMBER => (4..=20).contains(&n) && tight,
        Entity::BOOKING_REFERENCE => (4..=13).contains(&n) && tight,
        Entity::POLICY_NUMBER => (3..=20).contains(&n) && tight,
        _ => false,
    }
}

/// A social security number: nine digits, or the last four; what people mistype counts where the cue is right before it.
fn fits_ssn(slice: Slice<'_, '_>, n: usize, tight: bool) -> bool {
    let plain = slice.parts().iter().skip(1).all(|p| p.mark == 0) || slice.all_spoken();
    match n {
        4 => !is_split(slice),
        9 => {
            (plain || slice.grouped(&[3, 2, 4]))
                && !matches!(slice.compact(), [b'0', b'0', b'0', ..] | [b'6', b'6', b'6', ..])
        }
        3 | 5..=8 | 10 => tight && plain && !is_split(slice),
        _ => false,
    }
}

/// Whether a comma, pause or line break lies inside digits that are written, not said.
fn is_split(slice: Slice<'_, '_>) -> bool {
    slice.loosest() >= Joint::Pause && !slice.spoken()
}

/// Month and year: "0927", "092027", "927".
fn is_expiry(compact: &[u8]) -> bool {
    let (month, year) = match compact.len() {
        3 | 5 => compact.split_at(1),
        4 | 6 => compact.split_at(2),
        _ => return false,
    };
    let month = check::number(month).unwrap_or(0);
    let year = check::number(year).unwrap_or(0) % 100;
    let century = compact.len() < 5 || compact[compact.len() - 4..].starts_with(b"20");
    (1..=12).contains(&month) && (10..=50).contains(&year) && century
}

/// Whether the check digits of one of the entity's identifiers hold.
fn passes(page: &Page<'_, '_>, entity: Entity, compact: &[u8]) -> bool {
    page.known.of_length(compact.len()).any(|(i, e)| e == entity && (i.check)(compact))
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
        |other: crate::scan::Token, gap: Gap| gap == Gap::None && other.is_value() && other.kind != token.kind;
    differs(next, next.gap) || differs(before, token.gap)
}

/// The cues of a message that ask for something: those after its last value.
pub(crate) fn asked(cues: &[Cue], after: usize) -> EntitySet {
    cues.iter().filter(|c| c.first as usize >= after).fold(EntitySet::empty(), |set, c| set.or(c.set))
}
