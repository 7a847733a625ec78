//! Escapes foreign texts for display, so that no character is invisible, ends a quotation or reorders the line.

use std::fmt::{self, Write};

/// Displays a text in quotation marks. A backslash precedes each quotation mark and backslash in it, and invisible
/// characters are written as `\u{…}`.
#[derive(Debug, Clone, Copy)]
pub struct QuotedText<'text>(pub &'text str);

impl fmt::Display for QuotedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            if matches!(character, '"' | '\\') {
                f.write_char('\\')?;
            }
            write_escaped(f, character)?;
        }
        f.write_char('"')
    }
}

/// Displays a text without quotation marks. Invisible characters are written as `\u{…}`. For text that is already
/// quoted or is alone on its line.
#[derive(Debug, Clone, Copy)]
pub struct EscapedText<'text>(pub &'text str);

impl fmt::Display for EscapedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| write_escaped(f, character))
    }
}

fn write_escaped(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    if is_invisible(character) { write!(f, "{}", character.escape_unicode()) } else { f.write_char(character) }
}

/// Whether a character is invisible: control characters, all white space except the plain space, and the characters
/// that Unicode lists as ignorable by default. Those include zero-width characters and characters that set the
/// direction of text.
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
        assert_eq!(QuotedText(r#"a" and "b\"#).to_string(), r#""a\" and \"b\\""#);
    }

    #[test]
    fn invisible_characters_are_escaped() {
        for character in ['\n', '\u{1b}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{a0}', '\u{ad}'] {
            let text = character.to_string();
            let escaped = character.escape_unicode().to_string();
            assert_eq!(QuotedText(&text).to_string(), format!("\"{escaped}\""));
            assert_eq!(EscapedText(&text).to_string(), escaped);
        }
    }

    #[test]
    fn visible_characters_are_unchanged() {
        for text in ["CHG-7, approved", "Zoë", "東京", "🦀"] {
            assert_eq!(
                (QuotedText(text).to_string(), EscapedText(text).to_string()),
                (format!("\"{text}\""), text.to_owned())
            );
        }
    }
}
