//! The last four digits of a social security number in a message that says so in other words: "is 4821 the end of your
//! social", "i only remember the last four they're 4821".

use super::report::push_named;
use crate::candidate::Candidates;
use crate::cues::{self, LAST_FOUR};
use crate::detect::{DetectorInput, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;

const DIGITS: usize = 4;
/// Maximum tokens between "last four" and the digits.
const MAX_AFTER_CUE: usize = 6;
/// Words for the end of a number.
const ENDINGS: [&str; 18] = [
    "end",
    "ends",
    "ending",
    "last",
    "tail",
    "finishes",
    "finishing",
    "final",
    "acaba",
    "termina",
    "terminan",
    "ultimos",
    "finit",
    "derniers",
    "endet",
    "letzten",
    "ultimi",
    "finisce",
];
/// Entities of which a message about a social security number also speaks.
const BESIDE: EntitySet = EntitySet::from_slice(&[
    Entity::SSN,
    Entity::PERSON_NAME,
    Entity::DOB,
    Entity::EMAIL,
    Entity::US_EIN,
    Entity::US_ITIN,
    Entity::EU_NATIONAL_ID,
    Entity::VAT_NUMBER,
]);

/// Reports four digits that are the only ones of a message about the end of a social security number; false if the slice
/// is none.
pub(super) fn detect(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
    if slice.len() != DIGITS || !input.cues().iter().any(|cue| cue.entities.contains(Entity::SSN)) {
        return false;
    }
    let is_whole_run = slice.groups().len() == slice.run.groups().len();
    let is_single = || cues::sole_code(input.tokens, Some(slice.first_token())).is_some_and(|code| code.is_single);
    let is_tail = is_whole_run && (follows_last_four(input, slice) || is_end_of_ssn(input, slice)) && is_single();
    if is_tail {
        push_named(slice, Entity::SSN.bit(), DetectionReason::Cue, out);
    }
    is_tail
}

/// Whether "last four" is near before a slice.
fn follows_last_four(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    input.cues().iter().any(|cue| {
        let distance = slice.first_token().checked_sub(cue.end_token as usize);
        cue.entities == LAST_FOUR && distance.is_some_and(|distance| distance <= MAX_AFTER_CUE)
    })
}

/// Whether a message names the social security number alone and speaks of an end, or hides the digits before.
fn is_end_of_ssn(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let (tokens, first) = (input.tokens, slice.first_token());
    let names_ssn = input.cues().iter().any(|cue| cue.entities.contains(Entity::SSN) && !cue.needs_connector);
    let names_other = || input.cues().iter().any(|cue| !cue.entities.is_subset(BESIDE) && cue.entities != LAST_FOUR);
    let says_end = || tokens.as_slice().iter().any(|token| is_one_of(tokens, *token, &ENDINGS));
    // "SSN on file ***-**-4821"
    let is_hidden = || {
        let hidden = first.checked_sub(2).map_or("", |at| tokens.str(tokens.at(at)));
        slice.token_before().is_mark(b'-')
            && !hidden.is_empty()
            && hidden.bytes().all(|b| b.eq_ignore_ascii_case(&b'x'))
    };
    names_ssn && (is_hidden() || says_end() && !names_other())
}
