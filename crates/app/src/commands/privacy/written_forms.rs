//! The forms in which a value may be written in a file.

use std::collections::BTreeSet;

use base64::{Engine, alphabet, engine};
use parlance_domain::{hex, json_text};

/// Shortest form that is searched for, in bytes. Shorter ones occur by chance.
pub(super) const MIN_BYTES: usize = 6;

/// A form in which a value may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenForm {
    /// UTF-8, as it is.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// With escapes of JSON.
    Json,
    /// With the doubled quotation marks of CSV.
    Csv,
    /// With escapes of URLs.
    Percent,
    /// Within base64, at any of the three alignments.
    Base64,
    /// As hexadecimal digits.
    Hex,
    /// Without the separators between its digits.
    Digits,
}

impl WrittenForm {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf8",
            Self::Utf16Le => "utf16le",
            Self::Utf16Be => "utf16be",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Percent => "percent",
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::Digits => "digits",
        }
    }
}

/// All forms of a value, each text once. The value without the separators between its digits has the same forms.
pub(super) fn written_forms(value: &str) -> Vec<(WrittenForm, Vec<u8>)> {
    let mut forms = forms_of(value, WrittenForm::Utf8);
    let digits = without_separators(value);
    if digits != value {
        forms.extend(forms_of(&digits, WrittenForm::Digits));
    }
    let mut known = BTreeSet::new();
    forms.retain(|(_, bytes)| bytes.len() >= MIN_BYTES && known.insert(bytes.clone()));
    forms
}

fn forms_of(value: &str, plain: WrittenForm) -> Vec<(WrittenForm, Vec<u8>)> {
    let bytes = value.as_bytes();
    let hex = hex::encode(bytes);
    let mut forms = vec![
        (plain, bytes.to_vec()),
        (WrittenForm::Utf16Le, value.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        (WrittenForm::Utf16Be, value.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        (WrittenForm::Csv, value.replace('"', "\"\"").into_bytes()),
        (WrittenForm::Hex, hex.to_uppercase().into_bytes()),
        (WrittenForm::Hex, hex.into_bytes()),
    ];
    forms.extend(json_forms(value).into_iter().map(|form| (WrittenForm::Json, form)));
    forms.extend(percent_forms(bytes).into_iter().map(|form| (WrittenForm::Percent, form)));
    forms.extend(base64_forms(bytes).into_iter().map(|form| (WrittenForm::Base64, form)));
    forms
}

/// Removes spaces and signs that stand between two digits, as in `4111 1111` or `+49 (30) 1234`.
fn without_separators(value: &str) -> String {
    const SEPARATORS: [char; 7] = [' ', '\u{a0}', '-', '.', '/', '(', ')'];
    let mut text = String::new();
    let mut rest = value;
    while let Some(character) = rest.chars().next() {
        text.push(character);
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
        let after = rest.trim_start_matches(SEPARATORS);
        if character.is_ascii_digit() && after.starts_with(|next: char| next.is_ascii_digit()) {
            rest = after;
        }
    }
    text
}

/// The contents of a JSON string: characters outside ASCII as they are or escaped in either case, a solidus with and
/// without its escape.
fn json_forms(value: &str) -> Vec<Vec<u8>> {
    let mut string = Vec::new();
    json_text::write_string(value, &mut string);
    let inner = string.get(1..string.len() - 1).unwrap_or_default();
    let text = String::from_utf8_lossy(inner).into_owned();
    let lower = escape_outside_ascii(&text);
    let upper = escape_with_upper_case(&text);
    let texts = [text, lower, upper];
    texts.iter().flat_map(|text| [text.clone().into_bytes(), text.replace('/', "\\/").into_bytes()]).collect()
}

fn escape_outside_ascii(text: &str) -> String {
    escape_units(text, |digits| digits)
}

fn escape_with_upper_case(text: &str) -> String {
    escape_units(text, |digits| digits.to_uppercase())
}

fn escape_units(text: &str, case: impl Fn(String) -> String) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_ascii() {
            escaped.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                escaped.push_str("\\u");
                escaped.push_str(&case(hex::encode(&unit.to_be_bytes())));
            }
        }
    }
    escaped
}

/// The value with percent-encoding: only unreserved characters kept (RFC 3986), a plus sign for a space as in forms,
/// and the characters kept that browsers keep in a part of a URL and in a whole URL.
fn percent_forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let component = |byte: u8| unreserved(byte) || b"!*'()".contains(&byte);
    let whole = |byte: u8| component(byte) || b";:@&=+$,/?#".contains(&byte);
    let mut forms = Vec::new();
    for is_upper in [true, false] {
        let encoded = percent_encoded(bytes, is_upper, unreserved);
        forms.push(String::from_utf8_lossy(&encoded).replace("%20", "+").into_bytes());
        forms.extend([encoded, percent_encoded(bytes, is_upper, component), percent_encoded(bytes, is_upper, whole)]);
    }
    forms
}

fn percent_encoded(bytes: &[u8], is_upper: bool, keeps: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut encoded = Vec::new();
    for byte in bytes {
        if keeps(*byte) {
            encoded.push(*byte);
        } else {
            let digits = hex::encode(&[*byte]);
            encoded.push(b'%');
            encoded.extend_from_slice(if is_upper { digits.to_uppercase() } else { digits }.as_bytes());
        }
    }
    encoded
}

/// The characters of base64 that depend on the value alone, after zero, one and two bytes before it, in both alphabets.
fn base64_forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for alphabet in [&alphabet::STANDARD, &alphabet::URL_SAFE] {
        let engine = engine::GeneralPurpose::new(alphabet, engine::general_purpose::NO_PAD);
        for before in 0..3 {
            let encoded = engine.encode([&[0].repeat(before), bytes].concat());
            // A character has six bits. The first whole one begins at or after the bytes before the value.
            let (start, end) = ((8 * before).div_ceil(6), 8 * (before + bytes.len()) / 6);
            forms.push(encoded.get(start..end).unwrap_or_default().as_bytes().to_vec());
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(value: &str, form: WrittenForm, text: &str) -> bool {
        written_forms(value).contains(&(form, text.as_bytes().to_vec()))
    }

    #[test]
    fn a_value_has_each_form_of_its_text() {
        let value = "Zoë \"Z\" a/b";
        for (form, text) in [
            (WrittenForm::Utf8, value),
            (WrittenForm::Csv, "Zoë \"\"Z\"\" a/b"),
            (WrittenForm::Json, "Zoë \\\"Z\\\" a/b"),
            (WrittenForm::Json, "Zoë \\\"Z\\\" a\\/b"),
            (WrittenForm::Json, "Zo\\u00eb \\\"Z\\\" a\\/b"),
            (WrittenForm::Json, "Zo\\u00EB \\\"Z\\\" a/b"),
            (WrittenForm::Percent, "Zo%C3%AB%20%22Z%22%20a%2Fb"),
            (WrittenForm::Percent, "Zo%c3%ab+%22Z%22+a%2fb"),
            (WrittenForm::Percent, "Zo%C3%AB%20%22Z%22%20a/b"),
            (WrittenForm::Hex, "5a6fc3ab20225a2220612f62"),
            (WrittenForm::Hex, "5A6FC3AB20225A2220612F62"),
        ] {
            assert!(has(value, form, text), "{text}");
        }
        let utf16 = |bytes: Vec<u8>, form| assert!(written_forms(value).contains(&(form, bytes)));
        utf16(value.encode_utf16().flat_map(u16::to_le_bytes).collect(), WrittenForm::Utf16Le);
        utf16(value.encode_utf16().flat_map(u16::to_be_bytes).collect(), WrittenForm::Utf16Be);
    }

    #[test]
    fn a_value_is_found_in_base64_wherever_it_stands_in_the_encoded_text() {
        let value = "jane.doe@example.org";
        let forms = written_forms(value);
        for before in 0..7 {
            for after in 0..4 {
                let text = format!("{}{value}{}", "x".repeat(before), "y".repeat(after));
                let encoded = engine::general_purpose::STANDARD.encode(text);
                let is_part = |(form, bytes): &(WrittenForm, Vec<u8>)| {
                    *form == WrittenForm::Base64 && encoded.contains(&*String::from_utf8_lossy(bytes))
                };
                assert!(forms.iter().any(is_part), "{before} {after}");
            }
        }
    }

    #[test]
    fn separators_between_digits_are_removed_and_others_stay() {
        for (value, digits) in [
            ("4111 1111-1111.1111", "4111111111111111"),
            ("+49 (30) 123/456", "+4930123456"),
            ("room 12 - east", "room 12 - east"),
            ("a 1 - 2 b", "a 12 b"),
            ("1  2\u{a0}3 ", "123 "),
        ] {
            assert_eq!(without_separators(value), digits);
        }
        assert!(has("4111 1111", WrittenForm::Digits, "41111111"));
    }

    #[test]
    fn no_text_is_searched_for_twice_and_no_short_one_at_all() {
        let forms = written_forms("1-2-3-4");
        assert!(forms.iter().all(|(_, bytes)| bytes.len() >= MIN_BYTES));
        let texts: BTreeSet<_> = written_forms("plain-text").into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(texts.len(), written_forms("plain-text").len());
    }
}
