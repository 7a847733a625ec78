//! Markup between digits that says nothing about them: complete tags, escapes, labels of speakers at the start of a line,
//! and the markers of a numbered list.

use crate::numbers::is_number_token;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens of a tag, and of a time in brackets.
const MAX_TAG_TOKENS: usize = 24;
const MAX_TIME_TOKENS: usize = 24;
/// Tokens after the marker of the first item of a list in which the second item begins.
const MAX_ITEM_TOKENS: usize = 14;
/// Words that name the speaker of a line.
const SPEAKERS: [&str; 24] = [
    "customer",
    "caller",
    "client",
    "user",
    "visitor",
    "guest",
    "agent",
    "advisor",
    "adviser",
    "operator",
    "representative",
    "rep",
    "bot",
    "assistant",
    "speaker",
    "me",
    "you",
    "kunde",
    "anrufer",
    "mitarbeiter",
    "cliente",
    "agente",
    "conseiller",
    "appelant",
];

/// The code points of the ASCII digits.
const DIGIT_CODES: std::ops::RangeInclusive<u32> = 48..=57;

/// Markup that begins at a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Markup {
    /// Markup up to a token.
    Inline(usize),
    /// The labels of a line up to a token. The line break before them is no more than a joint.
    Label(usize),
    /// A character reference up to a token, which stands for a digit.
    Digit(usize, u8),
}

/// The markup that begins at a token.
pub(super) fn at(tokens: &Tokens<'_>, at: usize) -> Option<Markup> {
    let token = tokens.at(at);
    if (at == 0 || token.gap >= Gap::Line) && (token.kind == TokenKind::Word || token.is_mark(b'[')) {
        let end = label_end(tokens, at);
        if end > at {
            return Some(Markup::Label(end));
        }
    }
    if token.kind != TokenKind::Mark || token.byte_len() != 1 {
        return None;
    }
    match token.mark() {
        b'<' => tag_end(tokens, at).map(Markup::Inline),
        b'\\' => is_escape(tokens, at + 1).then_some(Markup::Inline(at + 2)),
        b'&' => reference(tokens, at),
        _ => None,
    }
}

/// The token after a list marker such as "2)" that begins at a token and has this value.
pub(super) fn list_marker_end(tokens: &Tokens<'_>, at: usize, value: u32) -> Option<usize> {
    let is_marker = |at: usize, value: u32| {
        let (number, mark, next) = (tokens.at(at), tokens.at(at + 1), tokens.at(at + 2));
        number.kind == TokenKind::Digits
            && number.digit_count() <= 2
            && tokens.str(number).parse() == Ok(value)
            && mark.gap == Gap::None
            && (mark.is_mark(b')') || mark.is_mark(b'.'))
            && next.gap == Gap::Space
            && is_number_token(next)
    };
    if tokens.at(at).kind != TokenKind::Digits {
        return None;
    }
    let begins_line = |at: usize| at == 0 || tokens.at(at).gap >= Gap::Line;
    let is_followed = || (at + 3..at + MAX_ITEM_TOKENS).any(|next| begins_line(next) && is_marker(next, value + 1));
    let begins_item = begins_line(at) || value == 1;
    (begins_item && is_marker(at, value) && (value > 1 || is_followed())).then_some(at + 2)
}

/// The token after a tag such as `</b>`, `<br/>`, `<span class="x">` or `<0.97>`.
fn tag_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let first = tokens.at(at + 1);
    if first.gap != Gap::None {
        return None;
    }
    if first.kind == TokenKind::Digits {
        let is_confidence = matches!(tokens.str(first), "0" | "1")
            && tokens.at(at + 2).is_mark(b'.')
            && tokens.at(at + 3).kind == TokenKind::Digits
            && tokens.at(at + 4).is_mark(b'>');
        return is_confidence.then_some(at + 5);
    }
    let name = if first.is_mark(b'/') { tokens.at(at + 2) } else { first };
    if name.kind != TokenKind::Word || name.gap != Gap::None || is_number_token(name) {
        return None;
    }
    let mut has_attribute = false;
    for next in at + 1..at + MAX_TAG_TOKENS {
        let token = tokens.at(next);
        if token.gap >= Gap::Line || token.kind == TokenKind::Mask || is_number_token(token) && !has_attribute {
            return None;
        }
        has_attribute |= token.is_mark(b'=');
        if token.is_mark(b'>') {
            return (token.byte_len() == 1).then_some(next + 1);
        }
    }
    None
}

/// Whether a token is the letter of an escape such as `\n`.
fn is_escape(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind == TokenKind::Word && token.gap == Gap::None && matches!(tokens.str(token), "n" | "r" | "t")
}

/// A character reference such as `&nbsp;` or `&#8203;`.
fn reference(tokens: &Tokens<'_>, at: usize) -> Option<Markup> {
    let touches = |token: Token| token.gap == Gap::None;
    let (first, second, third) = (tokens.at(at + 1), tokens.at(at + 2), tokens.at(at + 3));
    if !touches(first) || !touches(second) {
        return None;
    }
    if first.kind == TokenKind::Word && !is_number_token(first) && second.is_mark(b';') {
        return Some(Markup::Inline(at + 3));
    }
    if !first.is_mark(b'#') || second.kind != TokenKind::Digits || !third.is_mark(b';') || !touches(third) {
        return None;
    }
    let code: u32 = tokens.str(second).parse().ok()?;
    if !DIGIT_CODES.contains(&code) {
        return Some(Markup::Inline(at + 4));
    }
    u8::try_from(code - DIGIT_CODES.start()).ok().map(|value| Markup::Digit(at + 4, value))
}

/// The token after the labels of a line: a time in brackets, the word for a speaker with a colon, or both.
fn label_end(tokens: &Tokens<'_>, at: usize) -> usize {
    let after_time = time_end(tokens, at).unwrap_or(at);
    let word = tokens.at(after_time);
    let is_speaker =
        word.kind == TokenKind::Word && SPEAKERS.iter().any(|speaker| speaker.eq_ignore_ascii_case(tokens.str(word)));
    if !is_speaker {
        return after_time;
    }
    let next = tokens.at(after_time + 1);
    let is_numbered = next.kind == TokenKind::Digits && next.digit_count() <= 2;
    let colon = after_time + 1 + usize::from(is_numbered);
    if tokens.at(colon).is_mark(b':') { colon + 1 } else { after_time }
}

/// The token after a time in brackets: `[09:00:01]`, `[00:01:05.000 --> 00:01:07.000]`.
fn time_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    if !tokens.at(at).is_mark(b'[') {
        return None;
    }
    let mut has_colon = false;
    for next in at + 1..at + MAX_TIME_TOKENS {
        let token = tokens.at(next);
        let is_part = match token.kind {
            TokenKind::Digits => token.digit_count() <= 3,
            TokenKind::Mark => true,
            TokenKind::Word | TokenKind::Mask | TokenKind::Edge => false,
        };
        if !is_part || token.gap >= Gap::Line {
            return None;
        }
        has_colon |= token.is_mark(b':');
        if token.is_mark(b']') {
            return has_colon.then_some(next + 1);
        }
    }
    None
}
