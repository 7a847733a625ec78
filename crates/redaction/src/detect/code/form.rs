//! The form of a code of letters and digits: where one begins, and where it ends.

use crate::detect::{flags, is_digit_count};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// Maximum tokens of a code.
const MAX_CODE_TOKENS: usize = 14;
/// Maximum letters and digits of a code.
const MAX_CODE_LENGTH: usize = 24;

/// Whether a code begins at a token: letters right before digits, or digits, or capitals alone.
pub(super) fn begins_code(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.kind == TokenKind::Digits {
        return !is_digit_count(tokens, at);
    }
    // The "s" of "it's 20-45-18" is no part of the code.
    let is_contracted = token.gap == Gap::None && tokens.before(at).is_mark(b'\'');
    if token.kind != TokenKind::Word || is_contracted {
        return false;
    }
    let touches_digits = next.kind == TokenKind::Digits && next.gap == Gap::None;
    let is_hyphenated = next.is_mark(b'-')
        && next.gap == Gap::None
        && tokens.at(at + 2).gap == Gap::None
        && tokens.at(at + 2).is_alphanumeric();
    let is_spaced = next.kind == TokenKind::Digits
        && next.gap <= Gap::Space
        && token.byte_len() <= 5
        && !is_non_code_word(tokens, token);
    let is_digits = token.kind == TokenKind::Digits;
    let is_spelled = is_digits
        || token.byte_len() == 1
            && next.kind == TokenKind::Word
            && next.byte_len() <= 2
            && next.gap == Gap::Space
            && tokens.at(at + 2).kind == TokenKind::Digits
            && !matches!(tokens.str(token), "s" | "a" | "i");
    touches_digits
        || is_hyphenated && (next.kind == TokenKind::Mark && token.byte_len() <= 5)
        || is_spaced
        || is_spelled
        || is_uppercase_code(tokens, token)
}

/// Whether a word such as "QWRTZU" is a code in capitals. The text must have small letters too.
fn is_uppercase_code(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    matches!(word.len(), 5 | 6 | 8 | 11)
        && word.bytes().all(|b| b.is_ascii_uppercase())
        && token.slot() == 0
        && tokens.text.bytes().any(|b| b.is_ascii_lowercase())
}

/// Words before a number that are never part of it. [`is_non_code_word`] checks flags for the others.
const NON_CODE_WORDS: [&str; 42] = [
    "no", "num", "nr", "nbr", "number", "id", "code", "of", "the", "to", "for", "with", "in", "on", "digit", "last",
    "my", "your", "its", "it", "as", "at", "from", "these", "this", "that", "ends", "about", "value", "or", "by",
    "than", "past", "until", "till", "under", "over", "only", "since", "has", "have", "had",
];

/// The letters of these words as integers, to compare a word at once. No word has more than eight letters.
static NON_CODE_KEYS: [u64; NON_CODE_WORDS.len()] = {
    let mut keys = [0; NON_CODE_WORDS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = lexicon::word_key_head(NON_CODE_WORDS[at].as_bytes());
        at += 1;
    }
    keys
};

fn is_non_code_word(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    flags(token) & (flag::COPULA | flag::AND | flag::FILLER | flag::UNIT | flag::MONTH) != 0
        || flags(token) & flag::CUE_HEAD != 0 && word.len() > 2
        || word.len() <= 8 && NON_CODE_KEYS.contains(&lexicon::word_key_head(word.as_bytes()))
}

/// The token after a code that begins at `first`; `None` if there is no digit and the word is not a code in capitals.
pub(super) fn code_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let (mut at, mut length, mut digits) = (first, 0, 0);
    while at < first + MAX_CODE_TOKENS {
        let token = tokens.at(at);
        let is_inner_mark = token.kind == TokenKind::Mark
            && token.byte_len() == 1
            && token.gap == Gap::None
            && tokens.at(at + 1).gap == Gap::None
            && tokens.at(at + 1).is_alphanumeric()
            && matches!(token.mark(), b'-' | b'/' | b'.' | b'_');
        let is_spaced = token.gap == Gap::Space && at > first;
        let is_part = match token.kind {
            TokenKind::Digits => true,
            TokenKind::Word => at == first || token.gap == Gap::None || is_spaced && continues_code(tokens, at),
            TokenKind::Mark => at > first && is_inner_mark,
            TokenKind::Mask | TokenKind::Edge => false,
        };
        if !is_part || at > first && token.gap > Gap::Space || length + token.byte_len() > MAX_CODE_LENGTH {
            break;
        }
        if token.is_alphanumeric() {
            length += token.byte_len();
        }
        digits += if token.kind == TokenKind::Digits { token.byte_len() } else { 0 };
        at += 1;
    }
    let is_ordinal = (first..at)
        .any(|t| flags(tokens.at(t)) & flag::DIGIT_SUFFIX != 0 && tokens.before(t).kind == TokenKind::Digits);
    let is_code = !is_ordinal && at > first && (digits > 0 || is_uppercase_code(tokens, tokens.at(first)));
    let is_quantity = at == first + 1 && flags(tokens.at(at)) & flag::UNIT != 0 || has_decimals(tokens, at);
    let is_masked = crate::masking::mask_tokens::is_mask_tail(tokens, first, at);
    (is_code && !is_quantity && !is_masked).then_some(at)
}

/// Whether a decimal comma or dot with digits follows: "über 349,90 €".
fn has_decimals(tokens: &Tokens<'_>, at: usize) -> bool {
    let (mark, next) = (tokens.at(at), tokens.at(at + 1));
    mark.is_mark(b',') && mark.gap == Gap::None && next.gap == Gap::None && next.kind == TokenKind::Digits
}

/// Whether a word after a space belongs to the code: short letters with digits behind, or a short end.
fn continues_code(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let digits_next = next.kind == TokenKind::Digits && next.gap <= Gap::Space;
    if is_non_code_word(tokens, token)
        || flags(token) & (flag::NUMBER | flag::FILLER) != 0 && token.byte_len() > 1
        || token.flags & flag::DIGIT_SUFFIX != 0
    {
        return false;
    }
    let is_stopword = flags(token) & (flag::STOPWORD | flag::CONNECTOR) != 0;
    if digits_next {
        token.byte_len() <= 3 && (!is_stopword || token.byte_len() == 1)
    } else {
        token.byte_len() <= 4
            && !is_stopword
            && (tokens.len() <= at + 1 || token.byte_len() <= 2 || !next.is_alphanumeric())
    }
}
