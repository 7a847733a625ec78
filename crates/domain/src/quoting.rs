//! Shows texts of others so that they cannot be taken for anything else: no character hides, ends a quotation or
//! reorders the line.

use std::fmt::{self, Write};

/// A text in quotation marks. Quotation marks and backslashes in it are preceded by a backslash, characters that cannot
/// be seen are written as `\u{…}`.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'text>(pub &'text str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            if matches!(character, '"' | '\\') {
                f.write_char('\\')?;
            }
            write_visibly(f, character)?;
        }
        f.write_char('"')
    }
}

/// A text without quotation marks, whose characters that cannot be seen are written as `\u{…}`: for what is quoted
/// already, or stands alone.
#[derive(Debug, Clone, Copy)]
pub struct Visible<'text>(pub &'text str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| write_visibly(f, character))
    }
}

fn write_visibly(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    if is_invisible(character) { write!(f, "{}", character.escape_unicode()) } else { f.write_char(character) }
}

/// Whether a character leaves no mark of its own: control characters, all white space but the plain space, and what
/// Unicode lists as ignorable by default, which includes zero-width characters and those that set the direction of text.
pub(crate) fn is_invisible(character: char) -> bool {
    let ignorable = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    ignorable || character.is_control() || (character.is_whitespace() && character != ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_cannot_end_its_quotation() {
        assert_eq!(Quoted(r#"a" and "b\"#).to_string(), r#""a\" and \"b\\""#);
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        for character in ['\n', '\u{1b}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{a0}', '\u{ad}'] {
            let text = character.to_string();
            let escaped = character.escape_unicode().to_string();
            assert_eq!(Quoted(&text).to_string(), format!("\"{escaped}\""));
            assert_eq!(Visible(&text).to_string(), escaped);
        }
    }

    #[test]
    fn what_can_be_seen_stays_as_it_is() {
        for text in ["CHG-7, approved", "Zoë", "東京", "🦀"] {
            assert_eq!((Quoted(text).to_string(), Visible(text).to_string()), (format!("\"{text}\""), text.to_owned()));
        }
    }
}
