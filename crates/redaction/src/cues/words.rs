//! What words of a message are compared with, and the cue that they make.

use super::cue::Cue;
use crate::detect::{WordList, is_one_of};
use crate::entity::EntitySet;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens, fold, saturating_u32};

/// Whether a token is one of these words, in any case. An accent of the text counts only where the word has it too: "numero" is also
/// "número", but "année" is not "annee".
pub(super) fn is(tokens: &Tokens<'_>, token: Token, words: &[&str]) -> bool {
    if token.kind != TokenKind::Word {
        return false;
    }
    if tokens.bytes(token).is_ascii() {
        return is_one_of(tokens, token, words);
    }
    let text = tokens.str(token);
    let fold = |c: char| fold::strip_accent(c).map_or_else(|| c.to_ascii_lowercase(), char::from);
    words.iter().any(|word| text.chars().map(fold).eq(word.chars().map(fold)))
}

/// Same as [`is`], for a list of many words.
pub(super) fn is_in(tokens: &Tokens<'_>, token: Token, list: &WordList) -> bool {
    if token.kind == TokenKind::Word && tokens.bytes(token).is_ascii() {
        list.has(tokens, token)
    } else {
        is(tokens, token, list.words())
    }
}

/// The token before the words that join it to a number, at most so many; it stands directly before the number if there are none.
pub(super) fn token_before_joints(
    number: usize,
    max_joints: usize,
    is_joint: impl Fn(&usize) -> bool,
) -> Option<usize> {
    let joints = (number.saturating_sub(max_joints)..number).rev().take_while(is_joint).count();
    (number - joints).checked_sub(1)
}

/// "or" in six languages: between two numbers, one of which is right.
pub(super) const OR: [&str; 5] = ["or", "o", "ou", "oder", "oppure"];

pub(super) fn is_number_word(token: Token) -> bool {
    token.flags & flag::NUMBER != 0
}

/// Whether a token is digits, masked digits or a number word.
pub(super) fn is_number_or_mask(token: Token) -> bool {
    matches!(token.kind, TokenKind::Digits | TokenKind::Mask) || is_number_word(token)
}

pub(super) fn cue(first: usize, end: usize, entities: EntitySet, needs_connector: bool) -> Cue {
    Cue { first_token: saturating_u32(first), end_token: saturating_u32(end), entities, needs_connector }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn a_word_with_an_accent_is_found_by_a_list_that_has_the_accent_or_not() {
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new("años anos", &mut buffer);
        let tokens = text.tokens();
        let found = |at: usize, word| is(&tokens, tokens.at(at), &[word]);
        assert!(found(0, "años") && found(0, "anos") && found(1, "anos"));
        assert!(!found(1, "años"), "a list says which words it finds without their accents");
    }
}
