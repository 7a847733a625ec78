//! Which numbers can be a code, how far a cue is from one, and which are the end of a longer number.

use crate::cues::Cue;
use crate::detect::is_one_of;
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;

/// The entities that are codes of a few digits.
pub(super) const CODES: EntitySet = EntitySet::from_slice(&[Entity::PIN, Entity::CVV]);

/// Entities of which a message with the code of a card also speaks.
pub(super) const CARD_TALK: EntitySet =
    EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CARD_EXPIRATION_DATE]);

/// Whether a number is as long as a code of this entity.
pub(super) fn fits(entity: Entity, slice: RunSlice<'_, '_>) -> bool {
    match entity {
        Entity::CVV => matches!(slice.len(), 3 | 4) || is_repeated(slice),
        Entity::PIN => slice.len() >= 4,
        _ => false,
    }
}

/// Whether digits are said twice: "nine six one nine six one".
fn is_repeated(slice: RunSlice<'_, '_>) -> bool {
    let half = slice.len() / 2;
    slice.all_spoken() && (3..=4).contains(&half) && slice.compact().get(..half) == slice.compact().get(half..)
}

/// Tokens between a cue and a slice.
pub(super) fn distance(cue: &Cue, slice: RunSlice<'_, '_>) -> usize {
    let (first, end) = (cue.first_token as usize, cue.end_token as usize);
    if end <= slice.first_token() { slice.first_token() - end } else { first.saturating_sub(slice.end_token()) }
}

/// Verbs for how a number ends.
pub(super) const ENDING_VERBS: [&str; 6] = ["ends", "ending", "end", "ended", "finishes", "finishing"];

/// Whether words before digits say that a number ends in them: "ends in", "ending".
pub(super) fn follows_ending(slice: RunSlice<'_, '_>) -> bool {
    let first = slice.first_token();
    (first.saturating_sub(2)..first).any(|at| is_one_of(slice.tokens, slice.tokens.at(at), &ENDING_VERBS))
}
