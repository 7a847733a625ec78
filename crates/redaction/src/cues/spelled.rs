//! Words that are spelled letter by letter: "s s n", "p.i.n.", "c-v-v".

use crate::tokenize::lexicon;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Letters of the longest and the shortest word that is read.
const MAX_LETTERS: usize = 5;
const MIN_LETTERS: usize = 2;

/// Whether a token is one ASCII letter.
pub(super) fn is_letter(token: Token) -> bool {
    (token.kind == TokenKind::Word) & (token.byte_len() == 1)
}

/// Whether a text has a word spelled letter by letter.
pub(crate) fn has_spelled_word(tokens: &Tokens<'_>) -> bool {
    tokens.as_slice().iter().enumerate().any(|(at, token)| is_letter(*token) && may_begin(tokens, at))
}

/// Whether a spelled word may begin at a token: a letter, and another one after it.
pub(super) fn may_begin(tokens: &Tokens<'_>, at: usize) -> bool {
    let before = tokens.before(at);
    let is_inside = tokens.at(at).gap == Gap::None && (before.is_alphanumeric() || before.is_mark(b'\''));
    is_letter(tokens.at(at)) && !is_inside && next_letter(tokens, at).is_some()
}

/// The letter after a letter: a space, or a full stop or dash, may be between.
fn next_letter(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let next = tokens.at(at + 1);
    let is_joint = matches!(next.mark(), b'.' | b'-') && next.kind == TokenKind::Mark && next.byte_len() == 1;
    let place = if is_joint && next.gap == Gap::None { at + 2 } else { at + 1 };
    let letter = tokens.at(place);
    (is_letter(letter) && letter.gap <= Gap::Space && (place > at + 1 || letter.gap == Gap::Space)).then_some(place)
}

/// The words of the lexicon that are spelled from a token on, longest first, each with the token after it.
pub(super) fn words_at(tokens: &Tokens<'_>, at: usize) -> impl Iterator<Item = (u16, usize)> {
    let (mut letters, mut ends, mut length) = ([0; MAX_LETTERS], [0; MAX_LETTERS], 0);
    let mut place = Some(at).filter(|at| is_letter(tokens.at(*at)));
    while let Some(letter) = place.filter(|_| length < MAX_LETTERS) {
        letters[length] = tokens.str(tokens.at(letter)).bytes().next().unwrap_or(0);
        ends[length] = letter + 1;
        length += 1;
        place = next_letter(tokens, letter);
    }
    // The full stop after the last letter of "p.i.n." belongs to the word.
    let closed = move |tokens: &Tokens<'_>, end: usize| {
        let next = tokens.at(end);
        end + usize::from(next.is_mark(b'.') && next.gap == Gap::None && tokens.before(end - 1).is_mark(b'.'))
    };
    (MIN_LETTERS..=length).rev().filter_map(move |count| {
        let word = lexicon::look_up(&letters, 0, count);
        (word != 0).then(|| (word, closed(tokens, ends[count - 1])))
    })
}

/// The token after this word, if it is spelled from a token on.
pub(super) fn end_of_word(tokens: &Tokens<'_>, at: usize, word: u16) -> Option<usize> {
    let found = |at| words_at(tokens, at).find(|(spelled, _)| *spelled == word && word != 0).map(|(_, end)| end);
    if may_begin(tokens, at) { found(at) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn letters_with_spaces_or_full_stops_between_spell_a_word() {
        for text in ["c v v", "c.v.v.", "c-v-v", "C V V"] {
            let mut buffer = TokenBuffer::new();
            let tokenized = TokenizedText::new(text, &mut buffer);
            let tokens = tokenized.tokens();
            let words: Vec<_> = words_at(&tokens, 0).collect();
            assert_eq!(words.first(), Some(&(lexicon::word_id("cvv"), tokens.len())), "{text}");
        }
    }
}
