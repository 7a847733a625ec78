//! E-mail addresses, web addresses, IP and MAC addresses in their written form.

use super::{DetectorInput, cue_link};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::word_set::TOP_LEVEL_DOMAIN_SET;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, saturating_u32};
use crate::validate::network;

pub(crate) const ENTITIES: EntitySet =
    EntitySet::from_slice(&[Entity::EMAIL, Entity::URL, Entity::IP_ADDRESS, Entity::MAC_ADDRESS]);
/// Maximum length of a local part and of a host (RFC 5321).
const MAX_LOCAL_LENGTH: usize = 64;
const MAX_HOST_LENGTH: usize = 253;
/// Characters of a web address that are read.
const MAX_URL_CHARS: usize = 2048;

/// Looks at every '@' and every compound: words and digits with marks inside.
#[inline(never)]
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(ENTITIES) {
        return;
    }
    let tokens = input.tokens;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens.at(at);
        if token.is_alphanumeric() && tokens.at(at + 1).gap != Gap::None {
            at += 1;
            continue;
        }
        if token.is_mark(b'@') && token.byte_len() == 1 {
            detect_email(tokens, token, out);
        }
        if token.is_alphanumeric() || token.is_mark(b':') && token.byte_len() == 2 {
            let mut after = compound_end(tokens, at);
            if after > at + 1 || token.kind == TokenKind::Mark {
                let done = detect_compound(input, at, after, out);
                while after < tokens.len() && tokens.at(after).start < done {
                    after += 1;
                }
            }
            at = after.max(at + 1);
        } else {
            at += 1;
        }
    }
}

/// Maximum tokens of a compound.
const MAX_COMPOUND_TOKENS: usize = 64;

fn compound_end(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut at = first + 1;
    while at < first + MAX_COMPOUND_TOKENS {
        let token = tokens.at(at);
        let is_inner_mark = token.kind == TokenKind::Mark
            && (matches!(token.mark(), b'.' | b'-') && token.byte_len() == 1
                || token.is_mark(b':') && token.byte_len() <= 2);
        if token.gap != Gap::None || !(token.is_alphanumeric() || is_inner_mark) {
            break;
        }
        at += 1;
    }
    at
}

fn detect_email(tokens: &Tokens<'_>, at_sign: Token, out: &mut Candidates) {
    let text = tokens.text;
    let (before, after) = (&text[..at_sign.start as usize], &text[at_sign.end as usize..]);
    let host = host_length(after);
    let Some((_, last)) = after[..host].rsplit_once('.') else { return };
    if last.chars().count() < 2 || !(last.chars().all(char::is_alphabetic) || last.starts_with("xn--")) {
        return;
    }
    let local = local_before(before);
    if local.is_empty() || local.ends_with('.') {
        return;
    }
    let end = at_sign.end + saturating_u32(host);
    let start = at_sign.start - saturating_u32(local.len());
    out.push(Candidate {
        start,
        end,
        visible_from: at_sign.start,
        entity: Entity::EMAIL,
        reason: DetectionReason::Shape,
        evidence: EvidenceRank::Checksum,
    });
}

/// The local part that a text ends with, without marks before it.
pub(super) fn local_before(text: &str) -> &str {
    let local: usize = text.chars().rev().take(MAX_LOCAL_LENGTH).take_while(|c| is_local(*c)).map(char::len_utf8).sum();
    text[text.len() - local..].trim_start_matches(['.', '-', '\'', '/', '=', '&', '?', '|', '!', '#'])
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(
            c,
            '.' | '_' | '%' | '+' | '-' | '\'' | '!' | '#' | '&' | '/' | '=' | '?' | '^' | '`' | '{' | '|' | '}' | '~'
        )
}

/// The length of the host at the start of a text, without a full stop at its end.
fn host_length(text: &str) -> usize {
    let length: usize = text
        .chars()
        .take(MAX_HOST_LENGTH)
        .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
        .map(char::len_utf8)
        .sum();
    let host = text[..length].trim_end_matches(['.', '-']);
    host.as_bytes().windows(2).position(|two| two == b"..").unwrap_or(host.len())
}

/// Looks at a compound of words, digits, dots, colons and hyphens. Returns the byte at which to continue.
fn detect_compound(input: &DetectorInput<'_, '_>, first: usize, after: usize, out: &mut Candidates) -> u32 {
    let tokens = input.tokens;
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let next = tokens.at(after);
    if tokens.at(first + 1).is_mark(b':') && next.is_mark(b'/') && next.byte_len() == 2 && next.gap == Gap::None
        || has_scheme(tokens, first, after)
    {
        let done = url_end(tokens, start);
        out.push_fully_masked(start, done, Entity::URL, DetectionReason::Shape, EvidenceRank::Checksum);
        detect_ip_host(tokens.between(start, done), start, out);
        return done;
    }
    let raw = tokens.between(start, end);
    let trimmed = trim(raw);
    let follows_mark = tokens.at(first).gap == Gap::None
        && matches!(tokens.before(first).mark(), b'_' | b'.')
        && tokens.before(first).kind == TokenKind::Mark;
    if detect_ip_or_mac(input, first, start, trimmed, follows_mark, out) {
        return end;
    }
    if let Some((_, tail)) =
        trimmed.split_once(':').filter(|(head, tail)| !tail.is_empty() && head.bytes().all(|b| b.is_ascii_alphabetic()))
        && detect_ip_or_mac(input, first, start + saturating_u32(trimmed.len() - tail.len()), tail, follows_mark, out)
    {
        return end;
    }
    if let Some((host, _)) = trimmed.split_once(':').filter(|(_, port)| is_port(port))
        && detect_ip_or_mac(input, first, start, host, follows_mark, out)
    {
        return end;
    }
    let touches_at_sign = tokens.before(first).is_mark(b'@') && tokens.at(first).gap == Gap::None
        || next.is_mark(b'@') && next.gap == Gap::None;
    if !touches_at_sign && !follows_mark && is_bare_host(trimmed) {
        let has_path = next.is_mark(b'/') && next.gap == Gap::None && end == start + saturating_u32(trimmed.len());
        let end = if has_path { url_end(tokens, start) } else { start + saturating_u32(trimmed.len()) };
        out.push_fully_masked(start, end, Entity::URL, DetectionReason::Shape, EvidenceRank::Shape);
        return end;
    }
    end
}

/// Reports the IP address that is the host of a web address.
fn detect_ip_host(address: &str, start: u32, out: &mut Candidates) {
    let Some((scheme, rest)) = address.split_once("//") else { return };
    let bracket = usize::from(rest.starts_with('['));
    let rest = &rest[bracket..];
    let host =
        &rest[..rest.find(if bracket == 1 { &[']'][..] } else { &['/', ':', '?', '#'][..] }).unwrap_or(rest.len())];
    if network::ip_address(host.as_bytes()) {
        let from = start + saturating_u32(scheme.len() + 2 + bracket);
        out.push_fully_masked(
            from,
            from + saturating_u32(host.len()),
            Entity::IP_ADDRESS,
            DetectionReason::Shape,
            EvidenceRank::Checksum,
        );
    }
}

/// Whether the compound is a scheme and a colon before "//".
fn has_scheme(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let next = tokens.at(after);
    tokens.before(after).is_mark(b':')
        && after == first + 2
        && next.is_mark(b'/')
        && next.gap == Gap::None
        && next.byte_len() >= 2
}

fn trim(raw: &str) -> &str {
    let raw = raw.trim_end_matches(['.', '-']);
    let raw = if raw.ends_with("::") { raw } else { raw.trim_end_matches(':') };
    if raw.starts_with("::") { raw } else { raw.trim_start_matches([':', '.', '-']) }
}

/// Reports a compound that is an IP or MAC address; returns whether it is one.
fn detect_ip_or_mac(
    input: &DetectorInput<'_, '_>,
    first: usize,
    start: u32,
    raw: &str,
    follows_mark: bool,
    out: &mut Candidates,
) -> bool {
    let bytes = raw.as_bytes();
    if bytes.len() > 48
        || bytes.len() < 2
        || follows_mark
        || !bytes.iter().any(u8::is_ascii_digit) && !raw.contains(':') && bytes.len() != 17
    {
        return false;
    }
    let end = start + saturating_u32(raw.len());
    if network::mac_address(bytes) {
        out.push_fully_masked(start, end, Entity::MAC_ADDRESS, DetectionReason::Shape, EvidenceRank::Checksum);
        return true;
    }
    let prefix = prefix_length(input.tokens, end);
    if raw == "::" && prefix == 0 || !network::ip_address(bytes) || is_version(input, first) {
        return false;
    }
    out.push_fully_masked(start, end + prefix, Entity::IP_ADDRESS, DetectionReason::Shape, EvidenceRank::Checksum);
    true
}

/// Whether digits are a port, such as the "8080" of "10.0.0.1:8080" (RFC 6335: 0 to 65535).
fn is_port(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok()
}

/// The length of a prefix such as "/24" after an address.
fn prefix_length(tokens: &Tokens<'_>, end: u32) -> u32 {
    let rest = tokens.text.get(end as usize..).unwrap_or("").as_bytes();
    let digits = rest.iter().skip(1).take(4).take_while(|b| b.is_ascii_digit()).count();
    if rest.first() == Some(&b'/') && (1..=3).contains(&digits) { saturating_u32(digits) + 1 } else { 0 }
}

/// Whether the word before a token introduces a version or section number, as in "version 1.2.3.4".
fn is_version(input: &DetectorInput<'_, '_>, first: usize) -> bool {
    let before = input.tokens.str(input.tokens.before(first));
    ["version", "release", "build", "v", "firmware", "section"].iter().any(|w| before.eq_ignore_ascii_case(w))
}

/// The end of a web address: the text up to a space, quote, bracket, asterisk or bar, without the marks that close a
/// sentence.
fn url_end(tokens: &Tokens<'_>, start: u32) -> u32 {
    let text = tokens.text.get(start as usize..).unwrap_or("");
    let ends_url =
        |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\'' | '`' | ')' | '*' | '|' | '}' | '\u{ff09}');
    let length: usize = text.chars().take(MAX_URL_CHARS).take_while(|c| !ends_url(*c)).map(char::len_utf8).sum();
    start + saturating_u32(text[..length].trim_end_matches(['.', ',', ';', ':', '!', '?', ']']).len())
}

/// Top-level domains that are English words too: a missing space after a full stop gives the same form.
const WORD_TLDS: [&str; 24] = [
    "is", "it", "in", "so", "me", "to", "no", "at", "be", "am", "my", "do", "us", "as", "by", "has", "one", "how",
    "now", "care", "help", "can", "call", "and",
];

/// Top-level domains that are accepted right after any name.
const COMMON_TLDS: [&str; 12] = ["com", "net", "org", "edu", "gov", "io", "ai", "info", "biz", "dev", "app", "co"];

/// Whether a text is a host without a scheme, such as "corporate.example.com" or "example.com".
pub(super) fn is_bare_host(raw: &str) -> bool {
    if raw.contains(':') || raw.len() > MAX_HOST_LENGTH || raw.len() < 4 {
        return false;
    }
    let mut labels = raw.rsplit('.');
    let (Some(top), Some(name)) = (labels.next(), labels.next()) else { return false };
    let is_one_of = |tops: &[&str]| tops.iter().any(|listed| top.eq_ignore_ascii_case(listed));
    let has_one_case = || top.bytes().all(|b| b.is_ascii_lowercase()) || raw.bytes().all(|b| !b.is_ascii_lowercase());
    if name.len() < 2 || !name.bytes().any(|b| b.is_ascii_alphabetic()) || !has_one_case() {
        return false;
    }
    let is_word = is_one_of(&WORD_TLDS);
    let is_www = raw.get(..4).is_some_and(|w| w.eq_ignore_ascii_case("www."));
    let has_subdomain = labels.clone().count() >= 1;
    (is_one_of(&COMMON_TLDS)
        || top.len() == 2 && !is_word && raw.bytes().filter(u8::is_ascii_uppercase).count() == 0
        || has_subdomain && !is_word)
        && (!is_www || has_subdomain)
        && TOP_LEVEL_DOMAIN_SET.contains(top)
        && raw.split('.').all(|l| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-'))
}

/// Whether a cue near the tokens `first..after` or an earlier message names one of these entities.
pub(crate) fn is_cued_or_expected(input: &DetectorInput<'_, '_>, first: usize, after: usize, set: EntitySet) -> bool {
    is_cued(input, first, after, set) || input.expected_entities.intersects(set)
}

/// Whether a cue in the same text names one of these entities.
pub(crate) fn is_cued(input: &DetectorInput<'_, '_>, first: usize, after: usize, set: EntitySet) -> bool {
    cue_link::cue_links(input, first, after, cue_link::LastValue::default()).any(|a| a.entities.intersects(set))
}
