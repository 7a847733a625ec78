//! Whether two names may be those of one person.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use crate::quoting::is_invisible;

/// How many letters a name has that can be seen.
pub(super) fn letters(text: &str) -> usize {
    text.nfkc().filter(|character| character.is_alphabetic() && !is_invisible(*character)).count()
}

/// How many letters and digits a text has that can be seen.
pub(super) fn letters_and_digits(text: &str) -> usize {
    text.nfkc().filter(|character| character.is_alphanumeric() && !is_invisible(*character)).count()
}

/// Whether two names look alike to a reader. Two people whose names do are told apart by names that are written out.
pub(super) fn may_be_one_person(first: &str, second: &str) -> bool {
    folded(first) == folded(second)
}

/// A name without what a reader does not tell apart: compatibility forms (NFKC), case, accents, spaces and punctuation,
/// invisible characters, and letters that are drawn alike (the skeleton of Unicode TR39). A small `i` counts as the `l`
/// that a capital one is drawn like.
fn folded(name: &str) -> String {
    let plain: String = name.nfkc().filter(|character| !is_invisible(*character)).flat_map(folded_case).collect();
    let letters = skeleton(&plain).filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase);
    letters.map(|character| if character == 'i' { 'l' } else { character }).collect()
}

/// A letter in lower case, as the ASCII letter that its lower or its upper case is drawn like where there is one.
fn folded_case(character: char) -> Vec<char> {
    let upper: String = character.to_uppercase().collect();
    let lower = upper.to_lowercase();
    let drawn = [&lower, &upper].map(|form| without_accents(form));
    let latin = drawn.iter().find(|form| form.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if lower.is_ascii() {
        return lower.chars().collect();
    }
    latin.map_or_else(|| without_accents(&lower), |form| form.to_ascii_lowercase()).chars().collect()
}

fn without_accents(text: &str) -> String {
    skeleton(text).filter(|character| !matches!(character, '\u{300}'..='\u{36f}')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_may_be_one_person() {
        for (first, second) in [
            ("Ana", "Ana"),
            ("Ana", "ANA"),
            ("Ana", "ana "),
            ("Ana", "\u{410}na"),                // Cyrillic А
            ("Ana", "Ａｎａ"),                   // full width
            ("Ana", "An\u{200b}a"),              // zero width space
            ("Ana", "\u{202e}Ana\u{202c}"),      // direction overridden
            ("Ana", "A\u{301}na"),               // combining accent
            ("Ana", "Ána"),                      // precomposed accent
            ("Ana", "\u{391}na"),                // Greek Alpha
            ("Ana", "𝐀𝐧𝐚"),                      // mathematical bold
            ("Ana", "A.n-a"),                    // punctuation
            ("Ana Lee", "Ana\u{a0}\u{2003}Lee"), // other spaces
            ("Ana Lee", "AnaLee"),
            ("Helen", "\u{41d}elen"), // Cyrillic Н
            ("helen", "\u{41d}ELEN"),
            ("Boris", "\u{412}oris"), // Cyrillic В
            ("Omar", "0mar"),
            ("Al", "AI"), // capital I
            ("Ali", "A1i"),
            ("Tom", "Torn"),
            ("Weiß", "WEISS"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"), // final sigma
            ("İpek", "ipek"),
            ("Iskra", "ıskra"), // dotless i
        ] {
            assert!(may_be_one_person(first, second), "{first:?} {second:?}: {} {}", folded(first), folded(second));
        }
    }

    #[test]
    fn names_that_differ_are_those_of_two_people() {
        for (first, second) in
            [("Ana", "Anna"), ("Ada", "Grace"), ("Иван", "Пётр"), ("李明", "李华"), ("राम", "रमा"), ("Ana 1", "Ana 2")]
        {
            assert!(!may_be_one_person(first, second), "{first:?} {second:?}");
        }
    }
}
