//! Validators of European value added tax numbers with their country prefix.

use super::check_digit::{luhn, mod97, weighted_sum};
use super::europe::{eastern, germany, iberia, italy, western};
use super::{digits, has_shape, number, number_at};

/// A country prefix and the validator of the rest of the number.
type Country = (&'static [u8], fn(&[u8]) -> bool);

/// Every member state of the European Union, Great Britain (`GB`, `XI`), Norway and Switzerland. The algorithms are
/// those of VIES (European Commission) and of the national tax administrations.
const COUNTRIES: [Country; 32] = [
    (b"ATU", austria),
    (b"BE", belgium),
    (b"BG", bulgaria),
    (b"CHE", switzerland),
    (b"CY", cyprus),
    (b"CZ", czechia),
    (b"DE", germany::value_added_tax),
    (b"DK", denmark),
    (b"EE", estonia),
    (b"EL", greece),
    (b"ES", spain),
    (b"FI", finland),
    (b"FR", france),
    (b"GB", great_britain),
    (b"HR", eastern::croatian_personal_number),
    (b"HU", hungary),
    (b"IE", ireland),
    (b"IT", italy::value_added_tax),
    (b"LT", lithuania),
    (b"LU", luxembourg),
    (b"LV", latvia),
    (b"MT", malta),
    (b"NL", netherlands),
    (b"NO", norway),
    (b"PL", eastern::polish_nip),
    (b"PT", iberia::portuguese_nif),
    (b"RO", romania),
    (b"SE", sweden),
    (b"SI", slovenia),
    (b"SK", slovakia),
    (b"XI", great_britain),
    (b"GR", greece),
];

/// Positions that are digits in the numbers of every country. The country prefix begins at position 0.
pub(crate) const DIGIT_POSITIONS: std::ops::Range<usize> = 4..9;

/// For each pair of letters, the index of the country in [`COUNTRIES`] plus one, or 0. The lookup rejects other text at
/// once. No two prefixes begin with the same two letters.
static COUNTRY_BY_LETTERS: [[u8; 26]; 26] = {
    let mut table = [[0; 26]; 26];
    let mut at = 0;
    while at < COUNTRIES.len() {
        let letters = COUNTRIES[at].0;
        at += 1;
        let entry = &mut table[(letters[0] - b'A') as usize][(letters[1] - b'A') as usize];
        assert!(*entry == 0);
        #[expect(clippy::cast_possible_truncation, reason = "COUNTRIES has fewer than 256 entries")]
        {
            *entry = at as u8;
        }
    }
    table
};

/// The country whose prefix begins with the first two letters of a text.
fn country(compact: &[u8]) -> Option<&'static Country> {
    let [first @ b'A'..=b'Z', second @ b'A'..=b'Z', ..] = compact else { return None };
    let entry = COUNTRY_BY_LETTERS[usize::from(first - b'A')][usize::from(second - b'A')];
    COUNTRIES.get(usize::from(entry).checked_sub(1)?)
}

/// Whether a text begins with the first two letters of a country prefix.
pub(crate) fn starts_with_country_prefix(compact: &[u8]) -> bool {
    country(compact).is_some()
}

/// Validates a value added tax number: country prefix and check digits.
pub(crate) fn vat_number(compact: &[u8]) -> bool {
    country(compact).is_some_and(|(letters, check)| compact.strip_prefix(*letters).is_some_and(check))
}

/// Validates a value added tax number of at least 11 characters. Ordinary text rarely contains one.
pub(crate) fn long_vat_number(compact: &[u8]) -> bool {
    compact.len() >= 11 && vat_number(compact)
}

/// Validates a value added tax number of at least 11 characters whose prefix may be separated from the rest. Spanish
/// numbers are rejected, since "es" is a Spanish word that precedes identity numbers.
pub(crate) fn long_vat_number_with_separate_prefix(compact: &[u8]) -> bool {
    long_vat_number(compact) && !compact.starts_with(b"ES")
}

fn austria(rest: &[u8]) -> bool {
    let Some(values) = digits::<8>(rest) else { return false };
    let sum: u32 = values[..7]
        .iter()
        .enumerate()
        .map(|(at, value)| weighted_digit_sum(*value, if at % 2 == 0 { 1 } else { 2 }))
        .sum();
    (106 - sum) % 10 == u32::from(values[7])
}

/// The digit sum of a weighted digit.
fn weighted_digit_sum(value: u8, weight: u32) -> u32 {
    let weighted = u32::from(value) * weight;
    weighted / 10 + weighted % 10
}

fn belgium(rest: &[u8]) -> bool {
    let (Some(_), Some(body), Some(check)) = (digits::<10>(rest), number_at(rest, 0, 8), number_at(rest, 8, 2)) else {
        return false;
    };
    matches!(rest[0], b'0' | b'1') && 97 - body % 97 == check
}

fn bulgaria(rest: &[u8]) -> bool {
    let Some(values) = digits::<9>(rest) else { return eastern::bulgarian_personal_number(rest) };
    let first = weighted_sum(&values, &[1, 2, 3, 4, 5, 6, 7, 8]) % 11;
    let check = if first < 10 { first } else { weighted_sum(&values, &[3, 4, 5, 6, 7, 8, 9, 10]) % 11 % 10 };
    check == u32::from(values[8])
}

fn switzerland(rest: &[u8]) -> bool {
    let Some((body, suffix)) = rest.split_first_chunk::<9>() else { return false };
    let Some(values) = digits::<9>(body) else { return false };
    matches!(suffix, b"" | b"MWST" | b"TVA" | b"IVA")
        && weighted_sum(&values, &[5, 4, 3, 2, 7, 6, 5, 4, 1]).is_multiple_of(11)
}

fn cyprus(rest: &[u8]) -> bool {
    /// Values of the digits in odd positions.
    const ODD_VALUES: [u32; 10] = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
    let Some((letter, body)) = rest.split_last() else { return false };
    let Some(values) = digits::<8>(body) else { return false };
    let sum: u32 = values
        .iter()
        .enumerate()
        .map(|(at, value)| if at % 2 == 0 { ODD_VALUES[usize::from(*value)] } else { u32::from(*value) })
        .sum();
    letter.is_ascii_uppercase() && u32::from(letter - b'A') == sum % 26 && !body.starts_with(b"12")
}

fn czechia(rest: &[u8]) -> bool {
    let Some(values) = digits::<8>(rest) else { return eastern::czech_birth_number(rest) };
    let check = (11 - weighted_sum(&values, &[8, 7, 6, 5, 4, 3, 2]) % 11) % 10;
    values[0] != 9 && check == u32::from(values[7])
}

fn denmark(rest: &[u8]) -> bool {
    digits::<8>(rest)
        .is_some_and(|values| values[0] != 0 && weighted_sum(&values, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11))
}

fn estonia(rest: &[u8]) -> bool {
    digits::<9>(rest).is_some_and(|values| weighted_sum(&values, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10))
}

fn greece(rest: &[u8]) -> bool {
    digits::<9>(rest)
        .is_some_and(|values| weighted_sum(&values, &[256, 128, 64, 32, 16, 8, 4, 2]) % 11 % 10 == u32::from(values[8]))
}

fn spain(rest: &[u8]) -> bool {
    rest.len() == 9 && (iberia::spanish_nif(rest) || iberia::spanish_nie(rest) || iberia::spanish_cif(rest))
}

fn finland(rest: &[u8]) -> bool {
    digits::<8>(rest).is_some_and(|values| weighted_sum(&values, &[7, 9, 10, 5, 8, 4, 2, 1]).is_multiple_of(11))
}

fn france(rest: &[u8]) -> bool {
    let Some((key, siren)) = rest.split_first_chunk::<2>() else { return false };
    let Some(company) = number(siren) else { return false };
    // Few companies have a key with letters, which has a different rule. Only their company number is validated.
    let key_fits = match number(key) {
        Some(value) => (12 + 3 * (company % 97)) % 97 == value,
        None => key.iter().all(|byte| byte.is_ascii_digit() || (byte.is_ascii_uppercase() && !b"IO".contains(byte))),
    };
    western::french_siren(siren) && key_fits
}

fn great_britain(rest: &[u8]) -> bool {
    let Some((body, branch)) = rest.split_first_chunk::<9>() else { return false };
    let Some(values) = digits::<9>(body) else { return false };
    let sum = weighted_sum(&values, &[8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97;
    matches!(branch.len(), 0 | 3)
        && branch.iter().all(u8::is_ascii_digit)
        && matches!(sum, 0 | 42)
        && body != b"000000000"
}

fn hungary(rest: &[u8]) -> bool {
    digits::<8>(rest).is_some_and(|values| weighted_sum(&values, &[9, 7, 3, 1, 9, 7, 3, 1]).is_multiple_of(10))
}

fn ireland(rest: &[u8]) -> bool {
    // Numbers from before 1986 have a letter at the second position.
    western::irish_personal_number(rest) || has_shape(rest, "9A99999A")
}

fn lithuania(rest: &[u8]) -> bool {
    let length = rest.len();
    if !matches!(length, 9 | 12) || number(rest).is_none() || rest[length - 2] != b'1' {
        return false;
    }
    let sum = |start: u32| -> u32 {
        rest[..length - 1]
            .iter()
            .zip(start..)
            .map(|(byte, weight)| u32::from(byte - b'0') * ((weight - 1) % 9 + 1))
            .sum()
    };
    let first = sum(1) % 11;
    let check = if first < 10 { first } else { sum(3) % 11 % 10 };
    check == u32::from(rest[length - 1] - b'0')
}

fn luxembourg(rest: &[u8]) -> bool {
    let (Some(_), Some(body), Some(check)) = (digits::<8>(rest), number_at(rest, 0, 6), number_at(rest, 6, 2)) else {
        return false;
    };
    body > 0 && body % 89 == check
}

fn latvia(rest: &[u8]) -> bool {
    let Some(values) = digits::<11>(rest) else { return false };
    values[0] > 3 && weighted_sum(&values, &[9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 == 3
}

fn malta(rest: &[u8]) -> bool {
    digits::<8>(rest)
        .is_some_and(|values| values[0] != 0 && weighted_sum(&values, &[3, 4, 6, 7, 8, 9, 10, 1]).is_multiple_of(37))
}

fn netherlands(rest: &[u8]) -> bool {
    has_shape(rest, "999999999B99")
        && (western::dutch_citizen_number(&rest[..9]) || mod97(b"NL".iter().chain(rest).copied()) == Some(1))
}

fn norway(rest: &[u8]) -> bool {
    let Some((body, suffix)) = rest.split_first_chunk::<9>() else { return false };
    let has_check_digit = |values: [u8; 9]| weighted_sum(&values, &[3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11);
    suffix == b"MVA" && digits::<9>(body).is_some_and(has_check_digit)
}

fn romania(rest: &[u8]) -> bool {
    let (Some(value), Some((last, body))) = (number(rest), rest.split_last()) else { return false };
    let weights = [2, 3, 5, 7, 1, 2, 3, 5, 7];
    let sum: u32 = body.iter().rev().zip(weights).map(|(byte, weight)| u32::from(byte - b'0') * weight).sum();
    (6..=10).contains(&rest.len()) && rest[0] != b'0' && value > 0 && sum * 10 % 11 % 10 == u32::from(last - b'0')
}

fn sweden(rest: &[u8]) -> bool {
    rest.len() == 12 && rest.ends_with(b"01") && luhn(&rest[..10]) && rest[0] != b'0'
}

fn slovenia(rest: &[u8]) -> bool {
    digits::<8>(rest).is_some_and(|values| {
        let check = 11 - weighted_sum(&values, &[8, 7, 6, 5, 4, 3, 2]) % 11;
        values[0] != 0 && check != 11 && check % 10 == u32::from(values[7])
    })
}

fn slovakia(rest: &[u8]) -> bool {
    digits::<10>(rest).is_some_and(|values| values[0] != 0 && matches!(values[2], 2 | 3 | 4 | 7 | 8 | 9))
        && number(rest).is_some_and(|value| value.is_multiple_of(11))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that companies print on their invoices or that tax administrations publish as examples.
    const SAMPLES: &[&str] = &[
        "ATU13585627",
        "BE0403019261",
        "BG175074752",
        "CHE107787577IVA",
        "CY10259033P",
        "CZ25123891",
        "DE136695976",
        "DK13585628",
        "EE100931558",
        "EL094259216",
        "ES54362315K",
        "ESA58818501",
        "FI20774740",
        "FR40303265045",
        "GB980780684",
        "GR094259216",
        "HR33392005961",
        "HU12892312",
        "IE6433435F",
        "IT00743110157",
        "LT119511515",
        "LU15027442",
        "LV40003521600",
        "MT11679112",
        "NL004495445B01",
        "NO995525828MVA",
        "PL8567346215",
        "PT501964843",
        "RO18547290",
        "SE123456789701",
        "SI50223054",
        "SK2022749619",
        "XI980780684",
    ];

    #[test]
    fn published_numbers_of_every_country_are_valid() {
        for sample in SAMPLES {
            assert!(vat_number(sample.as_bytes()), "{sample}");
        }
    }

    #[test]
    fn every_country_has_a_sample() {
        for (letters, _) in COUNTRIES {
            assert!(SAMPLES.iter().any(|sample| sample.as_bytes().starts_with(letters)));
        }
    }

    #[test]
    fn a_number_with_a_wrong_digit_is_invalid() {
        for sample in SAMPLES {
            let mut wrong = sample.as_bytes().to_vec();
            let at = if sample.starts_with("CHE") { 6 } else { 5 };
            wrong[at] = if wrong[at] == b'9' { b'0' } else { wrong[at] + 1 };
            assert!(!vat_number(&wrong), "{sample}");
        }
    }

    #[test]
    fn a_number_with_a_letter_at_a_digit_position_is_invalid() {
        for sample in SAMPLES {
            for position in DIGIT_POSITIONS {
                for letter in b'A'..=b'Z' {
                    let mut wrong = sample.as_bytes().to_vec();
                    wrong[position] = letter;
                    assert!(!vat_number(&wrong), "{sample}");
                }
            }
        }
    }

    #[test]
    fn the_spanish_prefix_cannot_be_separated() {
        assert!(long_vat_number(b"ESX2482300W") && !long_vat_number_with_separate_prefix(b"ESX2482300W"));
        assert!(long_vat_number_with_separate_prefix(b"DE136695976") && !long_vat_number(b"DK13585628"));
    }

    #[test]
    fn a_number_with_an_unknown_country_is_invalid() {
        assert!(!vat_number(b"QQ136695976") && !vat_number(b"DE") && !vat_number(b""));
    }
}
