//! Keys and tokens that machines make: known prefixes, JSON web tokens, headers, cookies, PEM blocks.

mod block;
mod issued;
mod made;
mod named;
mod shape;

use crate::candidate::{Candidates, Proof};
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tokenize::narrow;
use crate::validate::crypto::wallet_address;
pub(crate) use block::{detect_blocks, detect_cookies};
use issued::issued;
use made::is_made;
use named::{header, named, parameter};
use shape::{is_key, is_web_token, telegram};

pub(crate) const WANTED: EntitySet =
    EntitySet::of(&[Entity::API_KEY, Entity::ACCESS_TOKEN, Entity::PRIVATE_KEY, Entity::CRYPTO_ADDRESS]);
/// Bytes of a key or token at least, and as many as are looked at.
const SHORTEST: usize = 16;
const LONGEST: usize = 8192;

/// What an earlier message may ask for that is told by its look.
const ASKED: EntitySet = EntitySet::of(&[Entity::API_KEY, Entity::ACCESS_TOKEN]);

/// Looks at every long piece without spaces, given what an earlier message asked for.
#[inline(never)]
pub(crate) fn detect(text: &str, armed: EntitySet, out: &mut Candidates) {
    if !out.wants(WANTED) {
        return;
    }
    let asked = armed.and(ASKED).and(out.active()).iter().next();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_piece(bytes[at]) {
            at += 1;
            continue;
        }
        let end = bytes[at..]
            .iter()
            .take(LONGEST)
            .position(|b| !is_piece(*b))
            .map_or(bytes.len().min(at + LONGEST), |n| at + n);
        if end - at >= SHORTEST {
            piece(text, at, end, asked, out);
        }
        at = end.max(at + 1);
    }
}

/// Whether each byte can be in a piece.
#[expect(clippy::cast_possible_truncation, reason = "the bytes are those of ASCII")]
static IN_PIECE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let ascii = byte as u8;
        table[byte] = ascii.is_ascii_alphanumeric() || matches!(ascii, b'_' | b'-' | b'.' | b'+' | b'/' | b'~');
        byte += 1;
    }
    table
};

fn is_piece(byte: u8) -> bool {
    IN_PIECE[usize::from(byte)]
}

/// What joins a key to what is before it and belongs to neither, as in a path.
const JOINTS: [char; 5] = ['.', '-', '/', '+', '~'];

fn piece(text: &str, start: usize, end: usize, asked: Option<Entity>, out: &mut Candidates) {
    let Some(piece) = text.get(start..end) else { return };
    let (head, value) = (&text[..start], piece.trim_end_matches(['.', '-', '/']));
    let end = start + value.len();
    if matches!(value.len(), 26..=62) && wallet_address(value.as_bytes()) {
        push(start, end, Entity::CRYPTO_ADDRESS, Reason::Checksum, out);
    }
    if is_web_token(value) {
        push(start, end, Entity::ACCESS_TOKEN, Reason::Checksum, out);
        return;
    }
    if let Some(from) = header(head) {
        push(from, padded(text, end), Entity::ACCESS_TOKEN, Reason::Cue, out);
    }
    let first = end - value.trim_start_matches(JOINTS).len();
    let key = &text[first..end];
    if let Some(length) = issued(key).or_else(|| is_key(key).then_some(key.len())) {
        push(first, padded(text, first + length), Entity::API_KEY, Reason::Shape, out);
    } else if let Some(number) = telegram(head, value) {
        push(start - number, end, Entity::API_KEY, Reason::Shape, out);
    } else if let Some(entity) = named(head, value) {
        push(start, padded(text, end), entity, Reason::Cue, out);
    } else if let Some(entity) = asked.filter(|_| is_made(value)) {
        push(start, padded(text, end), entity, Reason::EarlierCue, out);
    }
    if let Some(name) = parameter(head) {
        push(name, padded(text, end), Entity::ACCESS_TOKEN, Reason::Cue, out);
    }
}

fn push(start: usize, end: usize, entity: Entity, reason: Reason, out: &mut Candidates) {
    out.whole(narrow(start), narrow(end), entity, reason, Proof::Check);
}

/// The end with the padding of base 64.
fn padded(text: &str, end: usize) -> usize {
    end + text.as_bytes()[end..].iter().take(2).take_while(|b| **b == b'=').count()
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
