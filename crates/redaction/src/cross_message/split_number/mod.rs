//! Numbers spread over several messages: "four one one one", "uh one one one one", "one one one one one one one one" are
//! one card number once the last piece is said, and the earlier pieces must be masked too.

mod piece;

use crate::candidate::{Candidate, Candidates, Proof};
use crate::cross_message::context::{MAX_CONTEXT, Speaker, Utterance, newest};
use crate::cues::Cues;
use crate::entity::{Entity, EntitySet};
use crate::span::{EarlierSpan, Reason, Span};
use crate::tokenize::words::flag;
use crate::tokenize::{Scan, Store, Tokens};
use crate::validate;
use piece::Piece;

/// Entities that are put together.
const SPREADS: EntitySet = EntitySet::of(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN]);
/// Digits of a card number at most.
const MOST: usize = 19;
/// Digits of a card number that fails its check at most, and at least, once it is said whole.
const UNCHECKED: std::ops::RangeInclusive<usize> = 13..=16;
/// Tokens of a message between two pieces at most: "okay, go on".
const BETWEEN: usize = 8;

/// The pieces before the last one, the newest first.
struct Chain {
    /// With the place of each in the context.
    pieces: [(usize, Option<Piece>); MAX_CONTEXT],
    count: usize,
    /// What a message among or before the pieces names, and how many pieces came after it.
    named: EntitySet,
    since: usize,
}

/// What the last piece makes of the chain.
struct Whole {
    entity: Entity,
    /// Pieces of the chain that belong to it.
    pieces: usize,
    /// The last four digits may stay readable.
    complete: bool,
}

/// Whether a text may end a number of one of these entities that earlier messages begin.
pub(crate) fn may_end_in(scan: &Scan<'_>, active: EntitySet) -> bool {
    last_piece(scan, active).is_some()
}

fn last_piece(scan: &Scan<'_>, active: EntitySet) -> Option<Piece> {
    let spreads = scan.is_numeric() && active.touches(SPREADS);
    spreads.then(|| piece::read(&scan.tokens(), 0)).flatten().filter(|p| !p.masked && p.count < MOST)
}

/// Puts the pieces of a number together; hands over the piece in the text and returns those in earlier messages.
pub(crate) fn detect(scan: &Scan<'_>, context: &[Utterance<'_>], out: &mut Candidates) -> Vec<EarlierSpan> {
    let Some(last) = last_piece(scan, out.active()) else { return Vec::new() };
    let chain = Chain::before(context);
    let Some(Whole { entity, pieces, complete }) = chain.whole(&last, out.active()) else { return Vec::new() };
    let shown_from = if complete && last.count >= 4 { last.last_four } else { last.end };
    let proof = if entity == Entity::SSN { Proof::Check } else { Proof::Card };
    out.push(Candidate { start: last.start, end: last.end, shown_from, entity, reason: Reason::Spread, proof });
    let earlier = |(utterance, piece): &(usize, Option<Piece>)| {
        piece.filter(|p| !p.masked).map(|p| EarlierSpan {
            utterance: *utterance,
            span: Span {
                start: p.start as usize,
                end: p.end as usize,
                shown_from: p.end as usize,
                entity,
                reason: Reason::Spread,
            },
        })
    };
    chain.pieces[..pieces].iter().filter_map(earlier).rev().collect()
}

impl Chain {
    /// Gathers the pieces before a text, back to the first message that is neither a piece nor a short word between.
    fn before(context: &[Utterance<'_>]) -> Self {
        let mut chain = Self { pieces: [(0, None); MAX_CONTEXT], count: 0, named: EntitySet::empty(), since: 0 };
        let offset = context.len() - newest(context).len();
        for (at, utterance) in newest(context).iter().enumerate().rev() {
            if !chain.add(offset + at, utterance) {
                break;
            }
        }
        chain
    }

    /// Adds a message; false where the chain begins after it.
    fn add(&mut self, place: usize, utterance: &Utterance<'_>) -> bool {
        let mut store = Store::new();
        let scan = Scan::of(utterance.text, &mut store);
        let tokens = scan.tokens();
        let mut cues = Cues::new();
        if scan.seen.words & flag::CUE != 0 {
            cues.read_to(&tokens, tokens.len());
        }
        let cue = cues.all().last();
        if cue.is_some_and(|c| !c.set.touches(SPREADS)) || cue.is_some() && names_end(&tokens) {
            return false;
        }
        let from = cue.map_or(0, |c| c.after as usize);
        let found = if utterance.speaker == Speaker::Other { None } else { piece::read(&tokens, from) };
        if found.is_some() {
            self.pieces[self.count] = (place, found);
            self.count += 1;
        }
        if let Some(cue) = cue.filter(|_| self.named.is_empty()) {
            (self.named, self.since) = (cue.set.and(SPREADS), self.count);
        }
        found.is_some() && cue.is_none() || found.is_none() && !scan.seen.digits && tokens.len() <= BETWEEN
    }

    /// What the last piece and some of the pieces before it, the newest first, make up.
    fn whole(&self, last: &Piece, active: EntitySet) -> Option<Whole> {
        self.checked(last, active).or_else(|| self.unchecked(last, active))
    }

    /// By check digits, or by the lengths of the pieces.
    fn checked(&self, last: &Piece, active: EntitySet) -> Option<Whole> {
        let mut digits = [0; MOST];
        let mut from = MOST - last.count;
        digits[from..].copy_from_slice(&last.digits[..last.count]);
        let mut best = None;
        for (at, (_, piece)) in self.pieces[..self.count].iter().enumerate() {
            let Some(piece) = piece.filter(|p| !p.masked) else { break };
            let Some(start) = from.checked_sub(piece.count) else { break };
            digits[start..from].copy_from_slice(&piece.digits[..piece.count]);
            from = start;
            let joined = &digits[from..];
            let parted =
                last.count == 4 && at == 1 && piece.count == 3 || self.named.contains(Entity::SSN) && at < self.since;
            let whole = |entity| Some(Whole { entity, pieces: at + 1, complete: true });
            if active.contains(Entity::CREDIT_CARD_NUMBER)
                && joined.len() >= 13
                && validate::payment::card_number(joined)
            {
                best = whole(Entity::CREDIT_CARD_NUMBER);
            } else if best.is_none()
                && active.contains(Entity::SSN)
                && parted
                && joined.len() == 9
                && validate::us::ssn(joined)
            {
                best = whole(Entity::SSN);
            }
        }
        best
    }

    /// By a message that names it, or by masked pieces that leave room for this one.
    fn unchecked(&self, last: &Piece, active: EntitySet) -> Option<Whole> {
        let sum = |pieces: usize| self.pieces[..pieces].iter().filter_map(|(_, p)| p.map(|p| p.count)).sum::<usize>();
        let named = self.named.and(active);
        let earlier = sum(self.since);
        let total = earlier + last.count;
        let card = Entity::CREDIT_CARD_NUMBER;
        if named.contains(Entity::SSN) && earlier > 0 && total <= 9 {
            return Some(Whole { entity: Entity::SSN, pieces: self.since, complete: false });
        }
        if named.contains(card) && earlier > 0 && earlier < *UNCHECKED.start() && total <= *UNCHECKED.end() {
            let complete = UNCHECKED.contains(&total);
            return Some(Whole { entity: card, pieces: self.since, complete });
        }
        let masked = self.pieces[..self.count].iter().take_while(|(_, p)| p.is_some_and(|p| p.masked)).count();
        let total = sum(masked) + last.count;
        let goes_on = masked >= 2 && active.contains(card) && UNCHECKED.contains(&total);
        goes_on.then_some(Whole { entity: card, pieces: masked, complete: true })
    }
}

/// Whether a message speaks of the end of a number: its digits are no beginning.
fn names_end(tokens: &Tokens<'_>) -> bool {
    let ends = ["last", "ending", "ends", "final"];
    tokens.all().iter().any(|t| ends.iter().any(|w| tokens.str(*t).eq_ignore_ascii_case(w)))
}
