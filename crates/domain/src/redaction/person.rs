//! Compares approvers' names: whether two names may belong to the same person.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use crate::quoting::is_invisible;

/// The number of visible letters of a name.
pub(super) fn count_letters(text: &str) -> usize {
    text.nfkc().filter(|character| character.is_alphabetic() && !is_invisible(*character)).count()
}

/// The number of visible letters and digits of a text.
pub(super) fn count_letters_and_digits(text: &str) -> usize {
    text.nfkc().filter(|character| character.is_alphanumeric() && !is_invisible(*character)).count()
}

/// Whether two names look alike to a reader. Two people with such names can write out their names to differ.
pub(super) fn may_be_same_person(first: &str, second: &str) -> bool {
    fold_name(first) == fold_name(second)
}

/// A name without the differences that a reader does not see: compatibility forms (NFKC), case, accents, spaces,
/// punctuation, invisible characters, and letters that look alike (the skeleton of Unicode TR39). A small `i` becomes
/// `l`, because a capital `I` looks like `l`.
fn fold_name(name: &str) -> String {
    let plain: String = name.nfkc().filter(|character| !is_invisible(*character)).flat_map(fold_case).collect();
    let letters = skeleton(&plain).filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase);
    letters.map(|character| if character == 'i' { 'l' } else { character }).collect()
}

/// A letter in lower case. If its lower or upper case looks like an ASCII letter, the result is that ASCII letter.
fn fold_case(character: char) -> Vec<char> {
    let upper: String = character.to_uppercase().collect();
    let lower = upper.to_lowercase();
    let skeletons = [&lower, &upper].map(|form| strip_accents(form));
    let latin = skeletons.iter().find(|form| form.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if lower.is_ascii() {
        return lower.chars().collect();
    }
    latin.map_or_else(|| strip_accents(&lower), |form| form.to_ascii_lowercase()).chars().collect()
}

fn strip_accents(text: &str) -> String {
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
            ("Ana", "\u{202e}Ana\u{202c}"),      // direction override
            ("Ana", "A\u{301}na"),               // combining accent
            ("Ana", "Ána"),                      // precomposed accent
            ("Ana", "\u{391}na"),                // Greek Alpha
            ("Ana", "𝐀𝐧𝐚"),                      // mathematical bold
            ("Ana", "A.n-a"),                    // punctuation
            ("Ana Lee", "Ana\u{a0}\u{2003}Lee"), // other space characters
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
            assert!(
                may_be_same_person(first, second),
                "{first:?} {second:?}: {} {}",
                fold_name(first),
                fold_name(second)
            );
        }
    }

    #[test]
    fn different_names_are_different_people() {
        for (first, second) in
            [("Ana", "Anna"), ("Ada", "Grace"), ("Иван", "Пётр"), ("李明", "李华"), ("राम", "रमा"), ("Ana 1", "Ana 2")]
        {
            assert!(!may_be_same_person(first, second), "{first:?} {second:?}");
        }
    }
}
