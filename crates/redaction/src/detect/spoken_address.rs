//! E-mail and web addresses spoken aloud: "jay dot smith at gmail dot com", "w w w dot example dot org".

use super::internet::is_cued;
use super::spoken_local_part::{is_mailbox, local_start};
use super::token_words::{is_contraction, is_spoken};
use super::{DetectorInput, flags, is_one_of, spelled_code, spoken_ip, spoken_path};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::word_set::{COMMON_WORD_SET, TOP_LEVEL_DOMAIN_SET};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens of a host.
const MAX_HOST_TOKENS: usize = 24;

/// Looks for IP addresses, "w w w dot", "dot" before a top-level domain, and a mail host before "com".
#[inline(never)]
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(EntitySet::from_slice(&[Entity::EMAIL, Entity::URL, Entity::IP_ADDRESS])) {
        return;
    }
    let tokens = input.tokens;
    let mut at = 0;
    while at < tokens.len() {
        if is_spoken(tokens.at(at), b'.')
            && let Some(after) = spoken_ip::detect(tokens, at, out)
        {
            at = after;
            continue;
        }
        if is_spoken(tokens.at(at), b'.')
            && let Some((start, after)) = www_address(tokens, at)
        {
            let after = spoken_path::end(tokens, after);
            out.push_fully_masked(
                tokens.at(start).start,
                tokens.before(after).end,
                Entity::URL,
                DetectionReason::Shape,
                EvidenceRank::Shape,
            );
            at = after;
            continue;
        }
        let after = if is_dot(tokens, at) { tld_end(tokens, at + 1) } else { None };
        let provider = || {
            flags(tokens.at(at)) & flag::MAIL_HOST != 0 && is_spoken(tokens.before(at), b'@') && is_com(tokens, at + 1)
        };
        let (dot, after) = match after {
            Some(after) => (at, after),
            None if provider() => (at + 1, at + 2),
            None => {
                at += 1;
                continue;
            }
        };
        at = detect_host(input, dot, after, out).max(at + 1);
    }
}

/// Whether a token is the "dot" before a top-level domain. In English, a point is part of a number.
fn is_dot(tokens: &Tokens<'_>, at: usize) -> bool {
    const AFTER_POINT: [&str; 8] = ["com", "fr", "net", "org", "ch", "be", "ca", "eu"];
    let is_point = is_one_of(tokens, tokens.at(at), &["point"]);
    is_spoken(tokens.at(at), b'.') && (!is_point || is_one_of(tokens, tokens.at(at + 1), &AFTER_POINT))
}

fn is_com(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap <= Gap::Space && token.kind == TokenKind::Word && tokens.str(token).eq_ignore_ascii_case("com")
}

/// The token after a top-level domain that is spoken as a word or letter by letter.
fn tld_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word || token.gap > Gap::Space {
        return None;
    }
    let word = tokens.str(token);
    if word.len() > 1 {
        return (word.len() <= 12 && TOP_LEVEL_DOMAIN_SET.contains(word)).then_some(at + 1);
    }
    let mut spelled = [0; 4];
    let mut length = 0;
    while length < 4
        && tokens.at(at + length).kind == TokenKind::Word
        && tokens.at(at + length).byte_len() == 1
        && (length == 0 || tokens.at(at + length).gap == Gap::Space)
    {
        spelled[length] = tokens.str(tokens.at(at + length)).bytes().next().unwrap_or(0).to_ascii_lowercase();
        length += 1;
    }
    let is_tld = std::str::from_utf8(&spelled[..length]).is_ok_and(|t| length >= 2 && TOP_LEVEL_DOMAIN_SET.contains(t));
    is_tld.then_some(at + length)
}

/// Reports the address whose host has its first "dot" before a top-level domain at `dot`; returns the token after it.
fn detect_host(input: &DetectorInput<'_, '_>, dot: usize, mut after: usize, out: &mut Candidates) -> usize {
    let tokens = input.tokens;
    while is_spoken(tokens.at(after), b'.') {
        let Some(more) = tld_end(tokens, after + 1) else { break };
        after = more;
    }
    let mut first = dot;
    while first > 0 && dot - first < MAX_HOST_TOKENS {
        // "at y like yellow a h o o dot com"
        if let Some(start) = spelled_code::explained_letter_start(tokens, first) {
            first = start;
            continue;
        }
        let token = tokens.at(first - 1);
        if tokens.at(first).gap > Gap::Space || !is_host_word(tokens, first - 1, first == dot) {
            break;
        }
        first -= 1;
        if token.kind == TokenKind::Mark && token.byte_len() > 1 {
            return after;
        }
    }
    let at_word = first
        .checked_sub(1)
        .filter(|at| is_spoken(tokens.at(*at), b'@') && tokens.at(first).gap <= Gap::Space && first < dot);
    let end = tokens.before(after).end;
    if let Some(at_word) = at_word {
        let local = local_start(tokens, at_word);
        let is_asked = local < at_word && input.expected_entities.contains(Entity::EMAIL);
        if is_asked {
            out.record_answer();
        }
        if local < at_word && (is_asked || is_plausible_email(input, local, at_word, first)) {
            let start = tokens.at(local).start;
            out.push(Candidate {
                start,
                end,
                visible_from: tokens.at(at_word).start,
                entity: Entity::EMAIL,
                reason: DetectionReason::Shape,
                evidence: EvidenceRank::Checksum,
            });
            return after;
        }
        if tokens.before(at_word).kind == TokenKind::Mask {
            return after;
        }
    }
    push_url(tokens, first, dot, after, out)
}

fn is_host_word(tokens: &Tokens<'_>, at: usize, last: bool) -> bool {
    let token = tokens.at(at);
    if is_spoken(token, b'.') || is_spoken(token, b'-') {
        return !last;
    }
    // The "s" of "it's example dot com" is no letter of the host.
    if at >= 2 && token.gap == Gap::None && is_contraction(tokens, at - 2) {
        return false;
    }
    let is_connector = flags(token) & (flag::STOPWORD | flag::CONNECTOR | flag::CUE_HEAD) != 0
        && token.byte_len() > 1
        && flags(token) & (flag::NUMBER | flag::MAIL_HOST) == 0;
    let is_label = !last
        && token.byte_len() > 2
        && is_spoken(tokens.at(at + 1), b'.')
        && flags(token) & (flag::COPULA | flag::AND) == 0;
    let is_known = is_label || flags(token) & flag::MAIL_HOST != 0;
    let follows = tokens.at(at + 1);
    let is_spelled = token.byte_len() == 1 || flags(token) & flag::NUMBER != 0 || token.kind == TokenKind::Digits;
    let is_joined = last
        || is_spoken(follows, b'.')
        || is_spoken(follows, b'-')
        || follows.byte_len() == 1
        || flags(follows) & flag::MAIL_HOST != 0 && token.byte_len() == 1;
    token.is_alphanumeric() && !is_spoken(token, b'@') && (!is_connector || is_known) && (is_joined || is_spelled)
}

/// "Available at example dot com" is a web address: a single common word before "at" needs a mail host, a cue or the name of a
/// mailbox.
fn is_plausible_email(input: &DetectorInput<'_, '_>, local: usize, at_word: usize, host: usize) -> bool {
    let tokens = input.tokens;
    let word = tokens.str(tokens.at(local));
    let is_common = at_word == local + 1 && word.len() > 1 && COMMON_WORD_SET.contains(word);
    let has_mail_host = (host..host + 2).any(|at| flags(tokens.at(at)) & flag::MAIL_HOST != 0);
    !is_common
        || has_mail_host
        || is_mailbox(tokens, tokens.at(local))
        || is_cued(input, local, at_word, Entity::EMAIL.bit())
}

fn push_url(tokens: &Tokens<'_>, first: usize, dot: usize, mut after: usize, out: &mut Candidates) -> usize {
    if first == dot {
        return after;
    }
    let start = scheme_start(tokens, first);
    after = spoken_path::end(tokens, after);
    out.push_fully_masked(
        tokens.at(start).start,
        tokens.before(after).end,
        Entity::URL,
        DetectionReason::Shape,
        EvidenceRank::Shape,
    );
    after
}

/// The first token of the scheme before a host, as words ("https colon slash slash") or letter by letter.
fn scheme_start(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut start = first;
    while start > 0 && first - start < MAX_HOST_TOKENS {
        let token = tokens.at(start - 1);
        let is_scheme = is_spoken(token, b'/')
            || is_spoken(token, b':')
            || token.kind == TokenKind::Word
                && matches!(tokens.str(token).to_ascii_lowercase().as_str(), "http" | "https" | "www");
        if !is_scheme || tokens.at(start).gap > Gap::Space {
            break;
        }
        start -= 1;
    }
    let spells = |word: &str| {
        let from = start.checked_sub(word.len())?;
        let letter =
            |(at, letter): (usize, u8)| tokens.str(tokens.at(from + at)).as_bytes().eq_ignore_ascii_case(&[letter]);
        word.bytes().enumerate().all(letter).then_some(from)
    };
    let spelled = if is_spoken(tokens.at(start), b':') { spells("https").or_else(|| spells("http")) } else { None };
    spelled.unwrap_or(start)
}

/// The tokens of "w w w dot" with its scheme and labels, where the "dot" is at token `dot`. Any last label is accepted.
fn www_address(tokens: &Tokens<'_>, dot: usize) -> Option<(usize, usize)> {
    let is = |at: usize, word: &str| tokens.str(tokens.at(at)).eq_ignore_ascii_case(word);
    let www_word = dot.checked_sub(1).filter(|at| is(*at, "www"));
    let start = www_word.or_else(|| dot.checked_sub(3).filter(|first| (*first..dot).all(|at| is(at, "w"))))?;
    let (mut at, mut labels) = (dot, 0);
    while is_spoken(tokens.at(at), b'.') && at < dot + MAX_HOST_TOKENS {
        let first = at + 1;
        at = first;
        let single = |token: Token| token.byte_len() == 1 || flags(token) & flag::NUMBER != 0;
        let spelled =
            |at: usize| tokens.at(at).is_alphanumeric() && tokens.at(at).gap == Gap::Space && single(tokens.at(at));
        while spelled(at) && at < first + MAX_HOST_TOKENS {
            at += 1;
        }
        if at == first {
            at += usize::from(tokens.at(at).is_alphanumeric() && tokens.at(at).gap == Gap::Space);
        }
        if at == first {
            return None;
        }
        labels += 1;
    }
    (labels >= 2).then(|| (scheme_start(tokens, start), at))
}
