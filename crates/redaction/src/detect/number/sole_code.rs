//! The only number of a message that names one code: "the machine asked for my security number so i keyed 574". Other
//! words may be between, since no other number of the message can be meant.

use super::report::push_named;
use super::short_code::{CODES, distance, fits};
use crate::candidate::Candidates;
use crate::cues::{self, Cue, is_bare_code};
use crate::detect::{DetectorInput, flags};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;

/// Entities whose values are never as short as a code.
const LONG_VALUES: EntitySet = EntitySet::from_slice(&[
    Entity::CREDIT_CARD_NUMBER,
    Entity::CARD_EXPIRATION_DATE,
    Entity::PHONE_NUMBER,
    Entity::PERSON_NAME,
    Entity::EMAIL,
    Entity::DOB,
    Entity::AGE,
]);
/// Tokens between a number and a cue that says that it is no value.
const MAX_NEGATIVE_DISTANCE: usize = 3;
/// Digits of the code of most cards.
const CARD_CODE_DIGITS: usize = 3;

/// Reports the only number of a message that names one code; false if the slice is none.
pub(super) fn detect(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
    let is_whole_run = slice.groups().len() == slice.run.groups().len();
    let named = named_code(input, slice);
    if !is_whole_run || named.is_none() && !is_of_card(input, slice) {
        return false;
    }
    let code = cues::sole_code(input.tokens, Some(slice.first_token()));
    let is_code = code.is_some_and(|code| code.digits == slice.len() && (code.is_single || named.is_some()));
    if is_code {
        push_named(slice, named.unwrap_or(Entity::CVV.bit()), DetectionReason::Cue, out);
    }
    is_code
}

/// The codes that a message names and a slice fits.
fn named_code(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> Option<EntitySet> {
    let fitting =
        |cue: &Cue| cue.entities.and(CODES).iter().filter(|entity| fits(*entity, slice)).collect::<EntitySet>();
    let counts = |cue: &&Cue| {
        let is_code = cue.entities.intersects(CODES);
        if is_code {
            !is_bare_code(cue) && !fitting(cue).is_empty()
        } else {
            !cue.entities.is_subset(LONG_VALUES)
                || cue.entities.is_empty() && distance(cue, slice) <= MAX_NEGATIVE_DISTANCE
        }
    };
    let nearest = input.cues().iter().filter(counts).min_by_key(|cue| distance(cue, slice))?;
    // "thanks for that 4821 and now the pin": the cue begins another sentence.
    let between = slice.end_token()..nearest.first_token as usize;
    let is_next = || between.into_iter().any(|at| flags(input.tokens.at(at)) & flag::AND != 0);
    let is_named = nearest.entities.intersects(CODES) && !nearest.needs_connector && !is_next();
    is_named.then(|| fitting(nearest))
}

/// Whether three digits are the code of the card of which a message speaks: it speaks of a code too, or they are said
/// digit by digit.
fn is_of_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let speaks_of_code = || input.cues().iter().any(is_bare_code);
    let is_digit = |at: usize| flags(input.tokens.at(at)) & (flag::DIGIT | flag::OH) != 0;
    let is_dictated = || slice.all_spoken() && (slice.first_token()..slice.end_token()).all(is_digit);
    let names_other = || input.cues().iter().any(|cue| !cue.entities.is_subset(LONG_VALUES) && !is_bare_code(cue));
    slice.len() == CARD_CODE_DIGITS
        && !names_other()
        && input.cues().iter().any(|cue| cue.entities.contains(Entity::CREDIT_CARD_NUMBER))
        && (speaks_of_code() || is_dictated())
}
