//! E-mail addresses with spoken, bracketed or spaced marks: "mary [at] example [dot] com", "mary.smith at example.com",
//! "mary@example dot com", "mary @ example.com".
//!
//! Other modules find the addresses whose marks are all written or all spoken.

use super::internet::{is_bare_host, is_cued_or_expected, local_before};
use super::spoken_local_part::local_start;
use super::token_words::is_spoken;
use super::{DetectorInput, flags};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::word_set::TOP_LEVEL_DOMAIN_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TextFeatures, Token, TokenKind, TokenizedText, Tokens, saturating_u32};

/// Maximum dots of a host, tokens of a label, and bracketed dots before "at".
const MAX_DOTS: usize = 8;
const MAX_LABEL_TOKENS: usize = 16;

/// The form of a mark in an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Written,
    Spoken,
    Bracketed,
}

/// A mark of an address, with its tokens.
#[derive(Clone, Copy)]
struct Mark {
    first: usize,
    after: usize,
    form: Form,
}

/// The host behind "at".
struct Host {
    after: usize,
    /// The forms of its dots.
    written: bool,
    spoken: bool,
    bracketed: bool,
}

/// An address with a host. The local part before "at" may be missing or masked.
struct Address {
    at: Mark,
    host: Host,
}

/// Whether a text may hold such an address.
pub(crate) fn may_be_in(features: &TextFeatures) -> bool {
    (features.has_at_sign || features.word_flags & flag::SPOKEN_MARK != 0)
        && (features.may_have_address_mark || features.word_flags & flag::DOT != 0)
}

/// Looks at every "at". Runs after the detectors of web addresses, and withdraws their candidates that are hosts of
/// e-mail addresses.
#[inline(never)]
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(Entity::EMAIL.bit()) {
        return;
    }
    let tokens = input.tokens;
    let mut hosts = Vec::new();
    for address in addresses(tokens) {
        let (host, end) = (address.host_start(tokens), address.end(tokens));
        if tokens.before(address.at.first).kind == TokenKind::Mask {
            hosts.push(host..end);
            continue;
        }
        let Some(start) = address.local_part_start(tokens) else { continue };
        if !address.is_unambiguous(tokens, start) && !address.is_cued_or_expected(input) {
            continue;
        }
        hosts.push(host..end);
        out.push(Candidate {
            start,
            end,
            visible_from: tokens.at(address.at.first).start,
            entity: Entity::EMAIL,
            reason: DetectionReason::Shape,
            evidence: EvidenceRank::Checksum,
        });
    }
    if !hosts.is_empty() {
        out.remove_within(Entity::URL, &hosts);
    }
}

/// Whether a text has a word and a host such as "mary at example.com", which is an e-mail address only if an earlier
/// message asks for one.
pub(crate) fn may_answer(text: &TokenizedText<'_>) -> bool {
    let tokens = &text.tokens();
    let is_ambiguous =
        |address: Address| address.local_part_start(tokens).is_some_and(|start| !address.is_unambiguous(tokens, start));
    may_be_in(&text.features) && addresses(tokens).any(is_ambiguous)
}

fn addresses<'a>(tokens: &'a Tokens<'_>) -> impl Iterator<Item = Address> + 'a {
    (0..tokens.len()).filter_map(|first| {
        let at = read_mark(tokens, first, b'@')?;
        let host = read_host(tokens, at.after)?;
        let address = Address { at, host };
        address.is_disguised(tokens).then_some(address)
    })
}

impl Address {
    /// Whether the marks are neither all written in their usual place nor all spoken.
    fn is_disguised(&self, tokens: &Tokens<'_>) -> bool {
        let Host { written, spoken, bracketed, .. } = self.host;
        let gaps = self.gaps(tokens);
        let is_close = gaps.iter().all(|gap| *gap <= Gap::Space);
        match self.at.form {
            Form::Bracketed => is_close,
            Form::Spoken if spoken || bracketed => gaps == [Gap::Space; 2] && (written || bracketed),
            Form::Spoken => {
                gaps == [Gap::Space; 2] && is_bare_host(tokens.between(self.host_start(tokens), self.end(tokens)))
            }
            Form::Written => is_close && (spoken || bracketed || self.is_at_spaced(tokens)),
        }
    }

    /// The gaps before and behind "at".
    fn gaps(&self, tokens: &Tokens<'_>) -> [Gap; 2] {
        [tokens.at(self.at.first).gap, tokens.at(self.at.after).gap]
    }

    /// Whether spaces are around "at", so that the word before it may not belong to the host.
    fn is_at_spaced(&self, tokens: &Tokens<'_>) -> bool {
        self.at.form != Form::Bracketed && self.gaps(tokens) != [Gap::None; 2]
    }

    fn host_start(&self, tokens: &Tokens<'_>) -> u32 {
        tokens.at(self.at.after).start
    }

    fn end(&self, tokens: &Tokens<'_>) -> u32 {
        tokens.before(self.host.after).end
    }

    /// The first byte of the local part before "at", if there is one.
    fn local_part_start(&self, tokens: &Tokens<'_>) -> Option<u32> {
        let at = self.at.first;
        let spoken = Some(local_start(tokens, at)).filter(|first| *first < at).map(|first| tokens.at(first).start);
        let written = written_start(tokens, at);
        let start = match (self.at.form, tokens.at(at).gap) {
            // A word before a spaced "at" is part of an address only if it reads as a spoken local part.
            (Form::Spoken, _) | (Form::Written, Gap::Space) => {
                spoken.map(|spoken| written.map_or(spoken, |w| w.min(spoken)))
            }
            _ => spoken.into_iter().chain(written).min(),
        };
        start.map(|start| dotted_start(tokens, at, start))
    }

    /// Whether the address is certain without a cue: its "at" has no spaces around, a mark is in its local part, or its
    /// host is a mail provider.
    fn is_unambiguous(&self, tokens: &Tokens<'_>, start: u32) -> bool {
        let mut name = token_from(tokens, self.at.first, start)..self.at.first;
        !self.is_at_spaced(tokens)
            || flags(tokens.at(self.at.after)) & flag::MAIL_HOST != 0
            || name.any(|at| joins_names(tokens, at))
    }

    /// Whether the text or an earlier message names an e-mail address.
    fn is_cued_or_expected(&self, input: &DetectorInput<'_, '_>) -> bool {
        is_cued_or_expected(input, self.at.first.saturating_sub(1), self.host.after, Entity::EMAIL.bit())
    }
}

/// Whether a token is a mark between two parts of a name. The marks of "4.5" and "one dot two" are not.
fn joins_names(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let names = |token: Token| token.kind == TokenKind::Word && flags(token) & flag::NUMBER == 0;
    let mark = flags(token) & flag::SPOKEN_MARK != 0 || token.is_mark(b'.');
    token.is_mark(b'_') || token.is_mark(b'+') || mark && names(tokens.before(at)) && names(tokens.at(at + 1))
}

/// The mark that begins at a token: written, spoken, or either one in brackets.
fn read_mark(tokens: &Tokens<'_>, first: usize, mark: u8) -> Option<Mark> {
    let form = |at: usize| {
        let token = tokens.at(at);
        let written = (token.is_mark(mark) && token.byte_len() == 1).then_some(Form::Written);
        // "Point" and "period" are words of numbers and sentences.
        let spoken = || (is_spoken(token, mark) && token.byte_len() <= 3).then_some(Form::Spoken);
        written.or_else(spoken)
    };
    if let Some(form) = form(first) {
        return Some(Mark { first, after: first + 1, form });
    }
    let open = tokens.at(first);
    let closing = match open.mark() {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        _ => return None,
    };
    let (inner, close) = (tokens.at(first + 1), tokens.at(first + 2));
    let whole = open.kind == TokenKind::Mark
        && close.is_mark(closing)
        && [open, close].iter().all(|bracket| bracket.byte_len() == 1)
        && inner.gap <= Gap::Space
        && close.gap <= Gap::Space;
    (whole && form(first + 1).is_some()).then_some(Mark { first, after: first + 3, form: Form::Bracketed })
}

/// The host that begins at a token, up to its last top-level domain.
fn read_host(tokens: &Tokens<'_>, first: usize) -> Option<Host> {
    let (mut found, mut written, mut spoken, mut bracketed) = (None, false, false, false);
    let mut end = label_end(tokens, first).filter(|end| may_be_name(tokens, first, *end))?;
    for _ in 0..MAX_DOTS {
        let Some(dot) = read_mark(tokens, end, b'.') else { break };
        let gaps = [tokens.at(dot.first).gap, tokens.at(dot.after).gap];
        let is_joined = match dot.form {
            Form::Written => gaps == [Gap::None; 2],
            Form::Spoken => gaps == [Gap::Space; 2],
            Form::Bracketed => gaps.iter().all(|gap| *gap <= Gap::Space),
        };
        let Some(after) = label_end(tokens, dot.after).filter(|_| is_joined) else { break };
        written |= dot.form == Form::Written;
        spoken |= dot.form == Form::Spoken;
        bracketed |= dot.form == Form::Bracketed;
        let top = tokens.at(dot.after);
        if after == dot.after + 1
            && top.kind == TokenKind::Word
            && top.byte_len() > 1
            && TOP_LEVEL_DOMAIN_SET.contains(tokens.str(top))
        {
            found = Some(Host { after, written, spoken, bracketed });
        }
        end = after;
    }
    // A host with a path is a web address.
    found.filter(|host| !(tokens.at(host.after).is_mark(b'/') && tokens.at(host.after).gap == Gap::None))
}

/// Whether a label can be part of a name. The "6" of "6.pm" cannot.
fn may_be_name(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    (first..after).any(|at| tokens.at(at).kind == TokenKind::Word || tokens.at(at).byte_len() > 2)
}

/// The token after letters, digits and single hyphens without a space.
fn label_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let is_joined = |at: usize| tokens.at(at).gap == Gap::None && tokens.at(at).is_alphanumeric();
    let mut end = first + usize::from(tokens.at(first).is_alphanumeric());
    while end > first && end < first + MAX_LABEL_TOKENS {
        let is_hyphen =
            tokens.at(end).is_mark(b'-') && tokens.at(end).gap == Gap::None && tokens.at(end).byte_len() == 1;
        end = match () {
            () if is_joined(end) => end + 1,
            () if is_hyphen && is_joined(end + 1) => end + 2,
            () => break,
        };
    }
    (end > first).then_some(end)
}

/// The first byte of the written local part right before a token, or a space before it.
fn written_start(tokens: &Tokens<'_>, at: usize) -> Option<u32> {
    let end = tokens.before(at).end;
    let local = local_before(tokens.between(0, end));
    (tokens.at(at).gap <= Gap::Space && !local.is_empty()).then(|| end - saturating_u32(local.len()))
}

/// The first byte of a local part that continues to the left with bracketed dots: "mary [dot] smith".
fn dotted_start(tokens: &Tokens<'_>, at: usize, mut start: u32) -> u32 {
    let mut first = at;
    for _ in 0..MAX_DOTS {
        first = token_from(tokens, first, start);
        let dot = first.checked_sub(3).and_then(|open| read_mark(tokens, open, b'.'));
        let Some(dot) = dot.filter(|dot| dot.after == first && tokens.at(first).gap <= Gap::Space) else { break };
        let Some(before) = written_start(tokens, dot.first) else { break };
        start = before;
    }
    start
}

/// The first token before `at` that begins at byte `start` or later; `at` if there is none.
fn token_from(tokens: &Tokens<'_>, at: usize, start: u32) -> usize {
    (0..at).rev().take_while(|before| tokens.at(*before).start >= start).last().unwrap_or(at)
}
