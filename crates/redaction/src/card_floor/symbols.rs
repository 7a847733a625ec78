//! Folding of characters that stand for digits but are no decimal digits of a script: circled, superscript and
//! subscript digits and the like, as in the compatibility forms of Unicode (NFKC), and letters that look like digits.

/// The first and the last character of a range of numbers, with the value of the first. The values of the others follow.
const NUMBERS: [(char, char, u8); 27] = [
    ('\u{b2}', '\u{b3}', 2),
    ('\u{b9}', '\u{b9}', 1),
    ('\u{2070}', '\u{2070}', 0),
    ('\u{2074}', '\u{2079}', 4),
    ('\u{2080}', '\u{2089}', 0),
    ('\u{2460}', '\u{2473}', 1),
    ('\u{2474}', '\u{2487}', 1),
    ('\u{2488}', '\u{249b}', 1),
    ('\u{24ea}', '\u{24ea}', 0),
    ('\u{24eb}', '\u{24f4}', 11),
    ('\u{24f5}', '\u{24fe}', 1),
    ('\u{24ff}', '\u{24ff}', 0),
    ('\u{2776}', '\u{277f}', 1),
    ('\u{2780}', '\u{2789}', 1),
    ('\u{278a}', '\u{2793}', 1),
    ('\u{3007}', '\u{3007}', 0),
    ('\u{3220}', '\u{3229}', 1),
    ('\u{3251}', '\u{325f}', 21),
    ('\u{3280}', '\u{3289}', 1),
    ('\u{32b1}', '\u{32bf}', 36),
    ('\u{1e5f1}', '\u{1e5fa}', 0),
    ('\u{1e950}', '\u{1e959}', 0),
    ('\u{1f100}', '\u{1f100}', 0),
    ('\u{1f101}', '\u{1f10a}', 0),
    ('\u{1f10b}', '\u{1f10b}', 0),
    ('\u{1f10c}', '\u{1f10c}', 0),
    ('\u{1fbf0}', '\u{1fbf9}', 0),
];

/// The number that a character stands for, from 0 to 50; `None` for every other character, decimal digits included.
pub(crate) fn number(c: char) -> Option<u8> {
    let range = NUMBERS.iter().find(|(first, last, _)| (*first..=*last).contains(&c))?;
    u8::try_from(c as u32 - range.0 as u32).ok().map(|offset| range.2 + offset)
}

/// Whether a character may stand for a number. Few characters outside the ranges may.
#[inline]
pub(crate) fn may_be_number(c: char) -> bool {
    matches!(c, '\u{b2}'..='\u{b9}' | '\u{2070}'..='\u{2793}' | '\u{3007}'..='\u{32bf}' | '\u{1e5f1}'..='\u{1fbf9}')
        && number(c).is_some()
}

/// The digit that a letter looks like: `O` and `o` are zero, `l` and `I` are one.
pub(crate) fn look_alike(byte: u8) -> Option<u8> {
    match byte {
        b'O' | b'o' => Some(0),
        b'l' | b'I' => Some(1),
        _ => None,
    }
}

/// Whether a character only changes the look of the character before it, as the frame of a keycap does, or is invisible.
pub(crate) fn is_decoration(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{61c}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{180b}'..='\u{180f}' | '\u{1dc0}'..='\u{1dff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_sorted_and_do_not_overlap() {
        assert!(NUMBERS.iter().all(|(first, last, _)| first <= last));
        assert!(NUMBERS.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn circled_superscript_and_subscript_digits_have_their_value() {
        for (c, value) in [('①', 1), ('⓪', 0), ('⑳', 20), ('²', 2), ('⁷', 7), ('₉', 9), ('❺', 5), ('🄃', 2)]
        {
            assert_eq!(number(c), Some(value), "{c}");
        }
        assert!(['5', 'x', '٣', '½', 'Ⅷ'].into_iter().all(|c| number(c).is_none()));
    }
}
