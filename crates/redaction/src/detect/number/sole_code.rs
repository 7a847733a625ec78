//! The only number of a message that names one code: "the machine asked for my security number so i keyed 574". Other
//! words may be between, since no other number of the message can be meant.

use super::code_format::{CODES, distance, fits};
use super::report::push_named;
use crate::candidate::Candidates;
use crate::cues::{self, Cue, is_bare_code};
use crate::detect::cue_scope::is_aside;
use crate::detect::{DetectorInput, flags, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::CARD_CODE_DIGITS;
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
/// Words after "and" with which a sentence turns to the next value.
const NEXT_WORDS: [&str; 6] = ["now", "then", "next", "also", "finally", "lastly"];
/// Nouns for the code of a card, in a message that speaks of a card.
const CODE_NOUNS: [&str; 8] = ["code", "digits", "codigo", "código", "codice", "chiffres", "cifre", "ziffern"];
/// Words before "code" that make it another one.
const OTHER_CODES: [&str; 12] = [
    "error", "decline", "response", "promo", "discount", "voucher", "coupon", "post", "zip", "area", "sort", "country",
];
/// Words that say that a payment failed, with a code that says why.
const FAILURES: [&str; 6] = ["error", "declined", "refused", "rejected", "failed", "fehler"];

/// Reports the only number of a message that names one code; false if the slice is none.
pub(super) fn detect(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
    let is_whole_run = slice.groups().len() == slice.run.groups().len();
    let named = named_code(input, slice);
    if !is_whole_run || named.is_none() && !is_of_card(input, slice) {
        return false;
    }
    let code = cues::sole_code(input.tokens, Some(slice.first_token()));
    let is_code = code.is_some_and(|code| code.number.digits == slice.len() && (code.is_single || named.is_some()));
    if is_code {
        push_named(input, slice, named.unwrap_or(Entity::CVV.bit()), DetectionReason::Cue, out);
    }
    is_code
}

/// The codes that a message names and a slice fits.
fn named_code(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> Option<EntitySet> {
    let fitting =
        |cue: &Cue| cue.entities.and(CODES).iter().filter(|entity| fits(*entity, slice)).collect::<EntitySet>();
    let counts = |cue: &&Cue| {
        let is_code = cue.entities.intersects(CODES);
        if is_aside(input, cue, slice.first_token()) {
            false
        } else if is_code {
            !is_bare_code(cue) && !fitting(cue).is_empty()
        } else {
            !cue.entities.is_subset(LONG_VALUES) && !describes_next(input, cue)
                || cue.entities.is_empty() && is_near_before(cue, slice)
        }
    };
    let nearest = input.cues_near(slice.first_token()).iter().filter(counts).min_by_key(|cue| distance(cue, slice))?;
    // "thanks for that 4821 and now the pin": the cue begins another sentence.
    let between = slice.end_token()..nearest.first_token as usize;
    let is_and = |at: usize| flags(input.tokens.at(at)) & flag::AND != 0;
    let begins = |at: usize| is_and(at) && is_one_of(input.tokens, input.tokens.at(at + 1), &NEXT_WORDS);
    let is_next = || between.into_iter().any(begins);
    let is_named = nearest.entities.intersects(CODES) && !nearest.needs_connector && !is_next();
    is_named.then(|| fitting(nearest))
}

/// Whether a cue ends directly before a slice or a few tokens before it.
fn is_near_before(cue: &Cue, slice: RunSlice<'_, '_>) -> bool {
    let distance = slice.first_token().checked_sub(cue.end_token as usize);
    distance.is_some_and(|distance| distance <= MAX_NEGATIVE_DISTANCE)
}

/// Whether a cue only describes the cue for a code right after it: the account of "my account pin".
fn describes_next(input: &DetectorInput<'_, '_>, cue: &Cue) -> bool {
    let next = input.cues_before(|other| other.first_token <= cue.first_token);
    input.cues().get(next).is_some_and(|next| next.first_token == cue.end_token && next.entities.intersects(CODES))
}

/// Whether three digits are the code of the card of which a message speaks: it speaks of a code too, or they are said
/// digit by digit.
fn is_of_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let tokens = input.tokens;
    // "it was declined with error code 105"
    let is_code = |at: usize| {
        let before = tokens.at(at.wrapping_sub(1));
        is_one_of(tokens, tokens.at(at), &CODE_NOUNS) && !is_one_of(tokens, before, &OTHER_CODES)
    };
    let near = || tokens.near(slice.first_token());
    let is_failed = || near().any(|at| is_one_of(tokens, tokens.at(at), &FAILURES));
    let speaks_of_code = || near().any(is_code) && !is_failed();
    let is_digit = |at: usize| flags(input.tokens.at(at)) & (flag::DIGIT | flag::OH) != 0;
    let is_dictated = || slice.all_spoken() && (slice.first_token()..slice.end_token()).all(is_digit);
    let cues = input.cues_near(slice.first_token());
    let names_other = || cues.iter().any(|cue| !cue.entities.is_subset(LONG_VALUES) && !is_bare_code(cue));
    slice.len() == CARD_CODE_DIGITS
        && !names_other()
        && cues.iter().any(|cue| cue.entities.contains(Entity::CREDIT_CARD_NUMBER))
        && (speaks_of_code() || is_dictated())
}
