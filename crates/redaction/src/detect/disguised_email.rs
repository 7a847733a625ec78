//! E-mail addresses whose marks are said, or put in brackets, or stand apart: "mary [at] example [dot] com",
//! "mary.smith at example.com", "mary@example dot com", "mary @ example.com".
//!
//! Addresses all of whose marks are written, or all of which are said, are looked for elsewhere.

use super::internet::{is_announced, is_bare_host, local_before};
use super::said_address::{is_said, local_start};
use super::{Page, flags};
use crate::candidate::{Candidate, Candidates, Proof};
use crate::entity::Entity;
use crate::span::Reason;
use crate::tables::index::DOMAINS;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Scan, Seen, Token, Tokens, narrow};

/// Dots of a host, parts of a label, and dots in brackets before "at" that are looked at, at most.
const DOTS: usize = 8;
const PARTS: usize = 16;

/// How a mark of an address is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Written,
    Said,
    Bracketed,
}

/// A mark of an address, by its tokens.
#[derive(Clone, Copy)]
struct Mark {
    first: usize,
    after: usize,
    form: Form,
}

/// What stands behind "at".
struct Host {
    after: usize,
    /// How its dots are given.
    written: bool,
    said: bool,
    bracketed: bool,
}

/// An address with a host; what stands before "at" may be nothing or masked.
struct Address {
    at: Mark,
    host: Host,
}

/// Whether a text may hold such an address.
pub(crate) fn may_be_in(seen: &Seen) -> bool {
    (seen.at || seen.words & flag::MARK != 0) && (seen.inner_mark || seen.words & flag::DOT != 0)
}

/// Looks at every "at". Runs after the detectors of web addresses, whose hosts it may take back.
#[inline(never)]
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    if !out.wants(Entity::EMAIL.bit()) {
        return;
    }
    let tokens = page.tokens;
    let mut hosts = Vec::new();
    for address in addresses(tokens) {
        let (host, end) = (address.host_start(tokens), address.end(tokens));
        if tokens.before(address.at.first).kind == Kind::Mask {
            hosts.push(host..end);
            continue;
        }
        let Some(start) = address.local(tokens) else { continue };
        if !address.tells(tokens, start) && !address.is_named(page) {
            continue;
        }
        hosts.push(host..end);
        out.push(Candidate {
            start,
            end,
            shown_from: tokens.at(address.at.first).start,
            entity: Entity::EMAIL,
            reason: Reason::Shape,
            proof: Proof::Check,
        });
    }
    if !hosts.is_empty() {
        out.take_back(Entity::URL, &hosts);
    }
}

/// Whether a text holds what is an address where one is asked for, and else a word and a host: "mary at example.com".
pub(crate) fn may_answer(scan: &Scan<'_>) -> bool {
    let tokens = &scan.tokens();
    let untold = |address: Address| address.local(tokens).is_some_and(|start| !address.tells(tokens, start));
    may_be_in(&scan.seen) && addresses(tokens).any(untold)
}

fn addresses<'a>(tokens: &'a Tokens<'_>) -> impl Iterator<Item = Address> + 'a {
    (0..tokens.len()).filter_map(|first| {
        let at = mark(tokens, first, b'@')?;
        let host = host(tokens, at.after)?;
        let address = Address { at, host };
        address.is_disguised(tokens).then_some(address)
    })
}

impl Address {
    /// Whether its marks are neither all written where they belong nor all said.
    fn is_disguised(&self, tokens: &Tokens<'_>) -> bool {
        let Host { written, said, bracketed, .. } = self.host;
        let gaps = self.gaps(tokens);
        let near = gaps.iter().all(|gap| *gap <= Gap::Space);
        match self.at.form {
            Form::Bracketed => near,
            Form::Said if said || bracketed => gaps == [Gap::Space; 2] && (written || bracketed),
            Form::Said => {
                gaps == [Gap::Space; 2] && is_bare_host(tokens.between(self.host_start(tokens), self.end(tokens)))
            }
            Form::Written => near && (said || bracketed || self.is_apart(tokens)),
        }
    }

    /// What lies before "at" and behind it.
    fn gaps(&self, tokens: &Tokens<'_>) -> [Gap; 2] {
        [tokens.at(self.at.first).gap, tokens.at(self.at.after).gap]
    }

    /// Whether "at" is a word of its own, so that what stands before it need not belong to what stands behind it.
    fn is_apart(&self, tokens: &Tokens<'_>) -> bool {
        self.at.form != Form::Bracketed && self.gaps(tokens) != [Gap::None; 2]
    }

    fn host_start(&self, tokens: &Tokens<'_>) -> u32 {
        tokens.at(self.at.after).start
    }

    fn end(&self, tokens: &Tokens<'_>) -> u32 {
        tokens.before(self.host.after).end
    }

    /// Where what stands before "at" begins, if anything does.
    fn local(&self, tokens: &Tokens<'_>) -> Option<u32> {
        let at = self.at.first;
        let said = Some(local_start(tokens, at)).filter(|first| *first < at).map(|first| tokens.at(first).start);
        let written = written_start(tokens, at);
        let start = match (self.at.form, tokens.at(at).gap) {
            // A word before an "at" that stands apart is part of an address only where it reads as one.
            (Form::Said, _) | (Form::Written, Gap::Space) => said.map(|said| written.map_or(said, |w| w.min(said))),
            _ => said.into_iter().chain(written).min(),
        };
        start.map(|start| dotted_start(tokens, at, start))
    }

    /// Whether the address itself tells that it is one: by where its "at" is, by a mark in its name, by a provider of mail.
    fn tells(&self, tokens: &Tokens<'_>, start: u32) -> bool {
        let mut name = token_from(tokens, self.at.first, start)..self.at.first;
        !self.is_apart(tokens)
            || flags(tokens.at(self.at.after)) & flag::MAIL_HOST != 0
            || name.any(|at| joins_names(tokens, at))
    }

    /// Whether the text, or a question before it, names an e-mail address.
    fn is_named(&self, page: &Page<'_, '_>) -> bool {
        is_announced(page, self.at.first.saturating_sub(1), self.host.after, Entity::EMAIL.bit())
    }
}

/// Whether a token is a mark between two parts of a name, as "4.5" and "one dot two" have none.
fn joins_names(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let names = |token: Token| token.kind == Kind::Word && flags(token) & flag::NUMBER == 0;
    let mark = flags(token) & flag::MARK != 0 || token.is_mark(b'.');
    token.is_mark(b'_') || token.is_mark(b'+') || mark && names(tokens.before(at)) && names(tokens.at(at + 1))
}

/// The mark that begins at a token: as itself, as the word for it, or either in brackets.
fn mark(tokens: &Tokens<'_>, first: usize, mark: u8) -> Option<Mark> {
    let form = |at: usize| {
        let token = tokens.at(at);
        let written = (token.is_mark(mark) && token.bytes() == 1).then_some(Form::Written);
        // "Point" and "period" are for numbers and sentences.
        let said = || (is_said(token, mark) && token.bytes() <= 3).then_some(Form::Said);
        written.or_else(said)
    };
    if let Some(form) = form(first) {
        return Some(Mark { first, after: first + 1, form });
    }
    let open = tokens.at(first);
    let closing = match u8::try_from(open.code) {
        Ok(b'(') => b')',
        Ok(b'[') => b']',
        Ok(b'{') => b'}',
        Ok(b'<') => b'>',
        _ => return None,
    };
    let (inner, close) = (tokens.at(first + 1), tokens.at(first + 2));
    let whole = open.kind == Kind::Mark
        && close.is_mark(closing)
        && [open, close].iter().all(|bracket| bracket.bytes() == 1)
        && inner.gap <= Gap::Space
        && close.gap <= Gap::Space;
    (whole && form(first + 1).is_some()).then_some(Mark { first, after: first + 3, form: Form::Bracketed })
}

/// The host that begins at a token, up to its last top-level domain.
fn host(tokens: &Tokens<'_>, first: usize) -> Option<Host> {
    let (mut found, mut written, mut said, mut bracketed) = (None, false, false, false);
    let mut end = label_end(tokens, first).filter(|end| may_be_name(tokens, first, *end))?;
    for _ in 0..DOTS {
        let Some(dot) = mark(tokens, end, b'.') else { break };
        let gaps = [tokens.at(dot.first).gap, tokens.at(dot.after).gap];
        let joins = match dot.form {
            Form::Written => gaps == [Gap::None; 2],
            Form::Said => gaps == [Gap::Space; 2],
            Form::Bracketed => gaps.iter().all(|gap| *gap <= Gap::Space),
        };
        let Some(after) = label_end(tokens, dot.after).filter(|_| joins) else { break };
        written |= dot.form == Form::Written;
        said |= dot.form == Form::Said;
        bracketed |= dot.form == Form::Bracketed;
        let top = tokens.at(dot.after);
        if after == dot.after + 1 && top.kind == Kind::Word && top.bytes() > 1 && DOMAINS.contains(tokens.str(top)) {
            found = Some(Host { after, written, said, bracketed });
        }
        end = after;
    }
    // What goes on with a path is a web address.
    found.filter(|host| !(tokens.at(host.after).is_mark(b'/') && tokens.at(host.after).gap == Gap::None))
}

/// Whether a label may be a name: "6.pm" is a time.
fn may_be_name(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    (first..after).any(|at| tokens.at(at).kind == Kind::Word || tokens.at(at).bytes() > 2)
}

/// The token after letters, digits and single dashes in one piece.
fn label_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let joined = |at: usize| tokens.at(at).gap == Gap::None && tokens.at(at).is_value();
    let mut end = first + usize::from(tokens.at(first).is_value());
    while end > first && end < first + PARTS {
        let dash = tokens.at(end).is_mark(b'-') && tokens.at(end).gap == Gap::None && tokens.at(end).bytes() == 1;
        end = match () {
            () if joined(end) => end + 1,
            () if dash && joined(end + 1) => end + 2,
            () => break,
        };
    }
    (end > first).then_some(end)
}

/// Where the characters of a local part begin that stand right before a token, or a space before it.
fn written_start(tokens: &Tokens<'_>, at: usize) -> Option<u32> {
    let end = tokens.before(at).end;
    let local = local_before(tokens.between(0, end));
    (tokens.at(at).gap <= Gap::Space && !local.is_empty()).then(|| end - narrow(local.len()))
}

/// Where a local part begins that goes on to the left by dots in brackets: "mary [dot] smith".
fn dotted_start(tokens: &Tokens<'_>, at: usize, mut start: u32) -> u32 {
    let mut first = at;
    for _ in 0..DOTS {
        first = token_from(tokens, first, start);
        let dot = first.checked_sub(3).and_then(|open| mark(tokens, open, b'.'));
        let Some(dot) = dot.filter(|dot| dot.after == first && tokens.at(first).gap <= Gap::Space) else { break };
        let Some(before) = written_start(tokens, dot.first) else { break };
        start = before;
    }
    start
}

/// The first token before a place that begins at a byte or later.
fn token_from(tokens: &Tokens<'_>, at: usize, start: u32) -> usize {
    (0..at).rev().take_while(|before| tokens.at(*before).start >= start).last().unwrap_or(at)
}
