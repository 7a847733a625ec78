//! Licence plates beside the word for a vehicle: "my van, AB 123 CD, is blocked in".

use std::ops::Range;

use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::{DetectorInput, flags, is_one_of};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::plates::{PLATES, VEHICLES};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum groups of letters or digits of a plate.
const MAX_GROUPS: usize = 4;
/// Letters and digits of the shortest plate.
const MIN_LENGTH: usize = 5;
/// Tokens before and after a plate in which the word for the vehicle or the plate stands.
const REACH: usize = 8;

/// Capitals beside the digits of a vehicle that are no part of its plate: units, makes, and names of other numbers.
const NOT_PLATES: [&str; 41] = [
    "am", "pm", "hp", "ps", "kw", "cv", "ch", "kg", "km", "cc", "nm", "kmh", "mph", "mpg", "rpm", "psi", "eur", "usd",
    "gbp", "chf", "aud", "bmw", "vw", "kia", "mg", "gmc", "ram", "id", "nr", "no", "ref", "pin", "ssn", "nin", "cpf",
    "tel", "zip", "plz", "vin", "otp", "dni",
];

/// Looks at each group of letters or digits near the word for a vehicle.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(Entity::LICENSE_PLATE.bit()) {
        return;
    }
    let tokens = input.tokens;
    let numbers = tokens.digit_range();
    let mut from = numbers.start.saturating_sub(2 * MAX_GROUPS);
    while from < numbers.end {
        let Some(after) =
            plate_end(tokens, from).filter(|after| is_of_vehicle(tokens, from..*after, REACH, &[VEHICLES]))
        else {
            from += 1;
            continue;
        };
        out.push_fully_masked(
            tokens.at(from).start,
            tokens.before(after).end,
            Entity::LICENSE_PLATE,
            DetectionReason::Cue,
            EvidenceRank::Cue,
        );
        from = after;
    }
}

/// The token after the longest plate that begins at a token.
fn plate_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    if !is_group(tokens.at(first)) || tokens.at(first).gap == Gap::None && is_joined(tokens.before(first)) {
        return None;
    }
    let (mut groups, mut length, mut longest) = ([0_i8; MAX_GROUPS], 0, None);
    let mut at = first;
    for count in 0..MAX_GROUPS {
        let token = tokens.at(at);
        if !is_group(token) || token.gap > Gap::Space && at > first || !is_plate_group(tokens, at) {
            break;
        }
        length += token.byte_len();
        let size = i8::try_from(token.byte_len()).unwrap_or(i8::MAX);
        groups[count] = if token.kind == TokenKind::Digits { -size } else { size };
        let ends = !continues(tokens, at + 1);
        if ends && length >= MIN_LENGTH && PLATES.contains(&&groups[..=count]) {
            longest = Some(at + 1);
        }
        at += if is_joined_hyphen(tokens, at + 1) { 2 } else { 1 };
    }
    longest
}

fn is_group(token: Token) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Digits)
}

/// Whether a token that touches a group belongs to the same code.
fn is_joined(token: Token) -> bool {
    token.is_alphanumeric() || matches!(token.kind, TokenKind::Mask)
}

/// Whether the code goes on at a token: more letters or digits, or digits after a space, a dot or a comma.
fn continues(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let is_mark = [b'.', b',', b'/'].iter().any(|mark| token.is_mark(*mark));
    token.gap == Gap::None && (is_joined(token) || is_joined_hyphen(tokens, at))
        || token.kind == TokenKind::Digits && token.gap == Gap::Space
        || is_mark && token.gap == Gap::None && next.gap == Gap::None && next.is_alphanumeric()
}

/// Whether a hyphen joins two groups.
fn is_joined_hyphen(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.at(at).is_mark(b'-') && tokens.at(at).gap == Gap::None && tokens.at(at + 1).gap == Gap::None
}

/// Whether a group is digits or letters that are no word of a sentence: capitals, or small letters that touch digits.
fn is_plate_group(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    if token.kind == TokenKind::Digits {
        return true;
    }
    let follows_digits = token.gap == Gap::None && tokens.before(at).kind == TokenKind::Digits;
    let next = tokens.at(at + 1);
    let precedes_digits = next.gap == Gap::None && next.kind == TokenKind::Digits;
    let is_capitals = || tokens.str(token).bytes().all(|byte| byte.is_ascii_uppercase());
    (follows_digits || precedes_digits || is_capitals())
        && flags(token) & (flag::UNIT | flag::MONTH) == 0
        && !is_one_of(tokens, token, &NOT_PLATES)
}

/// Whether one of the words for a vehicle or a plate stands in the same sentence, at most `reach` tokens before or after a
/// plate.
pub(crate) fn is_of_vehicle(tokens: &Tokens<'_>, plate: Range<usize>, reach: usize, words: &[&[&str]]) -> bool {
    let (first, after) = (plate.start, plate.end);
    let ends_sentence = |at: usize| {
        [b'.', b'?', b'!', b';'].iter().any(|mark| tokens.at(at).is_mark(*mark)) && tokens.at(at + 1).gap != Gap::None
    };
    let begins_part = |at: usize| tokens.at(at).gap >= Gap::Paragraph;
    let is_vehicle = |at: usize| words.iter().any(|words| is_one_of(tokens, tokens.at(at), words));
    let mut before =
        (first.saturating_sub(reach)..first).rev().take_while(|at| !ends_sentence(*at) && !begins_part(at + 1));
    let mut behind = (after..after + reach).take_while(|at| !ends_sentence(*at) && !begins_part(*at));
    before.any(is_vehicle) || behind.any(is_vehicle)
}

/// Whether tokens are the groups of a licence plate, ignoring marks between them.
pub(super) fn has_plate_groups(tokens: &[Token]) -> bool {
    let groups = || {
        tokens.iter().filter(|t| t.is_alphanumeric()).map(|t| {
            if t.kind == TokenKind::Digits {
                -i64::from(t.digit_count())
            } else {
                i64::try_from(t.byte_len()).unwrap_or(0)
            }
        })
    };
    PLATES.iter().any(|plate| groups().eq(plate.iter().map(|n| i64::from(*n))))
}
