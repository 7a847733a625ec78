//! Character folding: the class of each byte, and the ASCII equivalent of look-alike Unicode characters.
#![expect(clippy::cast_possible_truncation, reason = "the matched ranges fit a byte")]

/// The class of one byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteClass {
    Space,
    Line,
    Letter,
    Digit,
    Asterisk,
    Mark,
    NonAscii,
}

/// The class of every byte. Bytes of 128 and above begin or continue a character that [`fold`] classifies.
pub(crate) const BYTE_CLASSES: [ByteClass; 256] = {
    let mut table = [ByteClass::NonAscii; 256];
    let mut at = 0;
    while at < 128 {
        table[at] = match at as u8 {
            b'\n' => ByteClass::Line,
            0..=32 | 127 => ByteClass::Space,
            b'0'..=b'9' => ByteClass::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => ByteClass::Letter,
            b'*' => ByteClass::Asterisk,
            _ => ByteClass::Mark,
        };
        at += 1;
    }
    table
};

/// The ASCII equivalent of a character outside ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FoldedChar {
    Space,
    Line,
    /// Invisible: dropped inside a word or number.
    Ignorable,
    Digit(u8),
    /// Equivalent to this ASCII mark.
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

/// Folds a character outside ASCII.
pub(crate) fn fold(c: char) -> FoldedChar {
    match c {
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => FoldedChar::Ignorable,
        '\u{85}' | '\u{2028}' | '\u{2029}' => FoldedChar::Line,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2043}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{30fc}' => {
            FoldedChar::Mark(b'-')
        }
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' => FoldedChar::Mark(b'\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '«' | '»' => FoldedChar::Mark(b'"'),
        '\u{2024}' | '·' | '•' | '\u{3002}' | '\u{ff61}' => FoldedChar::Mark(b'.'),
        '\u{2044}' | '\u{2215}' => FoldedChar::Mark(b'/'),
        '£' | '€' | '¥' | '₹' | '¢' | '₩' => FoldedChar::Mark(b'$'),
        '\u{ff10}'..='\u{ff19}' => FoldedChar::Digit((c as u32 - 0xff10) as u8),
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => FoldedChar::Letter,
        '\u{ff01}'..='\u{ff5e}' => FoldedChar::Mark((c as u32 - 0xfee0) as u8),
        _ if c.is_whitespace() => FoldedChar::Space,
        _ => match decimal(c) {
            Some(value) => FoldedChar::Digit(value),
            None if c.is_alphanumeric() || is_combining(c) => FoldedChar::Letter,
            None => FoldedChar::Mark(b'?'),
        },
    }
}

/// Combining marks, which belong to the word of the letter before them.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{e31}'..='\u{e4e}')
}

/// The ASCII digit or upper-case letter of a character in a compacted identifier; `None` for any other character.
pub(crate) fn to_compact_ascii(c: char) -> Option<u8> {
    match c {
        'a'..='z' => Some(c as u8 - 32),
        'A'..='Z' | '0'..='9' => Some(c as u8),
        '\u{ff21}'..='\u{ff3a}' => Some((c as u32 - 0xfee0) as u8),
        '\u{ff41}'..='\u{ff5a}' => Some((c as u32 - 0xfee0 - 32) as u8),
        _ if c.is_ascii() => None,
        _ => decimal(c).map(|v| b'0' + v),
    }
}

/// The lower-case base letter of an accented letter of Latin-1.
pub(crate) fn strip_accent(c: char) -> Option<u8> {
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
    fn zeros_are_sorted() {
        assert!(ZEROS.is_sorted());
    }

    #[test]
    fn digits_of_other_scripts_fold_to_their_value() {
        assert_eq!(fold('٣'), FoldedChar::Digit(3));
        assert_eq!(fold('７'), FoldedChar::Digit(7));
        assert_eq!(fold('९'), FoldedChar::Digit(9));
    }

    #[test]
    fn invisible_characters_are_ignorable() {
        assert_eq!(fold('\u{200b}'), FoldedChar::Ignorable);
        assert_eq!(fold('\u{feff}'), FoldedChar::Ignorable);
    }
}
