//! Whether the digits of a text stand close enough for a card number. A long text has many digits that do not.

use super::symbols::look_alike;
use super::window::CARD_DIGITS;
use crate::numbers::{asr_homophones, max_digits_of};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// Words between two digits from which they are of two numbers, whatever the joint between them. More words than most
/// joints have with their markup and hesitations.
const MIN_WORDS_BETWEEN: usize = 6;

/// Whether a run of digits may be as long as a card number. A text with symbols that stand for digits is not asked.
pub(super) fn may_have_card(tokens: &Tokens<'_>) -> bool {
    let (mut digits, mut words) = (0, 0);
    for token in tokens.as_slice() {
        let count = max_digits(tokens, *token);
        if count > 0 {
            digits = if words < MIN_WORDS_BETWEEN { digits + count } else { count };
            words = 0;
            if digits >= *CARD_DIGITS.start() {
                return true;
            }
        } else {
            words += usize::from(is_plain_word(tokens, *token));
        }
    }
    false
}

/// Maximum digits of a token, whichever way it is read.
fn max_digits(tokens: &Tokens<'_>, token: Token) -> usize {
    let certain = max_digits_of(token);
    if certain > 0 || token.kind != TokenKind::Word {
        return certain;
    }
    let word = tokens.str(token).as_bytes();
    match word {
        [first, rest @ ..] if look_alike(*first).is_some() && rest.iter().all(|byte| look_alike(*byte).is_some()) => {
            word.len()
        }
        _ => usize::from(asr_homophones::value(token).is_some()),
    }
}

/// Whether a token is a word for every reading. A word that begins with a letter outside ASCII may be a sign.
fn is_plain_word(tokens: &Tokens<'_>, token: Token) -> bool {
    let is_filler = token.flags & flag::FILLER != 0;
    token.kind == TokenKind::Word
        && !is_filler
        && tokens.text.as_bytes().get(token.start as usize).is_some_and(u8::is_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntitySet;
    use crate::candidate::Candidates;
    use crate::tests::dice::Dice;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    const PIECES: [&str; 34] = [
        "4111",
        "1111",
        "4111 1111 1111 1111",
        "1",
        "41",
        "four",
        "one",
        "one one one",
        "double one",
        "triple one",
        "forty one",
        "eleven",
        "hundred",
        "oh",
        "to",
        "for",
        "won",
        "I",
        "l",
        "ll",
        "O",
        "quatre vingt",
        "et",
        "y",
        "and",
        "the",
        "then we say",
        "is it so",
        "-",
        ",",
        "...",
        "****",
        "é",
        "une",
    ];

    #[test]
    fn a_text_that_is_ruled_out_has_no_card_number() {
        let (mut dice, mut cards) = (Dice::new(), 0);
        for _ in 0..30_000 {
            let text = dice.text(&PIECES, 24);
            let mut buffer = TokenBuffer::new();
            let tokenized = TokenizedText::new(&text, &mut buffer);
            let mut found = Candidates::new(EntitySet::all());
            crate::card_floor::find_cards(&tokenized.tokens(), &mut found);
            cards += usize::from(!found.as_slice().is_empty());
            assert!(found.as_slice().is_empty() || may_have_card(&tokenized.tokens()), "{text}");
        }
        assert!(cards > 100, "{cards}");
    }
}
