//! E-mail addresses typed letter by letter: "j-o-@-m-a-i-l-.-c-o-m", "J O @ M A I L . C O M".

use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tokenize::saturating_u32;

/// Maximum symbols on either side of the "at".
const MAX_SYMBOLS: usize = 64;
/// Symbols of the shortest local part and of the shortest host: "t.co".
const MIN_LOCAL: usize = 2;
const MIN_HOST: usize = 4;

/// Looks around every "@" with the same separator on both sides.
pub(crate) fn detect(text: &str, out: &mut Candidates) {
    if !out.is_any_active(Entity::EMAIL.bit()) {
        return;
    }
    let bytes = text.as_bytes();
    for at in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'@').map(|(at, _)| at) {
        let Some(separator) = separator(bytes, at) else { continue };
        let (start, end) = (start(bytes, at, separator), end(bytes, at, separator));
        let host = end.saturating_sub(at + 1).div_ceil(2);
        if (at - start) / 2 < MIN_LOCAL || host < MIN_HOST || !has_top_level(&bytes[at..end]) {
            continue;
        }
        out.push(Candidate {
            start: saturating_u32(start),
            end: saturating_u32(end),
            visible_from: saturating_u32(at),
            entity: Entity::EMAIL,
            reason: DetectionReason::Shape,
            evidence: EvidenceRank::Checksum,
        });
    }
}

/// The separator on both sides of the "at".
fn separator(bytes: &[u8], at: usize) -> Option<u8> {
    let before = *bytes.get(at.checked_sub(1)?)?;
    let after = *bytes.get(at + 1)?;
    (before == after && matches!(before, b'-' | b' ' | b'.' | b',')).then_some(before)
}

fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+')
}

/// The first byte of the symbols before the "at".
fn start(bytes: &[u8], at: usize, separator: u8) -> usize {
    let mut start = at;
    while at - start < 2 * MAX_SYMBOLS {
        let Some(symbol) = start.checked_sub(2) else { break };
        let is_single = symbol == 0 || !bytes[symbol - 1].is_ascii_alphanumeric();
        if bytes[symbol + 1] != separator || !is_symbol(bytes[symbol]) || !is_single {
            break;
        }
        start = symbol;
    }
    start
}

/// The byte after the symbols behind the "at".
fn end(bytes: &[u8], at: usize, separator: u8) -> usize {
    let mut end = at + 1;
    while end - at < 2 * MAX_SYMBOLS && bytes.get(end) == Some(&separator) {
        let is_single = !bytes.get(end + 2).is_some_and(u8::is_ascii_alphanumeric);
        if !bytes.get(end + 1).is_some_and(|symbol| is_symbol(*symbol)) || !is_single {
            break;
        }
        end += 2;
    }
    end
}

/// Whether the symbols behind the "at" end in a dot and two letters or more.
fn has_top_level(host: &[u8]) -> bool {
    let symbols = || host.iter().skip(2).step_by(2);
    let letters = symbols().rev().take_while(|symbol| symbol.is_ascii_alphabetic()).count();
    letters >= 2 && symbols().rev().nth(letters) == Some(&b'.')
}
