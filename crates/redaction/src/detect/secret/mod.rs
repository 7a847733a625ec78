//! Machine-made keys and tokens: known prefixes, JSON web tokens, headers, cookies, PEM blocks.

mod block;
mod char_boundary;
mod key_prefix;
mod randomness;
mod secret_name;
mod shape;

use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::saturating_u32;
use crate::validate::crypto::wallet_address;
pub(crate) use block::{detect_blocks, detect_cookies, key_blocks};
pub(crate) use key_prefix::prefixed_key_length;
use randomness::looks_random;
use secret_name::{entity_by_name, header_start, parameter_start};
use shape::{is_key, is_web_token, telegram_prefix_length};

pub(crate) const ENTITIES: EntitySet =
    EntitySet::from_slice(&[Entity::API_KEY, Entity::ACCESS_TOKEN, Entity::PRIVATE_KEY, Entity::CRYPTO_ADDRESS]);
/// Minimum bytes of a key or token, and maximum bytes of a segment.
const MIN_LENGTH: usize = 16;
const MAX_LENGTH: usize = 8192;

/// The entities that a random value can be if an earlier message asks for them.
const ANSWER_ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::API_KEY, Entity::ACCESS_TOKEN]);

/// Looks at every long segment, which is a run of letters, digits and marks of keys, without spaces.
/// `expected_entities` are those that an earlier message asks for.
#[inline(never)]
pub(crate) fn detect(text: &str, expected_entities: EntitySet, out: &mut Candidates) {
    if !out.is_any_active(ENTITIES) {
        return;
    }
    let expected = expected_entities.and(ANSWER_ENTITIES).and(out.active()).iter().next();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_segment_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let end = bytes[at..]
            .iter()
            .take(MAX_LENGTH)
            .position(|b| !is_segment_byte(*b))
            .map_or(bytes.len().min(at + MAX_LENGTH), |n| at + n);
        if end - at >= MIN_LENGTH {
            detect_in_segment(text, at, end, expected, out);
        }
        at = end.max(at + 1);
    }
}

/// Whether each byte can be in a segment.
#[expect(clippy::cast_possible_truncation, reason = "the bytes are ASCII")]
static IS_SEGMENT_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let ascii = byte as u8;
        table[byte] = ascii.is_ascii_alphanumeric() || matches!(ascii, b'_' | b'-' | b'.' | b'+' | b'/' | b'~');
        byte += 1;
    }
    table
};

fn is_segment_byte(byte: u8) -> bool {
    IS_SEGMENT_BYTE[usize::from(byte)]
}

/// Marks between a key and the text before it, as in a path. They are not part of the key.
const KEY_SEPARATORS: [char; 5] = ['.', '-', '/', '+', '~'];

fn detect_in_segment(text: &str, start: usize, end: usize, expected: Option<Entity>, out: &mut Candidates) {
    let Some(segment) = text.get(start..end) else { return };
    let (head, value) = (&text[..start], segment.trim_end_matches(['.', '-', '/']));
    let end = start + value.len();
    if matches!(value.len(), 26..=62) && wallet_address(value.as_bytes()) {
        push(start, end, Entity::CRYPTO_ADDRESS, DetectionReason::Checksum, out);
    }
    if is_web_token(value) {
        push(start, end, Entity::ACCESS_TOKEN, DetectionReason::Checksum, out);
        return;
    }
    if let Some(from) = header_start(head) {
        push(from, padded_end(text, end), Entity::ACCESS_TOKEN, DetectionReason::Cue, out);
    }
    let first = end - value.trim_start_matches(KEY_SEPARATORS).len();
    let key = &text[first..end];
    if let Some(length) = prefixed_key_length(key).or_else(|| is_key(key).then_some(key.len())) {
        push(first, padded_end(text, first + length), Entity::API_KEY, DetectionReason::Shape, out);
    } else if let Some(number) = telegram_prefix_length(head, value) {
        push(start - number, end, Entity::API_KEY, DetectionReason::Shape, out);
    } else if let Some(entity) = entity_by_name(head, value) {
        push(start, padded_end(text, end), entity, DetectionReason::Cue, out);
    } else if let Some(entity) = expected.filter(|_| looks_random(value)) {
        push(start, padded_end(text, end), entity, DetectionReason::EarlierCue, out);
    }
    if let Some(name) = parameter_start(head) {
        push(name, padded_end(text, end), Entity::ACCESS_TOKEN, DetectionReason::Cue, out);
    }
}

fn push(start: usize, end: usize, entity: Entity, reason: DetectionReason, out: &mut Candidates) {
    out.push_fully_masked(saturating_u32(start), saturating_u32(end), entity, reason, EvidenceRank::Checksum);
}

/// The end with the base64 padding.
fn padded_end(text: &str, end: usize) -> usize {
    end + text.as_bytes()[end..].iter().take(2).take_while(|b| **b == b'=').count()
}
