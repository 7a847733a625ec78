//! The local part of a spoken e-mail address: what stands before "at".

use super::token_words::is_spoken;
use super::{flags, is_one_of, spelled_code};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens of the local part before "at".
const MAX_LOCAL_TOKENS: usize = 40;

/// Names of mailboxes that are also common words.
const MAILBOXES: [&str; 18] = [
    "info",
    "sales",
    "support",
    "contact",
    "admin",
    "office",
    "billing",
    "accounts",
    "enquiries",
    "reception",
    "bookings",
    "orders",
    "press",
    "marketing",
    "postmaster",
    "webmaster",
    "hr",
    "hello",
];

/// Whether a word is the name of a mailbox that has no owner: "info".
pub(super) fn is_mailbox(tokens: &Tokens<'_>, token: Token) -> bool {
    is_one_of(tokens, token, &MAILBOXES)
}

/// The first token of the local part before "at"; `at_word` if there is none.
pub(super) fn local_start(tokens: &Tokens<'_>, at_word: usize) -> usize {
    let mut first = at_word;
    let mut forced = false;
    while first > 0 && at_word - first < MAX_LOCAL_TOKENS && tokens.at(first).gap <= Gap::Space {
        if let Some(start) = spelled_code::explained_letter_start(tokens, first) {
            (first, forced) = (start, false);
            continue;
        }
        let token = tokens.at(first - 1);
        let right = tokens.at(first);
        let begun = first < at_word;
        let is_separator = is_local_separator(token, right);
        let is_spelled = token.is_alphanumeric()
            && (token.byte_len() == 1
                || token.kind == TokenKind::Digits
                || flags(token) & (flag::NUMBER | flag::SPELLING_ALPHABET) != 0);
        let is_stopword = flags(token) & (flag::STOPWORD | flag::CONNECTOR | flag::CUE_HEAD | flag::FILLER) != 0
            && !(first == at_word && is_mailbox(tokens, token));
        let number_right = right.kind == TokenKind::Digits || flags(right) & flag::NUMBER != 0;
        let take = if forced {
            token.is_alphanumeric()
        } else if is_separator {
            begun
        } else if is_spelled {
            !begun || right.byte_len() == 1 || number_right || flags(right) & flag::SPELLING_ALPHABET != 0
        } else {
            token.kind == TokenKind::Word
                && !is_stopword
                && (!begun || number_right && right.byte_len() > 1 || number_right && right.kind == TokenKind::Digits)
        };
        if !take || !is_separator && !token.is_alphanumeric() {
            break;
        }
        first -= 1;
        let is_word = !is_separator && !is_spelled;
        forced = is_separator;
        if is_word && !preceded_by_separator(tokens, first) {
            break;
        }
    }
    if forced { at_word } else { first }
}

/// Whether a spoken or written mark joins two parts of a local part.
fn is_local_separator(token: Token, right: Token) -> bool {
    let written = matches!(token.mark(), b'.' | b'_' | b'-');
    flags(token) & flag::SPOKEN_MARK != 0 && !is_spoken(token, b'@')
        || token.kind == TokenKind::Mark && written && token.byte_len() == 1 && right.gap == Gap::None
}

fn preceded_by_separator(tokens: &Tokens<'_>, at: usize) -> bool {
    let before = tokens.before(at);
    flags(before) & flag::SPOKEN_MARK != 0 && !is_spoken(before, b'@')
        || before.kind == TokenKind::Mark
            && matches!(before.mark(), b'.' | b'_' | b'-')
            && tokens.at(at).gap == Gap::None
}
