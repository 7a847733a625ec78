//! Words that a recogniser writes for a digit it heard: "to" for two, "ate" for eight. Only between digits that are sure:
//! "two for one" and "nine to five" are no numbers.

use crate::numbers::Part;
use crate::tokenize::lexicon::id_of;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Tokens};

/// The words with their digits.
const WORDS: [(u16, u8); 7] = [
    (id_of("to"), 2),
    (id_of("too"), 2),
    (id_of("for"), 4),
    (id_of("fore"), 4),
    (id_of("ate"), 8),
    (id_of("won"), 1),
    (id_of("tree"), 3),
];
/// Of these, the first words that stand between two numbers.
const BETWEEN: [u16; 2] = [id_of("to"), id_of("for")];
/// Digits of the numbers that people give in pairs: "one two three four to five six seven eight".
const PAIR: usize = 4;
/// Sure digits around such a word at least.
pub(crate) const SURE: usize = 3;

/// The digit that the word after a run stands for, where sure digits are around it.
pub(crate) fn digit(tokens: &Tokens<'_>, at: usize, parts: &[Part]) -> Option<u8> {
    let token = tokens.at(at);
    if token.kind != Kind::Word || token.gap != Gap::Space {
        return None;
    }
    let before = parts.iter().rev().take(PAIR + 1).take_while(|p| p.spoken && p.count == 1 && !p.tens).count();
    if before == 0 {
        return None;
    }
    let (_, value) = WORDS.iter().find(|(code, _)| *code == token.code && token.code != 0)?;
    let after = sure_after(tokens, at + 1);
    let pair = BETWEEN.contains(&token.code) && (before, after) == (PAIR, PAIR);
    (after > 0 && before + after >= SURE && !pair).then_some(*value)
}

/// Digits said one by one from a token on; misheard ones may lie between them.
fn sure_after(tokens: &Tokens<'_>, from: usize) -> usize {
    let (mut sure, mut misheard) = (0, 0);
    for at in from..=from + 2 * PAIR {
        let token = tokens.at(at);
        if token.kind != Kind::Word || token.gap != Gap::Space || sure > PAIR {
            break;
        }
        if token.flags & (flag::DIGIT | flag::OH) != 0 {
            (sure, misheard) = (sure + 1, 0);
        } else if misheard < 2 && WORDS.iter().any(|(code, _)| *code == token.code) {
            misheard += 1;
        } else {
            break;
        }
    }
    sure
}
