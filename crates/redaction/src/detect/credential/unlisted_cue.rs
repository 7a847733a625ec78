//! Names of a secret that no list has: compounds and mistyped words.

use crate::tokenize::{TokenKind, Tokens};

/// Whether a word that the lexicon does not have is a name of a secret: "Einmalkennwort", "passsphrase".
pub(super) fn is_unlisted_cue(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let word = tokens.str(token);
    if token.kind != TokenKind::Word || token.slot() != 0 || !(7..=28).contains(&word.len()) || !word.is_ascii() {
        return false;
    }
    let ends = |tail: &str| {
        word.len()
            .checked_sub(tail.len())
            .and_then(|from| word.get(from..))
            .is_some_and(|end| end.eq_ignore_ascii_case(tail))
    };
    ["passwort", "kennwort", "password", "passphrase"].iter().any(|tail| ends(tail))
        || ["password", "passphrase", "passcode", "kennwort"].iter().any(|name| is_one_edit_apart(word, name))
}

/// Whether two words differ by one letter that is added, left out or replaced.
pub(super) fn is_one_edit_apart(word: &str, name: &str) -> bool {
    if word.len().abs_diff(name.len()) > 1 {
        return false;
    }
    let same = |(a, b): &(u8, u8)| a.eq_ignore_ascii_case(b);
    let head = word.bytes().zip(name.bytes()).take_while(same).count();
    let tail = || word.bytes().rev().zip(name.bytes().rev()).take_while(same).count();
    head >= 2 && head + tail() + 1 >= word.len().max(name.len())
}
