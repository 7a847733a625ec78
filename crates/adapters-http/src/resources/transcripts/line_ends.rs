//! The ends of lines. Programs that read a text by lines differ in which characters they take for one. A transcript that is
//! read by lines treats all of them as ends, so that no text of a caller begins a line of its own.

use std::{borrow::Cow, iter};

/// Whether a program can take a character for the end of a line: those at which `str.splitlines` of Python splits.
pub(super) fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The lines of a text without their ends. A carriage return with a line feed is one end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let Some((line, end)) = text.find(is_line_end).and_then(|at| text.split_at_checked(at)) else {
            return rest.take();
        };
        rest = end.strip_prefix("\r\n").or_else(|| end.strip_prefix(is_line_end));
        Some(line)
    })
}

/// The text as one line: a space takes the place of each end.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(is_line_end) { lines(text).collect::<Vec<_>>().join(" ").into() } else { text.into() }
}

#[cfg(test)]
pub(super) const ENDS: [&str; 11] =
    ["\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{1c}", "\u{1d}", "\u{1e}", "\u{85}", "\u{2028}", "\u{2029}"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_separates_two_lines() {
        for end in ENDS {
            let text = format!("é{end}b{end}");
            assert_eq!(lines(&text).collect::<Vec<_>>(), ["é", "b", ""], "{end:?}");
            assert_eq!(one_line(&text), "é b ", "{end:?}");
        }
        assert_eq!(lines("").collect::<Vec<_>>(), [""]);
        assert_eq!(lines("\n\r").collect::<Vec<_>>(), ["", "", ""]);
        assert_eq!(one_line("a\tb"), "a\tb");
    }
}
