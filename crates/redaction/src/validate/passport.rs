//! Passport numbers. Only Germany's carry a check digit; the others have no more than a shape and need a cue.

use super::has_shape;

/// Whether a text has the make-up of a passport number of the United States since 2021: a letter and eight digits
/// (Department of State, "Next Generation U.S. Passport"). Letters with which German numbers begin are left to Germany's
/// check digit.
fn united_states(compact: &[u8]) -> bool {
    has_shape(compact, "A99999999") && !b"CFGHJK".contains(&compact[0]) && compact[1] != b'0'
}

/// Whether a text has the make-up of an Indian passport number: a letter but Q, X and Z, a digit but 0, six digits of which
/// the last is not 0 (Ministry of External Affairs, Passport Seva).
fn india(compact: &[u8]) -> bool {
    has_shape(compact, "A9999999") && !b"QXZ".contains(&compact[0]) && compact[1] != b'0' && compact[7] != b'0'
}

/// Whether a text has the make-up of a Korean passport number: kind, three digits, a letter since 2021 or a digit, four
/// digits (Ministry of Foreign Affairs, Passport Act).
fn south_korea(compact: &[u8]) -> bool {
    (has_shape(compact, "A999A9999") || has_shape(compact, "A99999999")) && b"DMORS".contains(&compact[0])
}

/// Whether a text has the make-up of a Spanish passport number: two or three letters, six digits (National Police).
fn spain(compact: &[u8]) -> bool {
    has_shape(compact, "AAA999999") || has_shape(compact, "AA999999")
}

/// Whether a text has the make-up of an Italian passport number: two letters, seven digits (State Police).
fn italy(compact: &[u8]) -> bool {
    has_shape(compact, "AA9999999")
}

/// Whether a text has the make-up of a Canadian passport number: two letters and six digits or, since 2023, one letter,
/// six digits, two letters (Immigration, Refugees and Citizenship Canada).
fn canada(compact: &[u8]) -> bool {
    has_shape(compact, "AA999999") || has_shape(compact, "A999999AA")
}

/// Whether a text has the make-up of a French passport number: two digits, two letters, five digits (Ministry of the
/// Interior).
fn france(compact: &[u8]) -> bool {
    has_shape(compact, "99AA99999")
}

/// Whether a text has the make-up of an Australian passport number: E, L, M, N, P or R, possibly a second
/// letter, seven digits (Australian Passport Office).
fn australia(compact: &[u8]) -> bool {
    (has_shape(compact, "A9999999") || has_shape(compact, "AA9999999")) && b"ELMNPR".contains(&compact[0])
}

/// Whether a text has the make-up of a Chinese passport number: D, E, P or S and eight digits, or E, a letter, seven
/// digits (National Immigration Administration).
fn china(compact: &[u8]) -> bool {
    (has_shape(compact, "A99999999") && b"EDSP".contains(&compact[0])) || has_shape(compact, "EA9999999")
}

/// Whether a text has the make-up of a passport number of one of the countries here. Those that are digits only, as the
/// British and the older ones of the United States, are left out: nine digits can be anything.
pub(crate) fn lettered(compact: &[u8]) -> bool {
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
    fn each_country_has_its_shape() {
        assert!(united_states(b"A10000001") && india(b"J8369854") && spain(b"ZAB000254"));
        assert!(south_korea(b"S405K8812") && italy(b"YB7204418") && canada(b"GA302922") && canada(b"P640025RT"));
        assert!(france(b"19CK60431") && australia(b"PB6042917") && china(b"E70415526"));
    }

    #[test]
    fn another_shape_is_no_passport() {
        let broken: [&[u8]; 6] = [b"", b"A405K8812", b"S405K881", b"S405881264", b"YB72044186", b"PASSPORT"];
        assert!(!broken.into_iter().any(lettered));
    }

    #[test]
    fn an_indian_number_has_no_zero_at_its_ends() {
        assert!(!india(b"J0369854") && !india(b"J8369850") && !india(b"Q8369854"));
    }
}
