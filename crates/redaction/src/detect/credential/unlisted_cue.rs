//! Names of a secret that no list has: compounds and mistyped words.

use crate::tokenize::{Gap, TokenKind, Tokens};

/// Whether a word that the lexicon does not have is a name of a secret: "Einmalkennwort", "passsphrase".
pub(super) fn is_unlisted_cue(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let word = tokens.str(token);
    if is_drawn_out_pass(tokens, at) {
        return true;
    }
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

/// Whether a word is "pass" with one letter typed twice, directly before letters and digits: "wifi paass thomas1988".
fn is_drawn_out_pass(tokens: &Tokens<'_>, at: usize) -> bool {
    const WORDS: [&str; 3] = ["ppass", "paass", "passs"];
    let value = tokens.at(at + 1);
    let has_digit = || {
        (at + 1..at + 4)
            .take_while(|near| *near == at + 1 || tokens.at(*near).gap == Gap::None)
            .any(|near| tokens.at(near).kind == TokenKind::Digits)
    };
    WORDS.iter().any(|word| tokens.str(tokens.at(at)).eq_ignore_ascii_case(word))
        && value.gap == Gap::Space
        && value.is_alphanumeric()
        && has_digit()
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
