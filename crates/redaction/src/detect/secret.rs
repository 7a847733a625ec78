//! Keys and tokens that machines make: known prefixes, JSON web tokens, headers, cookies, PEM blocks.

use crate::candidate::{Candidates, Proof};
use crate::check::crypto::wallet_address;
use crate::entity::{Entity, EntitySet};
use crate::scan::{Tokens, narrow};
use crate::span::Reason;

pub(crate) const WANTED: EntitySet =
    EntitySet::of(&[Entity::API_KEY, Entity::ACCESS_TOKEN, Entity::PRIVATE_KEY, Entity::CRYPTO_ADDRESS]);
/// Bytes of a key or token at least, and as many as are looked at.
const SHORTEST: usize = 16;
const LONGEST: usize = 8192;

/// A prefix that a provider gives its keys, and how many characters follow at least and at most.
struct Issued(&'static str, usize, usize);

const ISSUED: &[Issued] = &[
    Issued("AKIA", 16, 16),
    Issued("ASIA", 16, 16),
    Issued("ghp_", 36, 39),
    Issued("gho_", 36, 39),
    Issued("ghu_", 36, 39),
    Issued("ghs_", 36, 39),
    Issued("ghr_", 36, 80),
    Issued("github_pat_", 40, 100),
    Issued("sk_live_", 16, 250),
    Issued("sk_test_", 16, 250),
    Issued("rk_live_", 16, 250),
    Issued("rk_test_", 16, 250),
    Issued("pk_live_", 16, 250),
    Issued("whsec_", 24, 100),
    Issued("sk-proj-", 20, 250),
    Issued("sk-ant-", 20, 250),
    Issued("sk-", 32, 250),
    Issued("xoxb-", 20, 250),
    Issued("xoxp-", 20, 250),
    Issued("xoxa-", 20, 250),
    Issued("xoxr-", 20, 250),
    Issued("xoxs-", 20, 250),
    Issued("xapp-", 20, 250),
    Issued("AIza", 35, 35),
    Issued("glpat-", 20, 60),
    Issued("npm_", 36, 36),
    Issued("hf_", 30, 60),
    Issued("shpat_", 32, 32),
    Issued("dop_v1_", 64, 64),
    Issued("pypi-", 50, 250),
    Issued("EAACEdEose0cBA", 20, 250),
    Issued("ya29.", 20, 250),
];

/// Looks at every long piece without spaces.
#[inline(never)]
pub(crate) fn detect(tokens: &Tokens<'_>, out: &mut Candidates) {
    if !out.wants(WANTED) {
        return;
    }
    let bytes = tokens.text.as_bytes();
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
            piece(tokens.text, at, end, out);
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

fn piece(text: &str, start: usize, end: usize, out: &mut Candidates) {
    let Some(piece) = text.get(start..end) else { return };
    let trimmed = piece.trim_end_matches(['.', '-', '/']);
    let end = start + trimmed.len();
    if matches!(trimmed.len(), 26..=62) && wallet_address(trimmed.as_bytes()) {
        push(start, end, Entity::CRYPTO_ADDRESS, Reason::Checksum, out);
    }
    if is_web_token(trimmed) {
        push(start, end, Entity::ACCESS_TOKEN, Reason::Checksum, out);
        return;
    }
    let head = &text[..start];
    if let Some(from) = header(head) {
        push(from, padded(text, end), Entity::ACCESS_TOKEN, Reason::Cue, out);
    }
    if is_issued(trimmed) || is_secret_of(head, trimmed, &["key", "secret"]) && !is_prose(trimmed) {
        push(start, padded(text, end), Entity::API_KEY, Reason::Shape, out);
    }
    if let Some(name) = parameter(head) {
        push(name, end, Entity::ACCESS_TOKEN, Reason::Cue, out);
    }
}

fn push(start: usize, end: usize, entity: Entity, reason: Reason, out: &mut Candidates) {
    out.whole(narrow(start), narrow(end), entity, reason, Proof::Check);
}

/// The end with the padding of base 64.
fn padded(text: &str, end: usize) -> usize {
    end + text.as_bytes()[end..].iter().take(2).take_while(|b| **b == b'=').count()
}

fn is_issued(piece: &str) -> bool {
    let rest = |prefix: &str| {
        piece
            .strip_prefix(prefix)
            .filter(|r| r.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')))
    };
    let upper =
        |p: &str, r: &str| !p.ends_with("IA") || r.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    ISSUED
        .iter()
        .any(|Issued(p, least, most)| rest(p).is_some_and(|r| (*least..=*most).contains(&r.len()) && upper(p, r)))
        || piece.strip_prefix("SG.").is_some_and(|r| r.len() >= 24 && r.split('.').count() == 2)
}

/// Three parts in base 64 (RFC 7519), the first two JSON objects: they begin with `{"`.
fn is_web_token(piece: &str) -> bool {
    let mut parts = piece.split('.');
    let (Some(head), Some(body), Some(sign), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    head.len() >= 16 && head.starts_with("eyJ") && body.starts_with("eyJ") && body.len() >= 10 && sign.len() >= 10
}

/// The byte where a header begins whose value follows: "Authorization: Basic", "Bearer".
fn header(head: &str) -> Option<usize> {
    let tail = &head[ceil(head, head.len().saturating_sub(40))..];
    let trimmed = tail.trim_end();
    if trimmed.len() == tail.len() {
        return None;
    }
    let scheme = trimmed.rsplit([' ', ':', '"', '\'']).next()?;
    if !matches!(scheme, "Basic" | "Bearer" | "bearer" | "BEARER" | "basic") {
        return None;
    }
    let before = trimmed[..trimmed.len() - scheme.len()].trim_end();
    let named = before.strip_suffix(':').is_some_and(|b| b.to_ascii_lowercase().ends_with("authorization"));
    if !named && scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let length = if named { trimmed.len() - before.len() + "authorization:".len() } else { scheme.len() };
    Some(head.len() - tail.len() + trimmed.len() - length)
}

/// Names of cookies and parameters whose value gives access.
const PARAMETERS: [&str; 12] = [
    "access_token",
    "refresh_token",
    "auth_token",
    "id_token",
    "session_token",
    "token",
    "api_key",
    "apikey",
    "phpsessid",
    "jsessionid",
    "sessionid",
    "session_id",
];

/// The byte where a parameter begins whose value follows.
fn parameter(head: &str) -> Option<usize> {
    let name = head.strip_suffix('=')?;
    let from = name.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).map_or(0, |n| n + 1);
    let from = from.max(ceil(name, name.len().saturating_sub(40)));
    let known = PARAMETERS.contains(&name.get(from..)?.to_ascii_lowercase().as_str());
    let mark = usize::from(from > 0 && matches!(head.as_bytes()[from - 1], b'?' | b'&'));
    known.then_some(from - mark)
}

/// Whether a name that ends in one of these words stands before the piece: `SECRET_KEY=`, "subscription key: ".
fn is_secret_of(head: &str, piece: &str, words: &[&str]) -> bool {
    let tail = &head[ceil(head, head.len().saturating_sub(24))..];
    let name = tail.trim_end_matches([' ', '"', '\'', ':', '=']);
    let linked = name.len() < tail.len();
    let lower = name.to_ascii_lowercase();
    linked && piece.len() >= 20 && words.iter().any(|w| lower.ends_with(w))
}

/// Whether a piece lacks the mix of letters and digits of a made key.
fn is_prose(piece: &str) -> bool {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    digits < 2 || letters < 4 || piece.contains("..")
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// PEM blocks (RFC 7468) of private keys; an open one runs to the end of the text.
#[inline(never)]
pub(crate) fn detect_blocks(text: &str, out: &mut Candidates) {
    let mut from = 0;
    while let Some(begin) = text[from..].find("-----BEGIN ").map(|n| from + n) {
        let label = &text[begin + 11..text.len().min(ceil(text, (begin + 11 + 40).min(text.len())))];
        let Some(closed) = label.find("PRIVATE KEY") else {
            from = begin + 11;
            continue;
        };
        let inside = begin + 11 + closed;
        let end = text[inside..].find("-----END ").map_or(text.len(), |n| {
            let rest = &text[inside + n + 9..];
            inside + n + 9 + rest.find("-----").filter(|at| *at < 40).map_or(0, |at| at + 5)
        });
        push(begin, end, Entity::PRIVATE_KEY, Reason::Shape, out);
        from = end.max(begin + 11);
    }
}

/// Cookie headers, to the end of their line.
#[inline(never)]
pub(crate) fn detect_cookies(text: &str, out: &mut Candidates) {
    let mut from = 0;
    while let Some(begin) = text[from..].find("ookie: ").map(|n| from + n) {
        let start = begin.saturating_sub(1);
        let line = &text[begin..];
        let end = begin + line.find(['\n', '"']).unwrap_or(line.len());
        if text.is_char_boundary(start) && text[start..].starts_with(['C', 'c']) && text[begin..end].contains('=') {
            let start = if text[..start].ends_with("Set-") { start - 4 } else { start };
            push(start, end, Entity::ACCESS_TOKEN, Reason::Shape, out);
        }
        from = end.max(begin + 7);
    }
}
