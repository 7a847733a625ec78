//! Decides which entity digits are where the words beside them name another one: the code of a card, the end of its number, or a
//! social security number.

use super::code_format::{CODES, fits, follows_ending};
use crate::candidate::Candidates;
use crate::cues::{Cue, is_bare_code, names_by_words};
use crate::detect::DetectorInput;
use crate::detect::digit_format::matches_format;
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::numbers::{CARD_CODE_DIGITS, SSN_DIGITS, is_number_token};

/// Digits of the longest code of a card, and those of the end of a card number that people say.
const MAX_CARD_CODE_DIGITS: usize = 4;
const TAIL_DIGITS: usize = 4;
/// Tokens after the name of a code among which its number is looked for.
const OWN_NUMBER_REACH: usize = 4;
/// Tokens between the name of a code and digits that a word for a card names too.
const MAX_NAME_DISTANCE: usize = 16;

/// The entities that digits can be: those that a cue or a question names or, if another question or the name of a code decides it
/// and its entity is active, that entity alone.
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

/// The entity of digits that are too few for the card number that the words beside them name: "what is your social" – "her card
/// says 219099999". It is that of a code whose name is before them, or one that an earlier message asks for.
fn instead_of_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> Option<Entity> {
    if slice.len() == SSN_DIGITS && matches_format(Entity::SSN, slice, true) {
        return depends_on_question(input, Entity::SSN, Entity::CREDIT_CARD_NUMBER, out).then_some(Entity::SSN);
    }
    if !(CARD_CODE_DIGITS..=MAX_CARD_CODE_DIGITS).contains(&slice.len()) || follows_ending(slice) {
        return None;
    }
    let is_asked = |out: &mut Candidates| depends_on_question(input, Entity::CVV, Entity::CREDIT_CARD_NUMBER, out);
    named_before(input, slice).or_else(|| is_asked(out).then_some(Entity::CVV))
}

/// The code whose name is before digits, without another number between.
fn named_before(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> Option<Entity> {
    let is_code = |cue: &&Cue| cue.entities.is_subset(CODES) && !cue.entities.is_empty() && !is_bare_code(cue);
    let cue = input.cues_near_before(slice.first_token()).iter().rev().find(is_code)?;
    let mut between = cue.end_token as usize..slice.first_token();
    if between.len() > MAX_NAME_DISTANCE || between.any(|at| is_number_token(input.tokens.at(at))) {
        return None;
    }
    cue.entities.iter().find(|entity| fits(*entity, slice))
}

/// The entity of digits that the words beside them name a code: the end of a card number, or the code of a card where the words
/// may mean a PIN, but a name or a question says the code of a card.
fn instead_of_code(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    named: EntitySet,
    out: &mut Candidates,
) -> Option<Entity> {
    let is_tail = slice.len() == TAIL_DIGITS
        && follows_ending(slice)
        && input.named_entities.contains(Entity::CREDIT_CARD_NUMBER)
        && named.is_subset(CODES);
    if is_tail {
        return Some(Entity::CREDIT_CARD_NUMBER);
    }
    let may_be_of_card = named.contains(Entity::PIN) && fits(Entity::CVV, slice) && !names_pin(input, slice);
    let is_of_card =
        may_be_of_card && (names_card_code(input, slice) || depends_on_question(input, Entity::CVV, Entity::PIN, out));
    is_of_card.then_some(Entity::CVV)
}

/// Whether words near digits name a PIN.
fn names_pin(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    input.cues_near(slice.first_token()).iter().any(|cue| {
        let is_pin = cue.entities.contains(Entity::PIN) && !cue.entities.contains(Entity::CVV);
        is_pin && names_by_words(input.tokens, cue)
    })
}

/// Whether words near digits name the code of a card, and no other number is directly after these words.
fn names_card_code(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let own = slice.first_token()..slice.end_token();
    let is_of_other = |cue: &Cue| {
        let after = cue.end_token as usize;
        let number = (after..after + OWN_NUMBER_REACH).find(|at| is_number_token(input.tokens.at(*at)));
        number.is_some_and(|number| !own.contains(&number))
    };
    input.cues_near(slice.first_token()).iter().any(|cue| {
        let is_code = cue.entities.contains(Entity::CVV) && !cue.entities.contains(Entity::PIN) && !is_bare_code(cue);
        is_code && names_by_words(input.tokens, cue) && !is_of_other(cue)
    })
}

/// Whether an earlier message asks for one entity by its name and not for the other. Records an answer if it may, because the
/// result depends on earlier messages then.
fn depends_on_question(input: &DetectorInput<'_, '_>, entity: Entity, other: Entity, out: &mut Candidates) -> bool {
    let asked = input.expected_entities;
    if asked.contains(entity) {
        out.record_answer();
    }
    // "the code" in talk without a card may be a PIN.
    let is_unnamed = entity == Entity::CVV && input.is_of_unnamed_code;
    asked.contains(entity) && !asked.contains(other) && !is_unnamed
}
