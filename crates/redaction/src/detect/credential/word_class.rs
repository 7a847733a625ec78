//! The classes of a word: from the list, from the lexicon, or from its ending.

use super::everyday_words;
use super::judgement::{ends_with, is_judgement};
use super::word_list::{GROUPS, SET_PHRASES, USER_WORDS, class};
use crate::detect::flags;
use crate::tables::class_table::{ClassTable, FoldedWord};
use crate::tables::word_set::{COMMON_WORD_SET, GIVEN_NAME_SET, HashedWord};
use crate::tokenize::lexicon::{self, SLOT_COUNT};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// The words of the list.
static TABLE: ClassTable<8192> = ClassTable::build_narrow(GROUPS);

/// The everyday words, none of which is in the list.
static EVERYDAY: ClassTable<8192> = ClassTable::build_narrow(everyday_words::GROUPS);

/// The classes of the words that the lexicon has, by their slot: nine in ten words of a message. [`UNKNOWN`] for the slots
/// that mistyped words share.
#[expect(clippy::cast_possible_truncation, reason = "slots have 16 bits")]
static BY_SLOT: [u32; SLOT_COUNT] = {
    let (mut table, everyday) = (classes_by_slot(GROUPS), classes_by_slot(everyday_words::GROUPS));
    let mut at = 0;
    while at < SLOT_COUNT {
        if table[at] == 0 {
            table[at] = everyday[at];
        }
        at += 1;
    }
    at = 0;
    while at < USER_WORDS.len() {
        table[lexicon::word_id(USER_WORDS[at]) as usize] |= AMBIGUOUS;
        at += 1;
    }
    at = 0;
    while at < SET_PHRASES.len() {
        table[lexicon::word_id(SET_PHRASES[at].0) as usize] |= AMBIGUOUS;
        at += 1;
    }
    at = 0;
    while at < SLOT_COUNT {
        if at == 0 || lexicon::has_typos(at as u16) {
            table[at] = UNKNOWN;
        }
        at += 1;
    }
    table
};

/// A slot that does not tell the classes of its words.
const UNKNOWN: u32 = u32::MAX;

/// The bit of a word of [`USER_WORDS`], or of the first word of one of [`SET_PHRASES`]. No class has it.
const AMBIGUOUS: u32 = 1 << 31;

/// The classes of the words of groups, by the slots that the lexicon gives them.
const fn classes_by_slot(groups: &[(u32, &'static str)]) -> [u32; SLOT_COUNT] {
    let (mut classes, mut group) = ([0; SLOT_COUNT], 0);
    while group < groups.len() {
        let words = groups[group].1;
        let (mut from, mut at) = (0, 0);
        while at <= words.len() {
            if at == words.len() || words.as_bytes()[at] == b' ' {
                classes[lexicon::word_id(lexicon::const_substr(words, from, at)) as usize] |= groups[group].0;
                from = at + 1;
            }
            at += 1;
        }
        group += 1;
    }
    classes
}

/// The classes of a word of the grammar that is nothing else, neither a number nor a letter nor part of a set phrase.
/// `None` if that needs more than its slot in the lexicon.
pub(super) fn grammar_classes(tokens: &Tokens<'_>, token: Token) -> Option<u32> {
    let classes = BY_SLOT[usize::from(token.slot()) % SLOT_COUNT];
    let is_number = flags(token) & (flag::NUMBER | flag::HUGE) != 0 || classes & class::NUMBER != 0;
    let is_plain = classes != 0 && classes & AMBIGUOUS == 0 && !is_number && token.byte_len() > 1;
    (is_plain && tokens.str(token).is_ascii()).then_some(classes)
}

/// The classes of a word token in the list. Same as [`listed`].
fn listed_token(word: &str, token: Token) -> u32 {
    let classes = BY_SLOT[usize::from(token.slot()) % SLOT_COUNT];
    if classes == UNKNOWN || token.kind != TokenKind::Word || !word.is_ascii() {
        listed(word)
    } else {
        classes & !AMBIGUOUS
    }
}

/// The classes of a word in the list; 0 if the list does not have it. Case and accents are ignored.
#[expect(clippy::cast_possible_truncation, reason = "the classes of the list have 32 bits")]
pub(super) fn listed(word: &str) -> u32 {
    let Some(word) = FoldedWord::new(word) else { return 0 };
    let classes = TABLE.classes_of(&word) as u32;
    if classes == 0 { EVERYDAY.classes_of(&word) as u32 } else { classes }
}

/// The classes of a word token. A word that the list does not have can be in a class of the lexicon, or end like a
/// participle or adverb.
pub(super) fn classes(tokens: &Tokens<'_>, token: Token) -> u32 {
    let word = tokens.str(token);
    if matches!(word, "é" | "è" | "É" | "È") {
        return class::COPULA;
    }
    let listed = listed_token(word, token);
    if listed != 0 {
        return listed;
    }
    let flags = flags(token);
    if flags & (flag::STATUS | flag::WEEKDAY) != 0 {
        return class::STATE;
    }
    if flags & flag::FILLER != 0 {
        return class::INTERJECTION;
    }
    if flags & flag::STOPWORD != 0 {
        return class::OTHER;
    }
    if word.len() <= 4 && !has_vowel(word) || has_triple_letter(word) {
        return class::INTERJECTION;
    }
    if ends_like_participle(word) || token.slot() == 0 && is_judgement(word) { class::STATE } else { 0 }
}

/// Whether the same letter occurs three times in a row: "oooh".
fn has_triple_letter(word: &str) -> bool {
    word.as_bytes()
        .windows(3)
        .any(|three| matches!(three, [a, b, c] if a.eq_ignore_ascii_case(b) && b.eq_ignore_ascii_case(c)))
}

/// Whether a word has a vowel, or letters that may be one.
pub(super) fn has_vowel(word: &str) -> bool {
    !word.is_ascii() || word.bytes().any(|b| matches!(b | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// Whether a word is a common word with two letters swapped or one letter typed twice: "worekd", "neiither".
pub(super) fn is_mistyped(word: &str) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 4..=10;
    let bytes = word.as_bytes();
    if !LENGTHS.contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    let mut letters = [0_u8; 10];
    // The three tables share the hash.
    let is_common = |letters: &[u8]| {
        let word = HashedWord::new(letters);
        TABLE.classes_of_hashed(word) != 0
            || EVERYDAY.classes_of_hashed(word) != 0
            || COMMON_WORD_SET.contains_hashed(word)
    };
    (1..bytes.len()).any(|at| {
        let (Some(copy), Some(pair)) = (letters.get_mut(..bytes.len()), bytes.get(at - 1..=at)) else { return false };
        copy.copy_from_slice(bytes);
        copy.make_ascii_lowercase();
        if pair.first() == pair.last() {
            copy.copy_within(at.., at - 1);
            return copy.split_last().is_some_and(|(_, shorter)| is_common(shorter));
        }
        copy.swap(at - 1, at);
        is_common(copy)
    })
}

/// Whether a long word is number words written as one: "quattrocentoottantasette", "siebenundachtzig".
pub(super) fn is_joined_number(word: &str) -> bool {
    const STEMS: [&str; 8] = ["vent", "trent", "quarant", "cinquant", "sessant", "settant", "ottant", "novant"];
    let is_listed = |part: &str| TABLE.classes(part) & u64::from(class::NUMBER) != 0;
    let is_number = |part: &str| is_listed(part) || matches!(part, "uno" | "ein" | "ei");
    let is_rest = |rest: &str| is_number(rest) || is_joined_number(rest);
    word.is_ascii()
        && (5..=40).contains(&word.len())
        && (3..word.len()).any(|at| {
            word.split_at_checked(at).is_some_and(|(head, rest)| {
                (is_number(head) || STEMS.contains(&head)) && is_rest(rest.strip_prefix("und").unwrap_or(rest))
            })
        })
}

/// Whether a word ends like a participle or an adverb: "spinning", "scribbled", "barely", "bloqueada".
fn ends_like_participle(word: &str) -> bool {
    const ENDINGS: [&str; 37] = [
        "ing", "ed", "ly", "ado", "ada", "ido", "ida", "ato", "ata", "ito", "uto", "iert", "mente", "ée", "é", "és",
        "tion", "ness", "ando", "endo", "ó", "ò", "aron", "ieron", "aram", "ieram", "avam", "aban", "ábamos", "ávamos",
        "aient", "arlo", "arla", "arme", "erlo", "arsi", "armi",
    ];
    word.len() >= 6 && ends_with(word, &ENDINGS) && !GIVEN_NAME_SET.contains(word) || is_split_participle(word)
}

/// Whether a word is a German participle of a verb with a prefix: "umgezogen", "weggeworfen".
fn is_split_participle(word: &str) -> bool {
    const PREFIXES: [&str; 14] =
        ["ab", "an", "auf", "aus", "ein", "um", "vor", "zu", "weg", "mit", "nach", "heim", "hin", "her"];
    const MIN_LENGTH: usize = 9;
    let has_ge = |prefix: &&str| word.strip_prefix(*prefix).is_some_and(|rest| rest.starts_with("ge"));
    word.len() >= MIN_LENGTH && (word.ends_with("en") || word.ends_with('t')) && PREFIXES.iter().any(has_ge)
}

/// Whether a content word is an everyday word, so that a sentence is more likely than a secret.
pub(super) fn is_everyday(word: &str) -> bool {
    const ENDINGS: [&str; 12] =
        ["ment", "able", "ible", "ful", "less", "ous", "tive", "ity", "ance", "ence", "ism", "ship"];
    COMMON_WORD_SET.contains(word) || word.len() >= 7 && ends_with(word, &ENDINGS)
}

#[cfg(test)]
mod tests {
    use super::{class, classes, grammar_classes, listed};
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn a_word_is_found_in_any_case_and_with_or_without_accents() {
        assert_eq!(listed("Contraseña") & class::THING, class::THING);
        assert_eq!(listed("GEÄNDERT") & class::CHANGE, class::CHANGE);
        assert_eq!(listed("heißt") & class::COPULA, class::COPULA);
        assert_eq!(listed("bluebird"), 0);
    }

    #[test]
    fn the_slot_of_a_word_tells_the_classes_of_the_list() {
        let text = "please change It with the router, of course my user passwrod number is no problem";
        let mut buffer = TokenBuffer::new();
        let tokens = TokenizedText::new(text, &mut buffer).tokens();
        for token in tokens.as_slice().iter().filter(|token| listed(tokens.str(**token)) != 0) {
            let listed = listed(tokens.str(*token));
            assert_eq!(classes(&tokens, *token), listed);
            assert!(grammar_classes(&tokens, *token).is_none_or(|classes| classes == listed));
        }
    }

    #[test]
    fn words_that_are_compared_after_their_class_are_in_that_class() {
        let all = |words: &[&str], class: u32| words.iter().all(|word| listed(word) & class != 0);
        assert!(all(&["un", "une", "um", "uma", "uno", "una", "ein"], class::DETERMINER));
        assert!(all(&["etoile", "étoile", "stern"], class::SYMBOL) && all(&["été", "ete"], class::COPULA));
        assert!(all(&["change", "reset", "update"], class::CHANGE));
        assert!(all(&["in"], class::PREPOSITION) && all(&["capital"], class::CASE));
    }
}
