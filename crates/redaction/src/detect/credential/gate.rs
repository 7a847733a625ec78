//! Whether a text can hold a secret at all, by its words and shapes.

use super::piece::SECRETS;
use super::{topic, word_class};
use crate::detect::{WordList, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::{SECRET_HINTS, flag};
use crate::tokenize::{Gap, TextFeatures, Token, TokenKind, Tokens};

/// Whether a text can hold a secret that this detector finds: its cues or earlier messages name one, or a segment
/// consists of letters with digits or marks.
pub(crate) fn may_be_in(tokens: &Tokens<'_>, features: &TextFeatures, named: EntitySet, active: EntitySet) -> bool {
    active.intersects(SECRETS)
        && (named.intersects(SECRETS)
            || tokens.len() <= topic::MAX_HINTED_TOKENS
                && may_hint(tokens, features)
                && active.contains(Entity::PASSWORD)
            || features.has_digits
                && active.contains(Entity::PASSWORD)
                && (has_mixed_segment(tokens) || has_number_after_with(tokens))
            || may_be_passphrase(tokens, features, active)
            || active.contains(Entity::PASSWORD)
                && tokens.len() <= topic::MAX_HINTED_TOKENS
                && is_spelled(tokens, features))
}

/// Whether a text can hold a passphrase of joined words.
pub(crate) fn may_be_passphrase(tokens: &Tokens<'_>, features: &TextFeatures, active: EntitySet) -> bool {
    features.has_long_segment
        && tokens.len() <= topic::MAX_HINTED_TOKENS
        && active.contains(Entity::PASSWORD)
        && has_joined_words(tokens)
}

/// Maximum tokens of a message whose secret can be a word without a number.
const MAX_SHORT_TOKENS: usize = 24;

/// The words of [`SECRET_HINTS`].
static HINTS: WordList = WordList::new(&SECRET_HINTS);

/// Whether a text has a word of sentences about secrets and may have a value, or spells by the spelling alphabet.
fn may_hint(tokens: &Tokens<'_>, features: &TextFeatures) -> bool {
    let has = |word: u32| features.word_flags & word != 0;
    let has_number = has(flag::NUMBER) || features.has_digits;
    let may_have_value =
        has_number || has(flag::SPELLING_ALPHABET) || features.has_second_capital || tokens.len() <= MAX_SHORT_TOKENS;
    let is_nato = |token: &Token| token.flags & flag::SPELLING_ALPHABET != 0;
    let spells = |pair: &[Token]| {
        let is_letter = |token: &Token| is_nato(token) || token.kind == TokenKind::Word && token.byte_len() == 1;
        pair.iter().all(is_letter) && pair.iter().any(is_nato)
    };
    // "k as in kilo"
    let explains = |four: &[Token]| {
        let is_letter = |token: &Token| token.kind == TokenKind::Word && token.byte_len() == 1;
        four.last().is_some_and(is_nato)
            && four.iter().take(2).any(is_letter)
            && four.iter().any(|token| is_one_of(tokens, *token, &["as", "like", "for"]))
    };
    let is_hint = |token: &Token| HINTS.has(tokens, *token);
    let hints = || has(flag::WORD_VALUE_CUE) && tokens.as_slice().iter().any(is_hint);
    let comments = || {
        /// Bytes of the shortest of these words.
        const MIN_BYTES: usize = 6;
        const SPELLING: [&str; 7] =
            ["letters", "spaces", "lowercase", "minuscules", "minusculas", "minúsculas", "minuscole"];
        has(flag::WORD_VALUE_CUE | flag::SECRET_WORD)
            && tokens
                .as_slice()
                .iter()
                .any(|token| token.byte_len() >= MIN_BYTES && is_one_of(tokens, *token, &SPELLING))
    };
    may_have_value && (has(flag::SECRET_WORD) || hints())
        || comments()
        || has(flag::SPELLING_ALPHABET)
            && has_number
            && (tokens.as_slice().windows(2).any(spells) || tokens.as_slice().windows(4).any(explains))
}

/// Whether a text with numbers spells a word letter by letter, or a word changes its case inside.
fn is_spelled(tokens: &Tokens<'_>, features: &TextFeatures) -> bool {
    let is_letter = |token: &Token| token.kind == TokenKind::Word && token.byte_len() == 1;
    let has_number = features.has_digits || features.word_flags & flag::NUMBER != 0;
    let changes_case = |token: &Token| {
        let word = tokens.str(*token).as_bytes();
        let changes = |pair: &[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
        token.kind == TokenKind::Word && token.slot() == 0 && word.len() >= 5 && word.windows(2).any(changes)
    };
    has_number
        && (tokens.as_slice().windows(3).any(|three| three.iter().all(is_letter))
            || tokens.as_slice().windows(2).any(|pair| is_entry(tokens, pair)))
        || features.has_second_capital && tokens.as_slice().iter().any(changes_case)
}

/// What is said of a secret or says it.
static TELLING: WordList = WordList::new(&[
    "for",
    "literally",
    "just",
    "sticker",
    "badge",
    "label",
    "paper",
    "note",
    "slip",
    "sheet",
    "it",
    "that",
    "screen",
    "host",
    "lock",
    "admin",
    "root",
    "key",
    "login",
    "i",
    "we",
    "est",
    "you",
    "hers",
    "his",
    "mine",
    "been",
    "da",
    "hier",
    "aquí",
    "ahí",
    "aqui",
    "papel",
    "etiqueta",
    "router",
    "está",
    "è",
    "foglietto",
    "qui",
    "zettel",
]);
static TOLD: WordList = WordList::new(&[
    "everything",
    "spins",
    "beeps",
    "shakes",
    "freezes",
    "flashes",
    "says",
    "said",
    "is",
    "type",
    "expired",
    "stopped",
    "works",
    "worked",
    "trying",
    "typing",
    "marqué",
    "écrit",
    "steht",
    "pone",
    "dice",
    "diz",
    "escrito",
    "scritto",
]);

/// Whether two words speak of signing in with a secret, or of one that another replaced: "in with", "the old one".
fn is_entry(tokens: &Tokens<'_>, pair: &[Token]) -> bool {
    const ENTERING: [&str; 11] =
        ["in", "on", "entraba", "entro", "entré", "entrava", "entrei", "entravo", "connectais", "accedía", "entrar"];
    static WITH: WordList = WordList::new(&["with", "con", "com", "avec"]);
    let [before, word] = pair else { return false };
    // "the sticker says", "the lock is", "it expired", "c'est marqué"
    if TOLD.has(tokens, *word) && TELLING.has(tokens, *before) {
        return true;
    }
    match word.byte_len() {
        6 if word.kind == TokenKind::Word => is_one_of(tokens, *word, &["hyphen"]),
        2 if word.kind == TokenKind::Word => {
            is_one_of(tokens, *word, &["it"]) && is_one_of(tokens, *before, &["change", "reset", "update"])
        }
        3 if word.flags & flag::DIGIT != 0 => {
            is_one_of(tokens, *word, &["one"]) && is_one_of(tokens, *before, &["old", "new", "previous"])
        }
        3 | 4 if word.kind == TokenKind::Word => WITH.has(tokens, *word) && is_one_of(tokens, *before, &ENTERING),
        _ => false,
    }
}

/// Whether a number of six digits or more is what somebody does something with: "log on with 55120934".
fn has_number_after_with(tokens: &Tokens<'_>) -> bool {
    const WITH: [&str; 7] = ["with", "using", "con", "avec", "mit", "com", "w"];
    let range = tokens.digit_range();
    tokens.len() <= topic::MAX_HINTED_TOKENS
        && range.into_iter().any(|at| {
            let token = tokens.at(at);
            token.kind == TokenKind::Digits && token.digit_count() >= 6 && is_one_of(tokens, tokens.before(at), &WITH)
        })
}

/// Whether letters and digits touch, or a mark of secrets is between them.
fn has_mixed_segment(tokens: &Tokens<'_>) -> bool {
    let range = tokens.digit_range();
    let near = range.start.saturating_sub(2)..(range.end + 2).min(tokens.len());
    let tokens = tokens.as_slice().get(near).unwrap_or_default();
    let alternate = |three: &[Token]| match three {
        [a, b, c] if b.gap == Gap::None && c.gap == Gap::None && c.kind == TokenKind::Digits => match b.kind {
            TokenKind::Word => a.kind == TokenKind::Digits,
            // "Wolke.77"
            TokenKind::Mark => a.kind == TokenKind::Word && a.byte_len() >= 4 && b.is_mark(b'.'),
            TokenKind::Digits | TokenKind::Mask | TokenKind::Edge => false,
        },
        _ => false,
    };
    let is_mixed = tokens.windows(2).any(|pair| match pair {
        [a, b] if b.gap == Gap::None => {
            let is_word =
                a.kind == TokenKind::Word && a.byte_len() >= 2 || b.kind == TokenKind::Word && is_no_suffix(b);
            let is_marked = |t: &Token| {
                t.kind == TokenKind::Mark
                    && matches!(t.mark(), b'!' | b'@' | b'#' | b'$' | b'%' | b'&' | b'_' | b'+' | b'?' | b'=')
            };
            is_word && (a.kind == TokenKind::Digits || b.kind == TokenKind::Digits || is_marked(a) || is_marked(b))
        }
        _ => false,
    });
    is_mixed || tokens.windows(3).any(alternate)
}

/// Whether three words in small letters are joined by full stops or hyphens, as in "tiger-lemon-river".
fn has_joined_words(tokens: &Tokens<'_>) -> bool {
    let is_word = |token: &Token| {
        let word = tokens.str(*token);
        token.kind == TokenKind::Word && word.len() >= 3 && word.bytes().all(|b| b.is_ascii_lowercase())
    };
    let is_joint = |token: &Token| token.kind == TokenKind::Mark && matches!(token.mark(), b'.' | b'-');
    tokens.as_slice().windows(5).any(|five| match five {
        [a, dash, b, other, c] => {
            is_word(a)
                && is_word(b)
                && is_word(c)
                && is_joint(dash)
                && dash.mark() == other.mark()
                && [dash, b, other, c].iter().all(|token| token.gap == Gap::None)
                && [a, b, c].iter().all(|token| word_class::listed(tokens.str(**token)) == 0)
        }
        _ => false,
    })
}

/// Whether a word after digits is no ordinal ending or clock word, as in "2nd" and "5pm".
fn is_no_suffix(word: &Token) -> bool {
    word.byte_len() >= 3 || word.byte_len() == 2 && word.flags & flag::DIGIT_SUFFIX == 0
}
