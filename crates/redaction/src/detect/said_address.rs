//! E-mail and web addresses said aloud: "jay dot smith at gmail dot com", "w w w dot example dot org".

use super::internet::is_cued;
use super::{Page, flags, said_ip, spelled};
use crate::candidate::{Candidate, Candidates, Proof};
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tables::index::{COMMON, DOMAINS};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, lexicon};

/// Tokens of a host, and of what stands before "at", at most.
const HOST: usize = 24;
const LOCAL: usize = 40;

/// Looks at every "dot" that a top-level domain follows.
#[inline(never)]
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    if !out.wants(EntitySet::of(&[Entity::EMAIL, Entity::URL, Entity::IP_ADDRESS])) {
        return;
    }
    let tokens = page.tokens;
    let mut at = 0;
    while at < tokens.len() {
        if is_said(tokens.at(at), b'.')
            && let Some(after) = said_ip::detect(tokens, at, out)
        {
            at = after;
            continue;
        }
        if is_said(tokens.at(at), b'.')
            && let Some((start, after)) = web(tokens, at)
        {
            let after = path_end(tokens, after, at);
            out.whole(tokens.at(start).start, tokens.before(after).end, Entity::URL, Reason::Shape, Proof::Shape);
            at = after;
            continue;
        }
        let after = if is_said(tokens.at(at), b'.') && !tokens.str(tokens.at(at)).eq_ignore_ascii_case("point") {
            top_end(tokens, at + 1)
        } else {
            None
        };
        let provider = || {
            flags(tokens.at(at)) & flag::MAIL_HOST != 0 && is_said(tokens.before(at), b'@') && is_com(tokens, at + 1)
        };
        let (dot, after) = match after {
            Some(after) => (at, after),
            None if provider() => (at + 1, at + 2),
            None => {
                at += 1;
                continue;
            }
        };
        at = host(page, dot, after, out).max(at + 1);
    }
}

fn is_com(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap <= Gap::Space && token.kind == Kind::Word && tokens.str(token).eq_ignore_ascii_case("com")
}

/// Whether a word says this mark aloud.
pub(super) fn is_said(token: Token, mark: u8) -> bool {
    token.kind == Kind::Word && flags(token) & flag::MARK != 0 && lexicon::entry(token.code).value == mark
}

/// The token after a top-level domain, said as a word or letter by letter.
fn top_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if token.kind != Kind::Word || token.gap > Gap::Space {
        return None;
    }
    let word = tokens.str(token);
    if word.len() > 1 {
        return (word.len() <= 12 && DOMAINS.contains(word)).then_some(at + 1);
    }
    let mut spelled = [0; 4];
    let mut length = 0;
    while length < 4
        && tokens.at(at + length).kind == Kind::Word
        && tokens.at(at + length).bytes() == 1
        && (length == 0 || tokens.at(at + length).gap == Gap::Space)
    {
        spelled[length] = tokens.str(tokens.at(at + length)).bytes().next().unwrap_or(0).to_ascii_lowercase();
        length += 1;
    }
    let known = std::str::from_utf8(&spelled[..length]).is_ok_and(|t| length >= 2 && DOMAINS.contains(t));
    known.then_some(at + length)
}

/// Reads a host whose first "dot" before a top-level domain is at `dot`; returns the token after it.
fn host(page: &Page<'_, '_>, dot: usize, mut after: usize, out: &mut Candidates) -> usize {
    let tokens = page.tokens;
    while is_said(tokens.at(after), b'.') {
        let Some(more) = top_end(tokens, after + 1) else { break };
        after = more;
    }
    let mut first = dot;
    while first > 0 && dot - first < HOST {
        let token = tokens.at(first - 1);
        if tokens.at(first).gap > Gap::Space || !is_host_word(tokens, first - 1, first == dot) {
            break;
        }
        first -= 1;
        if token.kind == Kind::Mark && token.bytes() > 1 {
            return after;
        }
    }
    let at_word = first
        .checked_sub(1)
        .filter(|at| is_said(tokens.at(*at), b'@') && tokens.at(first).gap <= Gap::Space && first < dot);
    let end = tokens.before(after).end;
    if let Some(at_word) = at_word {
        let local = local_start(tokens, at_word);
        if local < at_word && believed(page, local, at_word, first) {
            let start = tokens.at(local).start;
            out.push(Candidate {
                start,
                end,
                shown_from: tokens.at(at_word).start,
                entity: Entity::EMAIL,
                reason: Reason::Shape,
                proof: Proof::Check,
            });
            return after;
        }
        if tokens.before(at_word).kind == Kind::Mask {
            return after;
        }
    }
    said_url(tokens, first, dot, after, out)
}

fn is_host_word(tokens: &Tokens<'_>, at: usize, last: bool) -> bool {
    let token = tokens.at(at);
    if is_said(token, b'.') || is_said(token, b'-') {
        return !last;
    }
    let link = flags(token) & (flag::PLAIN | flag::LINK | flag::CUE) != 0
        && token.bytes() > 1
        && flags(token) & (flag::NUMBER | flag::MAIL_HOST) == 0;
    let label =
        !last && token.bytes() > 2 && is_said(tokens.at(at + 1), b'.') && flags(token) & (flag::IS | flag::AND) == 0;
    let known = label || flags(token) & flag::MAIL_HOST != 0;
    let follows = tokens.at(at + 1);
    let spelled = token.bytes() == 1 || flags(token) & flag::NUMBER != 0 || token.kind == Kind::Digits;
    let joined = last
        || is_said(follows, b'.')
        || is_said(follows, b'-')
        || follows.bytes() == 1
        || flags(follows) & flag::MAIL_HOST != 0 && token.bytes() == 1;
    token.is_value() && !is_said(token, b'@') && (!link || known) && (joined || spelled)
}

/// The first token of what stands before "at".
pub(super) fn local_start(tokens: &Tokens<'_>, at_word: usize) -> usize {
    let mut first = at_word;
    let mut forced = false;
    while first > 0 && at_word - first < LOCAL && tokens.at(first).gap <= Gap::Space {
        if let Some(start) = spelled::explained_before(tokens, first) {
            (first, forced) = (start, false);
            continue;
        }
        let token = tokens.at(first - 1);
        let right = tokens.at(first);
        let begun = first < at_word;
        let mark = is_joint(token, right);
        let spelled = token.is_value()
            && (token.bytes() == 1 || token.kind == Kind::Digits || flags(token) & (flag::NUMBER | flag::SPELLED) != 0);
        let plain = flags(token) & (flag::PLAIN | flag::LINK | flag::CUE | flag::FILLER) != 0;
        let number_right = right.kind == Kind::Digits || flags(right) & flag::NUMBER != 0;
        let take = if forced {
            token.is_value()
        } else if mark {
            begun
        } else if spelled {
            !begun || right.bytes() == 1 || number_right || flags(right) & flag::SPELLED != 0
        } else {
            token.kind == Kind::Word
                && !plain
                && (!begun || number_right && right.bytes() > 1 || number_right && right.kind == Kind::Digits)
        };
        if !take || !mark && !token.is_value() {
            break;
        }
        first -= 1;
        let word = !mark && !spelled;
        forced = mark;
        if word && !tokens.at(first).is_mark(b'.') && !preceded_by_mark(tokens, first) {
            break;
        }
    }
    if forced { at_word } else { first }
}

/// Whether a mark, said or written, joins two parts of what stands before "at".
fn is_joint(token: Token, right: Token) -> bool {
    let written = matches!(u8::try_from(token.code), Ok(b'.' | b'_' | b'-'));
    flags(token) & flag::MARK != 0 && !is_said(token, b'@')
        || token.kind == Kind::Mark && written && token.bytes() == 1 && right.gap == Gap::None
}

fn preceded_by_mark(tokens: &Tokens<'_>, at: usize) -> bool {
    let before = tokens.before(at);
    flags(before) & flag::MARK != 0 && !is_said(before, b'@')
        || before.kind == Kind::Mark
            && matches!(u8::try_from(before.code), Ok(b'.' | b'_' | b'-'))
            && tokens.at(at).gap == Gap::None
}

/// "Available at example dot com" is a web address: a common word before "at" takes a mail host or a cue to be a local part.
fn believed(page: &Page<'_, '_>, local: usize, at_word: usize, host: usize) -> bool {
    let tokens = page.tokens;
    let word = tokens.str(tokens.at(local));
    let common = at_word == local + 1 && word.len() > 1 && COMMON.contains(word);
    let provider = (host..host + 2).any(|at| flags(tokens.at(at)) & flag::MAIL_HOST != 0);
    !common || provider || is_cued(page, local, at_word, Entity::EMAIL.bit())
}

/// A web address said aloud, with what stands before and after the host.
fn said_url(tokens: &Tokens<'_>, first: usize, dot: usize, mut after: usize, out: &mut Candidates) -> usize {
    if first == dot {
        return after;
    }
    let start = scheme_start(tokens, first);
    after = path_end(tokens, after, dot);
    out.whole(tokens.at(start).start, tokens.before(after).end, Entity::URL, Reason::Shape, Proof::Shape);
    after
}

/// The first token of the scheme before a host: "https colon slash slash", the letters of it also one by one.
fn scheme_start(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut start = first;
    while start > 0 && first - start < HOST {
        let token = tokens.at(start - 1);
        let scheme = is_said(token, b'/')
            || is_said(token, b':')
            || token.kind == Kind::Word
                && matches!(tokens.str(token).to_ascii_lowercase().as_str(), "http" | "https" | "www");
        if !scheme || tokens.at(start).gap > Gap::Space {
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
    let spelled = if is_said(tokens.at(start), b':') { spells("https").or_else(|| spells("http")) } else { None };
    spelled.unwrap_or(start)
}

/// The token after a path that begins at a token: "slash help".
fn path_end(tokens: &Tokens<'_>, mut after: usize, dot: usize) -> usize {
    while is_said(tokens.at(after), b'/') && tokens.at(after + 1).is_value() && after - dot < HOST {
        after += 2;
        while tokens.at(after).kind == Kind::Word
            && tokens.at(after).bytes() == 1
            && tokens.at(after).gap == Gap::Space
            && after - dot < HOST
        {
            after += 1;
        }
    }
    after
}

/// "w w w dot", whose "dot" is at a token, with the labels that follow: the first token and the one after the last. Said
/// like that it needs no known top-level domain.
fn web(tokens: &Tokens<'_>, dot: usize) -> Option<(usize, usize)> {
    let is = |at: usize, word: &str| tokens.str(tokens.at(at)).eq_ignore_ascii_case(word);
    let one = dot.checked_sub(1).filter(|at| is(*at, "www"));
    let start = one.or_else(|| dot.checked_sub(3).filter(|first| (*first..dot).all(|at| is(at, "w"))))?;
    let (mut at, mut labels) = (dot, 0);
    while is_said(tokens.at(at), b'.') && at < dot + HOST {
        let first = at + 1;
        at = first;
        let single = |token: Token| token.bytes() == 1 || flags(token) & flag::NUMBER != 0;
        let spelled = |at: usize| tokens.at(at).is_value() && tokens.at(at).gap == Gap::Space && single(tokens.at(at));
        while spelled(at) && at < first + HOST {
            at += 1;
        }
        if at == first {
            at += usize::from(tokens.at(at).is_value() && tokens.at(at).gap == Gap::Space);
        }
        if at == first {
            return None;
        }
        labels += 1;
    }
    (labels >= 2).then(|| (scheme_start(tokens, start), at))
}
