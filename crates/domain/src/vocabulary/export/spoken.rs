//! A text as Amazon Transcribe wants it spoken: words joined by hyphens, acronyms dotted, digits in English words.

const DIGITS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// The text as it is spoken; nothing where it has a character that is no letter, digit, apostrophe, full stop, hyphen
/// or blank. Which letters there may be depends on the language, which a vocabulary does not say.
pub(super) fn spoken(text: &str) -> Option<String> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == '-').filter(|word| !word.is_empty());
    let parts: Vec<_> = words.map(parts).collect::<Option<Vec<_>>>()?.concat();
    (!parts.is_empty()).then(|| parts.join("-"))
}

/// A word in its parts: runs of letters, and each digit by its name.
fn parts(word: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut letters = String::new();
    for letter in word.chars() {
        if let Some(digit) = letter.to_digit(10) {
            close(&mut letters, &mut parts);
            parts.extend(DIGITS.get(digit as usize).map(|&name| name.to_owned()));
        } else if letter.is_alphabetic() || matches!(letter, '\'' | '.') {
            letters.push(letter);
        } else {
            return None;
        }
    }
    close(&mut letters, &mut parts);
    Some(parts)
}

/// Ends a run of letters. Two or more capitals are an acronym: each is spoken by itself.
fn close(letters: &mut String, parts: &mut Vec<String>) {
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
    fn words_are_joined_acronyms_dotted_and_digits_named() {
        for (text, expected) in [
            ("Los Angeles", "Los-Angeles"),
            ("IEEE", "I.E.E.E."),
            ("I triple E", "I-triple-E"),
            ("VX02Q", "V.X.-zero-two-Q"),
            ("n8n", "n-eight-n"),
            ("- O'Brien  &".trim_end_matches('&'), "O'Brien"),
        ] {
            assert_eq!(spoken(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_spoken_has_no_form() {
        for text in ["C++", "AT&T", "🦀", "-", "..."] {
            assert_eq!(spoken(text), None, "{text}");
        }
    }
}
