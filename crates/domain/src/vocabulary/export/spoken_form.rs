//! Spoken forms for Amazon Transcribe: words joined by hyphens, dotted acronyms, digits as English words.

const DIGITS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// The spoken form of a text. `None` if the text has a character that is not a letter, digit, apostrophe, full stop,
/// hyphen or blank, or has no letter and no digit. Every letter is accepted, because the allowed ones depend on the
/// language, which a vocabulary does not record.
pub(super) fn spoken_form(text: &str) -> Option<String> {
    let words =
        text.split(|character: char| character.is_whitespace() || character == '-').filter(|word| !word.is_empty());
    let parts: Vec<_> = words.map(split_word).collect::<Option<Vec<_>>>()?.concat();
    (!parts.is_empty()).then(|| parts.join("-"))
}

/// Splits a word into runs of letters and the names of its digits.
fn split_word(word: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut letters = String::new();
    for character in word.chars() {
        if let Some(digit) = character.to_digit(10) {
            end_letters(&mut letters, &mut parts);
            parts.extend(DIGITS.get(digit as usize).map(|&name| name.to_owned()));
        } else if character.is_alphabetic() || matches!(character, '\'' | '.') {
            letters.push(character);
        } else {
            return None;
        }
    }
    end_letters(&mut letters, &mut parts);
    Some(parts)
}

/// Ends a run of letters. Two or more capitals are an acronym, in which each letter is spoken.
fn end_letters(letters: &mut String, parts: &mut Vec<String>) {
    let run = std::mem::take(letters);
    if run.chars().count() > 1 && run.chars().all(char::is_uppercase) {
        parts.push(run.chars().flat_map(|letter| [letter, '.']).collect());
    } else if run.chars().any(char::is_alphabetic) {
        parts.push(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_acronyms_are_dotted_and_digits_become_words() {
        for (text, expected) in [
            ("Los Angeles", "Los-Angeles"),
            ("IEEE", "I.E.E.E."),
            ("I triple E", "I-triple-E"),
            ("VX02Q", "V.X.-zero-two-Q"),
            ("n8n", "n-eight-n"),
            ("- O'Brien  &".trim_end_matches('&'), "O'Brien"),
        ] {
            assert_eq!(spoken_form(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_text_with_other_characters_or_without_letters_has_no_spoken_form() {
        for text in ["C++", "AT&T", "🦀", "-", "..."] {
            assert_eq!(spoken_form(text), None, "{text}");
        }
    }
}
