//! The words around the parts of a value that is read out in several messages.

use super::{flags, is_connector, is_one_of};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words that lead to a part: they say which one comes, or show surprise.
pub(super) const LEAD_WORDS: [&str; 27] = [
    "first", "second", "third", "next", "last", "final", "rest", "half", "part", "bit", "piece", "group", "lot",
    "starts", "begins", "ends", "then", "after", "followed", "finally", "gosh", "oh", "luego", "puis", "dann", "poi",
    "depois",
];

/// Whether a token may be before a part or between parts: politeness, connectors, "the first half is", a mark.
pub(super) fn may_surround(tokens: &Tokens<'_>, at: usize) -> bool {
    const GRAMMAR: u32 = flag::CONNECTOR | flag::FILLER | flag::STOPWORD | flag::AND | flag::COPULA;
    // Words before a count, a price or a time.
    const BEFORE_COUNTS: [&str; 16] = [
        "there", "are", "about", "only", "around", "have", "has", "nearly", "almost", "over", "under", "for", "at",
        "until", "since", "in",
    ];
    let token = tokens.at(at);
    match token.kind {
        TokenKind::Mark => !matches!(token.mark(), b'$' | b'%' | b'?' | b'/' | b'@'),
        TokenKind::Word => {
            is_one_of(tokens, token, &LEAD_WORDS)
                || !is_one_of(tokens, token, &BEFORE_COUNTS)
                    && (is_connector(tokens, at)
                        || flags(token) & GRAMMAR != 0 && flags(token) & (flag::UNIT | flag::NUMBER) == 0)
                || tokens.before(at).is_mark(b'\'') && token.gap == Gap::None
        }
        TokenKind::Digits | TokenKind::Mask | TokenKind::Edge => false,
    }
}

/// Whether a token may follow the last part of a message: politeness, or what announces the next part.
pub(super) fn may_follow(tokens: &Tokens<'_>, at: usize) -> bool {
    const POLITE: [&str; 22] = [
        "please", "thanks", "thank", "you", "okay", "ok", "yes", "yeah", "yep", "right", "so", "and", "that", "s",
        "it", "is", "sir", "madam", "ma", "am", "got", "the",
    ];
    let token = tokens.at(at);
    token.kind == TokenKind::Mark && may_surround(tokens, at)
        || flags(token) & flag::FILLER != 0
        || is_one_of(tokens, token, &LEAD_WORDS)
        || is_one_of(tokens, token, &POLITE)
}
