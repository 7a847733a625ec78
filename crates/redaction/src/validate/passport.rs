//! Validators of passport numbers. Only German numbers have a check digit. The others have a shape only and need a cue.

use super::has_shape;

/// Matches the format of a passport number of the United States since 2021: a letter and 8 digits (Department of State,
/// "Next Generation U.S. Passport").
///
/// Numbers with the first letter of a German number are rejected, since the German validator tests their check digit.
fn united_states(compact: &[u8]) -> bool {
    has_shape(compact, "A99999999") && !b"CFGHJK".contains(&compact[0]) && compact[1] != b'0'
}

/// Matches the format of an Indian passport number: a letter except Q, X and Z, a digit except 0, 6 digits of which the
/// last is not 0 (Ministry of External Affairs, Passport Seva).
fn india(compact: &[u8]) -> bool {
    has_shape(compact, "A9999999") && !b"QXZ".contains(&compact[0]) && compact[1] != b'0' && compact[7] != b'0'
}

/// Matches the format of a Korean passport number: a type letter, 3 digits, a digit or (since 2021) a letter, 4 digits
/// (Ministry of Foreign Affairs, Passport Act).
fn south_korea(compact: &[u8]) -> bool {
    (has_shape(compact, "A999A9999") || has_shape(compact, "A99999999")) && b"DMORS".contains(&compact[0])
}

/// Matches the format of a Spanish passport number: 2 or 3 letters, 6 digits (National Police).
fn spain(compact: &[u8]) -> bool {
    has_shape(compact, "AAA999999") || has_shape(compact, "AA999999")
}

/// Matches the format of an Italian passport number: 2 letters, 7 digits (State Police).
fn italy(compact: &[u8]) -> bool {
    has_shape(compact, "AA9999999")
}

/// Matches the format of a Canadian passport number: 2 letters and 6 digits or, since 2023, a letter, 6 digits and 2
/// letters (Immigration, Refugees and Citizenship Canada).
fn canada(compact: &[u8]) -> bool {
    has_shape(compact, "AA999999") || has_shape(compact, "A999999AA")
}

/// Matches the format of a French passport number: 2 digits, 2 letters, 5 digits (Ministry of the Interior).
fn france(compact: &[u8]) -> bool {
    has_shape(compact, "99AA99999")
}

/// Matches the format of an Australian passport number: E, L, M, N, P or R, optionally a second letter, 7 digits
/// (Australian Passport Office).
fn australia(compact: &[u8]) -> bool {
    (has_shape(compact, "A9999999") || has_shape(compact, "AA9999999")) && b"ELMNPR".contains(&compact[0])
}

/// Matches the format of a Chinese passport number: D, E, P or S and 8 digits, or E, a letter and 7 digits (National
/// Immigration Administration).
fn china(compact: &[u8]) -> bool {
    (has_shape(compact, "A99999999") && b"EDSP".contains(&compact[0])) || has_shape(compact, "EA9999999")
}

/// Matches the format of a passport number of any of these countries. Formats without letters, such as the British and
/// the older one of the United States, are left out, since 9 digits are not specific.
pub(crate) fn alphanumeric_passport(compact: &[u8]) -> bool {
    [
        united_states,
        india,
        south_korea,
        spain,
        italy,
        canada,
        france,
        australia,
        china,
        super::europe::germany::passport,
    ]
    .iter()
    .any(|check| check(compact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_each_country_matches_its_shape() {
        assert!(united_states(b"A10000001") && india(b"J8369854") && spain(b"ZAB000254"));
        assert!(south_korea(b"S405K8812") && italy(b"YB7204418") && canada(b"GA302922") && canada(b"P640025RT"));
        assert!(france(b"19CK60431") && australia(b"PB6042917") && china(b"E70415526"));
    }

    #[test]
    fn a_number_of_another_shape_is_no_passport_number() {
        let malformed: [&[u8]; 6] = [b"", b"A405K8812", b"S405K881", b"S405881264", b"YB72044186", b"PASSPORT"];
        assert!(!malformed.into_iter().any(alphanumeric_passport));
    }

    #[test]
    fn an_indian_number_has_no_zero_as_first_or_last_digit() {
        assert!(!india(b"J0369854") && !india(b"J8369850") && !india(b"Q8369854"));
    }
}
