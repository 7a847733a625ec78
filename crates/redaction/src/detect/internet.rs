//! E-mail addresses, web addresses, IP and MAC addresses as they are written.

use super::{Page, announced};
use crate::candidate::{Candidate, Candidates, Proof};
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tables::index::DOMAINS;
use crate::tokenize::{Gap, Kind, Token, Tokens, narrow};
use crate::validate::network;

pub(crate) const WANTED: EntitySet =
    EntitySet::of(&[Entity::EMAIL, Entity::URL, Entity::IP_ADDRESS, Entity::MAC_ADDRESS]);
/// Bytes of a local part and of a host at most (RFC 5321).
const LOCAL: usize = 64;
const HOST: usize = 253;
/// Bytes of a web address that are looked at.
const ADDRESS: usize = 2048;

/// Looks at every '@' and every strip of words and digits with marks inside.
#[inline(never)]
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    if !out.wants(WANTED) {
        return;
    }
    let tokens = page.tokens;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens.at(at);
        if token.is_value() && tokens.at(at + 1).gap != Gap::None {
            at += 1;
            continue;
        }
        if token.is_mark(b'@') && token.bytes() == 1 {
            email(tokens, token, out);
        }
        if token.is_value() || token.is_mark(b':') && token.bytes() == 2 {
            let mut after = strip_end(tokens, at);
            if after > at + 1 || token.kind == Kind::Mark {
                let done = strip(page, at, after, out);
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

/// Tokens of a strip at most.
const STRIP: usize = 64;

fn strip_end(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut at = first + 1;
    while at < first + STRIP {
        let token = tokens.at(at);
        let joins = token.kind == Kind::Mark
            && (matches!(u8::try_from(token.code), Ok(b'.' | b'-')) && token.bytes() == 1
                || token.is_mark(b':') && token.bytes() <= 2);
        if token.gap != Gap::None || !(token.is_value() || joins) {
            break;
        }
        at += 1;
    }
    at
}

fn email(tokens: &Tokens<'_>, at_sign: Token, out: &mut Candidates) {
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
    let end = at_sign.end + narrow(host);
    let start = at_sign.start - narrow(local.len());
    out.push(Candidate {
        start,
        end,
        shown_from: at_sign.start,
        entity: Entity::EMAIL,
        reason: Reason::Shape,
        proof: Proof::Check,
    });
}

/// The local part that a text ends with, without marks before it.
pub(super) fn local_before(text: &str) -> &str {
    let local: usize = text.chars().rev().take(LOCAL).take_while(|c| is_local(*c)).map(char::len_utf8).sum();
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
    let length: usize =
        text.chars().take(HOST).take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-')).map(char::len_utf8).sum();
    let host = text[..length].trim_end_matches(['.', '-']);
    host.as_bytes().windows(2).position(|two| two == b"..").unwrap_or(host.len())
}

/// A strip of words, digits, dots, colons and dashes. Returns the byte up to which the text is done with.
fn strip(page: &Page<'_, '_>, first: usize, after: usize, out: &mut Candidates) -> u32 {
    let tokens = page.tokens;
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let next = tokens.at(after);
    if tokens.at(first + 1).is_mark(b':') && next.is_mark(b'/') && next.bytes() == 2 && next.gap == Gap::None
        || has_scheme(tokens, first, after)
    {
        let done = address_end(tokens, start);
        out.whole(start, done, Entity::URL, Reason::Shape, Proof::Check);
        numeric_host(tokens.between(start, done), start, out);
        return done;
    }
    let raw = tokens.between(start, end);
    let trimmed = trim(raw);
    let open = tokens.at(first).gap == Gap::None
        && matches!(u8::try_from(tokens.before(first).code), Ok(b'_' | b'.'))
        && tokens.before(first).kind == Kind::Mark;
    if machine(page, first, start, trimmed, open, out) {
        return end;
    }
    if let Some((_, tail)) =
        trimmed.split_once(':').filter(|(head, tail)| !tail.is_empty() && head.bytes().all(|b| b.is_ascii_alphabetic()))
        && machine(page, first, start + narrow(trimmed.len() - tail.len()), tail, open, out)
    {
        return end;
    }
    if let Some((host, _)) = trimmed.split_once(':').filter(|(_, port)| is_port(port))
        && machine(page, first, start, host, open, out)
    {
        return end;
    }
    let around = tokens.before(first).is_mark(b'@') && tokens.at(first).gap == Gap::None
        || next.is_mark(b'@') && next.gap == Gap::None;
    if !around && !open && is_bare_host(trimmed) {
        let path = next.is_mark(b'/') && next.gap == Gap::None && end == start + narrow(trimmed.len());
        let end = if path { address_end(tokens, start) } else { start + narrow(trimmed.len()) };
        out.whole(start, end, Entity::URL, Reason::Shape, Proof::Shape);
        return end;
    }
    end
}

/// The IP address that is the host of a web address.
fn numeric_host(address: &str, start: u32, out: &mut Candidates) {
    let Some((scheme, rest)) = address.split_once("//") else { return };
    let bracket = usize::from(rest.starts_with('['));
    let rest = &rest[bracket..];
    let host =
        &rest[..rest.find(if bracket == 1 { &[']'][..] } else { &['/', ':', '?', '#'][..] }).unwrap_or(rest.len())];
    if network::ip_address(host.as_bytes()) {
        let from = start + narrow(scheme.len() + 2 + bracket);
        out.whole(from, from + narrow(host.len()), Entity::IP_ADDRESS, Reason::Shape, Proof::Check);
    }
}

/// Whether the strip ends in a scheme and a colon before "//".
fn has_scheme(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let next = tokens.at(after);
    tokens.before(after).is_mark(b':')
        && after == first + 2
        && next.is_mark(b'/')
        && next.gap == Gap::None
        && next.bytes() >= 2
}

fn trim(raw: &str) -> &str {
    let raw = raw.trim_end_matches(['.', '-']);
    let raw = if raw.ends_with("::") { raw } else { raw.trim_end_matches(':') };
    if raw.starts_with("::") { raw } else { raw.trim_start_matches([':', '.', '-']) }
}

/// Whether a strip is the address of a machine; hands it over if so.
fn machine(page: &Page<'_, '_>, first: usize, start: u32, raw: &str, open: bool, out: &mut Candidates) -> bool {
    let bytes = raw.as_bytes();
    if bytes.len() > 48
        || bytes.len() < 2
        || open
        || !bytes.iter().any(u8::is_ascii_digit) && !raw.contains(':') && bytes.len() != 17
    {
        return false;
    }
    let end = start + narrow(raw.len());
    if network::mac_address(bytes) {
        out.whole(start, end, Entity::MAC_ADDRESS, Reason::Shape, Proof::Check);
        return true;
    }
    let prefix = prefix_length(page.tokens, end);
    if raw == "::" && prefix == 0 || !network::ip_address(bytes) || is_version(page, first) {
        return false;
    }
    out.whole(start, end + prefix, Entity::IP_ADDRESS, Reason::Shape, Proof::Check);
    true
}

/// "8080" of "10.0.0.1:8080" (RFC 6335: 0 to 65535).
fn is_port(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok()
}

/// The length of "/24" after an address.
fn prefix_length(tokens: &Tokens<'_>, end: u32) -> u32 {
    let rest = tokens.text.get(end as usize..).unwrap_or("").as_bytes();
    let digits = rest.iter().skip(1).take(4).take_while(|b| b.is_ascii_digit()).count();
    if rest.first() == Some(&b'/') && (1..=3).contains(&digits) { narrow(digits) + 1 } else { 0 }
}

/// "version 1.2.3.4": said of software.
fn is_version(page: &Page<'_, '_>, first: usize) -> bool {
    let before = page.tokens.str(page.tokens.before(first));
    ["version", "release", "build", "v", "firmware", "section"].iter().any(|w| before.eq_ignore_ascii_case(w))
}

/// The end of a web address: what is not a space, without the marks that close a sentence.
fn address_end(tokens: &Tokens<'_>, start: u32) -> u32 {
    let text = tokens.text.get(start as usize..).unwrap_or("");
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\'' | '`' | ')' | '*' | '|' | '}' | '\u{ff09}');
    let length: usize = text.chars().take(ADDRESS).take_while(|c| !ends(*c)).map(char::len_utf8).sum();
    start + narrow(text[..length].trim_end_matches(['.', ',', ';', ':', '!', '?', ']']).len())
}

/// Top-level domains that are words of English too: a missing space after a full stop looks like them.
const WORDS: [&str; 24] = [
    "is", "it", "in", "so", "me", "to", "no", "at", "be", "am", "my", "do", "us", "as", "by", "has", "one", "how",
    "now", "care", "help", "can", "call", "and",
];

/// Top-level domains that are believed right after a name.
const USUAL: [&str; 12] = ["com", "net", "org", "edu", "gov", "io", "ai", "info", "biz", "dev", "app", "co"];

/// "corporate.example.com", "example.com": a host without a scheme.
pub(super) fn is_bare_host(raw: &str) -> bool {
    if raw.contains(':') || raw.len() > HOST || raw.len() < 4 {
        return false;
    }
    let mut labels = raw.rsplit('.');
    let (Some(top), Some(name)) = (labels.next(), labels.next()) else { return false };
    let is_one_of = |tops: &[&str]| tops.iter().any(|listed| top.eq_ignore_ascii_case(listed));
    let cased = || top.bytes().all(|b| b.is_ascii_lowercase()) || raw.bytes().all(|b| !b.is_ascii_lowercase());
    if name.len() < 2 || !name.bytes().any(|b| b.is_ascii_alphabetic()) || !cased() {
        return false;
    }
    let word = is_one_of(&WORDS);
    let www = raw.get(..4).is_some_and(|w| w.eq_ignore_ascii_case("www."));
    let deep = labels.clone().count() >= 1;
    (is_one_of(&USUAL)
        || top.len() == 2 && !word && raw.bytes().filter(u8::is_ascii_uppercase).count() == 0
        || deep && !word)
        && (!www || deep)
        && DOMAINS.contains(top)
        && raw.split('.').all(|l| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-'))
}

/// Whether a cue near a place, or a question before, names one of these.
pub(crate) fn is_announced(page: &Page<'_, '_>, first: usize, after: usize, set: EntitySet) -> bool {
    is_cued(page, first, after, set) || page.armed.touches(set)
}

/// Whether a cue in the same text names one of these.
pub(crate) fn is_cued(page: &Page<'_, '_>, first: usize, after: usize, set: EntitySet) -> bool {
    announced::announcements(page, first, after, announced::Taken::default()).any(|a| a.set.touches(set))
}
