//! What digits are that a cue or a question names only in part: the code of a card, the end of its number, or a social security
//! number.

use super::code_format::{CODES, fits};
use super::named_entities::follows_ending;
use crate::candidate::Candidates;
use crate::cues::{Cue, is_bare_code, names_by_words};
use crate::detect::DetectorInput;
use crate::detect::digit_format::matches_format;
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::numbers::{CARD_CODE_DIGITS, SSN_DIGITS, is_number_token};

/// Digits of the longest code of a card.
const MAX_CARD_CODE_DIGITS: usize = 4;
/// Tokens after the name of a code in which its own number is.
const MAX_OWN_DISTANCE: usize = 4;

/// The entities that a cue or a question names, without those that what is asked for or a nearer word rules out.
pub(super) fn told_apart(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    named: EntitySet,
    out: &mut Candidates,
) -> EntitySet {
    let other = if named == Entity::CREDIT_CARD_NUMBER.bit() {
        instead_of_card(input, slice, out)
    } else if named.intersects(CODES) {
        instead_of_code(input, slice, named, out)
    } else {
        None
    };
    other.filter(|entity| out.active().contains(*entity)).map_or(named, Entity::bit)
}

/// What digits are beside the word for a card that are too few for its number: "what is your social" – "her card says 219099999".
fn instead_of_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> Option<Entity> {
    let is_short = (CARD_CODE_DIGITS..=MAX_CARD_CODE_DIGITS).contains(&slice.len());
    let asked = match () {
        () if slice.len() == SSN_DIGITS && matches_format(Entity::SSN, slice, true) => Entity::SSN,
        () if is_short && !follows_ending(slice) => match named_before(input, slice) {
            Some(entity) => return Some(entity),
            None => Entity::CVV,
        },
        () => return None,
    };
    asks_for(input, asked, Entity::CREDIT_CARD_NUMBER, out).then_some(asked)
}

/// The code whose name is before digits, without another number between.
fn named_before(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> Option<Entity> {
    let is_code = |cue: &&Cue| cue.entities.is_subset(CODES) && !cue.entities.is_empty() && !is_bare_code(cue);
    let cue = input.cues_near_before(slice.first_token()).iter().rev().find(is_code)?;
    let mut between = cue.end_token as usize..slice.first_token();
    let is_interrupted = between.any(|at| is_number_token(input.tokens.at(at)));
    cue.entities.iter().find(|entity| !is_interrupted && fits(*entity, slice))
}

/// What digits are that the words for a code name: the end of the number of the card that it belongs to, or the code of a card
/// that was asked for.
fn instead_of_code(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    named: EntitySet,
    out: &mut Candidates,
) -> Option<Entity> {
    let is_tail = slice.len() == 4
        && follows_ending(slice)
        && input.named_entities.contains(Entity::CREDIT_CARD_NUMBER)
        && named.is_subset(CODES);
    if is_tail {
        return Some(Entity::CREDIT_CARD_NUMBER);
    }
    let may_be_of_card = named.contains(Entity::PIN) && fits(Entity::CVV, slice) && !names_pin(input, slice);
    let is_of_card =
        may_be_of_card && (names_card_code(input, slice) || asks_for(input, Entity::CVV, Entity::PIN, out));
    is_of_card.then_some(Entity::CVV)
}

/// Whether words near digits name a PIN.
fn names_pin(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    input.cues_near(slice.first_token()).iter().any(|cue| {
        let is_pin = cue.entities.contains(Entity::PIN) && !cue.entities.contains(Entity::CVV);
        is_pin && names_by_words(input.tokens, cue)
    })
}

/// Whether words near digits name the code of a card, and not that of another number.
fn names_card_code(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let own = slice.first_token()..slice.end_token();
    let is_of_other = |cue: &Cue| {
        let after = cue.end_token as usize;
        (after..after + MAX_OWN_DISTANCE).any(|at| !own.contains(&at) && is_number_token(input.tokens.at(at)))
    };
    input.cues_near(slice.first_token()).iter().any(|cue| {
        let is_code = cue.entities.contains(Entity::CVV) && !cue.entities.contains(Entity::PIN) && !is_bare_code(cue);
        is_code && names_by_words(input.tokens, cue) && !is_of_other(cue)
    })
}

/// Whether an earlier message asks for one entity and not for the other, which records that the digits depend on it.
fn asks_for(input: &DetectorInput<'_, '_>, entity: Entity, other: Entity, out: &mut Candidates) -> bool {
    let asked = input.expected_entities;
    if asked.contains(entity) {
        out.record_answer();
    }
    let is_unnamed = entity == Entity::CVV && input.is_of_unnamed_code;
    asked.contains(entity) && !asked.contains(other) && !is_unnamed
}
