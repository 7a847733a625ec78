//! Validators of the identifiers of mobile devices and SIM cards.

use super::check_digit::luhn;
use super::one_byte_repeated;

/// Validates an international mobile equipment identity of 15 digits: Luhn check digit (3GPP TS 23.003, annex B).
pub(crate) fn imei(compact: &[u8]) -> bool {
    compact.len() == 15 && luhn(compact) && !one_byte_repeated(compact)
}

/// Validates an integrated circuit card identifier of 19 or 20 digits: prefix 89, Luhn check digit over all digits
/// (ITU-T E.118).
pub(crate) fn iccid(compact: &[u8]) -> bool {
    matches!(compact.len(), 19 | 20) && compact.starts_with(b"89") && luhn(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imei_has_a_valid_check_digit() {
        assert!(imei(b"490154203237518"));
        assert!(!imei(b"490154203237519") && !imei(b"49015420323751") && !imei(b"000000000000000"));
    }

    #[test]
    fn an_iccid_begins_with_89() {
        assert!(iccid(b"89310410106543789305"));
        assert!(!iccid(b"89310410106543789302") && !iccid(b"79310410106543789305"));
    }
}
