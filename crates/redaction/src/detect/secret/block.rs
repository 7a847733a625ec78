//! Secrets that span several segments: PEM blocks and cookie headers.

use super::char_boundary::ceil_char_boundary;
use super::push;
use crate::candidate::Candidates;
use crate::entity::Entity;
use crate::span::DetectionReason;
use std::ops::Range;

/// Reports PEM blocks (RFC 7468) of private keys.
#[inline(never)]
pub(crate) fn detect_blocks(text: &str, out: &mut Candidates) {
    for Range { start, end } in key_blocks(text) {
        push(start, end, Entity::PRIVATE_KEY, DetectionReason::Shape, out);
    }
}

/// The PEM blocks of private keys in a text. A block without an end runs to the end of the text.
pub(crate) fn key_blocks(text: &str) -> Vec<Range<usize>> {
    let (mut blocks, mut from) = (Vec::new(), 0);
    while let Some(begin) = text[from..].find("-----BEGIN ").map(|n| from + n) {
        let label = &text[begin + 11..text.len().min(ceil_char_boundary(text, (begin + 11 + 40).min(text.len())))];
        let Some(closed) = label.find("PRIVATE KEY") else {
            from = begin + 11;
            continue;
        };
        let inside = begin + 11 + closed;
        let end = text[inside..].find("-----END ").map_or(text.len(), |n| {
            let rest = &text[inside + n + 9..];
            inside + n + 9 + rest.find("-----").filter(|at| *at < 40).map_or(0, |at| at + 5)
        });
        blocks.push(begin..end);
        from = end.max(begin + 11);
    }
    blocks
}

/// Reports cookie headers, up to the end of their line.
#[inline(never)]
pub(crate) fn detect_cookies(text: &str, out: &mut Candidates) {
    let mut from = 0;
    while let Some(begin) = text[from..].find("ookie: ").map(|n| from + n) {
        let start = begin.saturating_sub(1);
        let line = &text[begin..];
        let end = begin + line.find(['\n', '"']).unwrap_or(line.len());
        if text.is_char_boundary(start) && text[start..].starts_with(['C', 'c']) && has_setting(&text[begin..end]) {
            let start = if text[..start].ends_with("Set-") { start - 4 } else { start };
            push(start, end, Entity::ACCESS_TOKEN, DetectionReason::Shape, out);
        }
        from = end.max(begin + 7);
    }
}

/// Whether a name and a value are joined by an equals sign.
fn has_setting(header: &str) -> bool {
    let is_joined =
        |three: &[u8]| matches!(three, [a, b'=', c] if !a.is_ascii_whitespace() && !c.is_ascii_whitespace());
    header.as_bytes().windows(3).any(is_joined)
}
