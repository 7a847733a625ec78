//! Card numbers anywhere in a number run.

use super::card_data;
use super::classify::{MIN_CARD_DIGITS, Progress, classify_or_split};
use super::other_identifier::is_other_identifier;
use crate::candidate::Candidates;
use crate::detect::cue_link::{CueLink, LastValue, cue_links};
use crate::detect::{DetectorInput, card, track};
use crate::entity::Entity;
use crate::numbers::Separator;
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;

/// Digits of the longest card number.
const MAX_CARD_DIGITS: usize = 19;

/// Finds cards anywhere in the slice and classifies the rest.
pub(super) fn split_at_cards(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    last: &mut Progress,
    out: &mut Candidates,
) {
    if slice.run.is_oversized {
        return;
    }
    let inner_card = card::find(slice).filter(|found| {
        !is_cued_as_whole(input, slice, *found, last.value)
            && !is_other_identifier(input, slice, slice.subslice(found.0, found.1), last.value)
    });
    let inner_card = inner_card.map(|(from, to)| (from, hyphenated_end(slice, from, to)));
    let Some((from, to)) = inner_card else {
        if track::is_track_number(slice) {
            card::push(slice, DetectionReason::Shape, out);
            card_data::detect(input, slice, out);
        } else if let Some(end) = leading_card(input, slice, last.value) {
            let end = hyphenated_end(slice, slice.first_group, end);
            let card = slice.subslice(slice.first_group, end);
            card::push(card, DetectionReason::Cue, out);
            card_data::detect(input, card, out);
            last.value.record(input.tokens, card.first_token(), card.end_token());
            last.card.record_card(card.end_token());
            split_at_cards(input, slice.subslice(end, slice.end_group), last, out);
        } else {
            classify_or_split(input, slice, last, out);
        }
        return;
    };
    classify_or_split(input, slice.subslice(slice.first_group, from), last, out);
    card::push(slice.subslice(from, to), DetectionReason::Checksum, out);
    card_data::detect(input, slice.subslice(from, to), out);
    last.value.record(input.tokens, slice.subslice(from, to).first_token(), slice.subslice(from, to).end_token());
    last.card.record_card(slice.subslice(from, to).end_token());
    if to < slice.end_group {
        split_at_cards(input, slice.subslice(to, slice.end_group), last, out);
    }
}

/// The end of the groups that hyphens join to a card number between hyphens: a group was typed twice or misread.
fn hyphenated_end(slice: RunSlice<'_, '_>, from: usize, to: usize) -> usize {
    let card = slice.subslice(from, to);
    let follows = |at: usize| {
        let group = slice.run.groups().get(at).filter(|_| at < slice.end_group);
        group.is_some_and(|group| group.mark == b'-' && group.separator <= Separator::Punctuation)
    };
    let end = (to..slice.end_group).find(|at| !follows(*at)).unwrap_or(slice.end_group);
    let is_one_number = card.is_joined_by(b'-') && slice.subslice(from, end).len() <= MAX_CARD_DIGITS;
    if is_one_number { end } else { to }
}

/// The end of the groups at the start of a longer slice that are grouped as a card number, if a cue names one directly.
fn leading_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue) -> Option<usize> {
    const GROUPINGS: [&[u8]; 4] = [&[4, 4, 4, 4], &[4, 6, 5], &[16], &[15]];
    let end = GROUPINGS.iter().find_map(|lengths| {
        let end = slice.first_group + lengths.len();
        let is_longer = end < slice.end_group;
        (is_longer && slice.subslice(slice.first_group, end).has_group_lengths(lengths)).then_some(end)
    })?;
    let card = slice.subslice(slice.first_group, end);
    names_card(input, card, last).then_some(end)
}

/// Whether a cue or an earlier message names a slice as a card number.
fn names_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue) -> bool {
    let is_card = |link: CueLink| link.direct && link.entities.contains(Entity::CREDIT_CARD_NUMBER);
    input.expected_entities.contains(Entity::CREDIT_CARD_NUMBER)
        || cue_links(input, slice.first_token(), slice.end_token(), last).next().is_some_and(is_card)
}

/// Whether a cue for a card directly names a whole slice, of which only a part passes the check of a card number. The
/// number was then misread.
fn is_cued_as_whole(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    found: (usize, usize),
    last: LastValue,
) -> bool {
    const CARD_LENGTHS: std::ops::RangeInclusive<usize> = 14..=16;
    const LONGEST_CARD: usize = 19;
    let is_part = found != (slice.first_group, slice.end_group);
    let is_short = slice.subslice(found.0, found.1).len() <= MIN_CARD_DIGITS && slice.len() <= LONGEST_CARD;
    is_part && (CARD_LENGTHS.contains(&slice.len()) || is_short) && names_card(input, slice, last)
}
