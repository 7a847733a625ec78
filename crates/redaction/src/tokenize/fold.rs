//! Classes of bytes and characters: what a text is cut into, and what Unicode's look-alikes stand for.
#![expect(clippy::cast_possible_truncation, reason = "the ranges of the matches fit a byte")]

/// What one byte (below 128) does in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Space,
    Line,
    Letter,
    Digit,
    Star,
    Mark,
    Wide,
}

/// The class of every byte; bytes of 128 and above begin or continue a character that [`fold`] decides on.
pub(crate) const CLASS: [Class; 256] = {
    let mut table = [Class::Wide; 256];
    let mut at = 0;
    while at < 128 {
        table[at] = match at as u8 {
            b'\n' => Class::Line,
            0..=32 | 127 => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'*' => Class::Star,
            _ => Class::Mark,
        };
        at += 1;
    }
    table
};

/// What a character outside ASCII stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Folded {
    Space,
    Line,
    /// Shows nothing: stripped inside a word or number.
    Nothing,
    Digit(u8),
    /// Stands for this ASCII mark.
    Mark(u8),
    Letter,
}

/// The first digit (zero) of each run of ten decimal digits in Unicode's category `Nd`, in order (Unicode 16).
const ZEROS: [u32; 72] = [
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
    0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
    0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50,
    0x11D50, 0x11DA0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0, 0x1D7CE, 0x1D7D8, 0x1D7E2,
    0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0,
];

/// The decimal value of a digit of any script.
pub(crate) fn decimal(c: char) -> Option<u8> {
    let code = c as u32;
    let zero = match ZEROS.binary_search(&code) {
        Ok(_) => return Some(0),
        Err(0) => return None,
        Err(after) => ZEROS[after - 1],
    };
    u8::try_from(code - zero).ok().filter(|v| *v < 10)
}

/// What a character outside ASCII stands for.
pub(crate) fn fold(c: char) -> Folded {
    match c {
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => Folded::Nothing,
        '\u{85}' | '\u{2028}' | '\u{2029}' => Folded::Line,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2043}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{30fc}' => {
            Folded::Mark(b'-')
        }
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' => Folded::Mark(b'\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '«' | '»' => Folded::Mark(b'"'),
        '\u{2024}' | '·' | '•' | '\u{3002}' | '\u{ff61}' => Folded::Mark(b'.'),
        '\u{2044}' | '\u{2215}' => Folded::Mark(b'/'),
        '£' | '€' | '¥' | '₹' | '¢' | '₩' => Folded::Mark(b'$'),
        '\u{ff10}'..='\u{ff19}' => Folded::Digit((c as u32 - 0xff10) as u8),
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => Folded::Letter,
        '\u{ff01}'..='\u{ff5e}' => Folded::Mark((c as u32 - 0xfee0) as u8),
        _ if c.is_whitespace() => Folded::Space,
        _ => match decimal(c) {
            Some(value) => Folded::Digit(value),
            None if c.is_alphanumeric() || is_combining(c) => Folded::Letter,
            None => Folded::Mark(b'?'),
        },
    }
}

/// Marks that sit on the letter before them belong to its word.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{e31}'..='\u{e4e}')
}

/// The ASCII character a character stands for in a compacted identifier: a digit, an upper-case letter, or nothing.
pub(crate) fn compact(c: char) -> Option<u8> {
    match c {
        'a'..='z' => Some(c as u8 - 32),
        'A'..='Z' | '0'..='9' => Some(c as u8),
        '\u{ff21}'..='\u{ff3a}' => Some((c as u32 - 0xfee0) as u8),
        '\u{ff41}'..='\u{ff5a}' => Some((c as u32 - 0xfee0 - 32) as u8),
        _ if c.is_ascii() => None,
        _ => decimal(c).map(|v| b'0' + v),
    }
}

/// The letter under the accent, for the letters of Latin-1.
pub(crate) fn base(c: char) -> Option<u8> {
    Some(match c {
        'à'..='å' | 'À'..='Å' => b'a',
        'è'..='ë' | 'È'..='Ë' => b'e',
        'ì'..='ï' | 'Ì'..='Ï' => b'i',
        'ò'..='ö' | 'Ò'..='Ö' => b'o',
        'ù'..='ü' | 'Ù'..='Ü' => b'u',
        'ç' | 'Ç' => b'c',
        'ñ' | 'Ñ' => b'n',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_in_order() {
        assert!(ZEROS.is_sorted());
    }

    #[test]
    fn digits_of_other_scripts_have_their_value() {
        assert_eq!(fold('٣'), Folded::Digit(3));
        assert_eq!(fold('７'), Folded::Digit(7));
        assert_eq!(fold('९'), Folded::Digit(9));
    }

    #[test]
    fn unseen_characters_stand_for_nothing() {
        assert_eq!(fold('\u{200b}'), Folded::Nothing);
        assert_eq!(fold('\u{feff}'), Folded::Nothing);
    }
}
