//! The last four digits of a social security number in a message that says so in other words: "is 4821 the end of your
//! social", "i only remember the last four they're 4821".

use super::code_format::ENDING_VERBS;
use super::report::push_named;
use crate::candidate::Candidates;
use crate::cues::{self, LAST_FOUR};
use crate::detect::{DetectorInput, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tokenize::TokenKind;

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
    if slice.len() != DIGITS
        || !input.cues_near(slice.first_token()).iter().any(|cue| cue.entities.contains(Entity::SSN))
    {
        return false;
    }
    let is_whole_run = slice.groups().len() == slice.run.groups().len();
    let is_single = || cues::sole_code(input.tokens, Some(slice.first_token())).is_some_and(|code| code.is_single);
    let is_listed = || follows_ending(input, slice) || is_contrasted(input, slice);
    let is_tail = is_whole_run
        && (follows_last_four(input, slice) || is_end_of_ssn(input, slice))
        && (is_single() || is_listed());
    if is_tail {
        push_named(input, slice, Entity::SSN.bit(), DetectionReason::Cue, out);
    }
    is_tail
}

/// Whether a slice is what a number is said to end in: "it should end in 4821".
fn follows_ending(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let verb = slice.first_token().checked_sub(2);
    let is_year = matches!(slice.compact(), [b'1', b'9', _, _] | [b'2', b'0', _, _]);
    !is_year
        && is_one_of(input.tokens, slice.token_before(), &["in", "with", "on"])
        && verb.is_some_and(|verb| is_one_of(input.tokens, input.tokens.at(verb), &ENDING_VERBS))
}

/// Whether a slice is the wrong end beside the right one: "it should end in 4821 and they have 7730".
fn is_contrasted(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const BEFORE: [&str; 13] =
        ["have", "has", "had", "not", "shows", "says", "got", "is", "was", "of", "than", "but", "as"];
    let next = input.tokens.at(slice.end_token());
    let ends = next.kind == TokenKind::Edge || next.kind == TokenKind::Mark;
    ends && is_one_of(input.tokens, slice.token_before(), &BEFORE)
}

/// Whether "last four" is near before a slice.
fn follows_last_four(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    input.cues_near_before(slice.first_token()).iter().any(|cue| {
        let distance = slice.first_token().checked_sub(cue.end_token as usize);
        cue.entities == LAST_FOUR && distance.is_some_and(|distance| distance <= MAX_AFTER_CUE)
    })
}

/// Whether a message names the social security number alone and speaks of an end, or hides the digits before.
fn is_end_of_ssn(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let (tokens, first) = (input.tokens, slice.first_token());
    let cues = input.cues_near(first);
    let names_ssn = cues.iter().any(|cue| cue.entities.contains(Entity::SSN) && !cue.needs_connector);
    let names_other = || cues.iter().any(|cue| !cue.entities.is_subset(BESIDE) && cue.entities != LAST_FOUR);
    let says_end = || tokens.near(first).any(|at| is_one_of(tokens, tokens.at(at), &ENDINGS));
    // "SSN on file ***-**-4821"
    let is_hidden = || {
        let hidden = first.checked_sub(2).map_or("", |at| tokens.str(tokens.at(at)));
        slice.token_before().is_mark(b'-')
            && !hidden.is_empty()
            && hidden.bytes().all(|b| b.eq_ignore_ascii_case(&b'x'))
    };
    names_ssn && (is_hidden() || says_end() && !names_other())
}
