//! Validators of the national and tax identifiers of Latin America.

use super::calendar::is_date_of_short_year;
use super::check_digit::weighted_sum;
use super::{digits, has_shape, number_at, one_byte_repeated};

/// The check digit of Brazilian numbers: 11 minus the remainder modulo 11, or 0 if that exceeds 9.
fn brazilian_check_digit(sum: u32) -> u32 {
    match sum % 11 {
        0 | 1 => 0,
        remainder => 11 - remainder,
    }
}

/// Validates a Brazilian individual taxpayer number of 11 digits: 2 check digits (Receita Federal, CPF).
pub(crate) fn brazilian_cpf(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    brazilian_check_digit(weighted_sum(&values, &[10, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[9])
        && brazilian_check_digit(weighted_sum(&values, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[10])
        && !one_byte_repeated(compact)
}

/// Validates a Brazilian company number of 14 characters: 12 digits or (since 2026) also letters, then 2 check digits.
/// The value of a character is its ASCII code minus 48 (Receita Federal, CNPJ, Normative Instruction 2229/2024).
pub(crate) fn brazilian_cnpj(compact: &[u8]) -> bool {
    let Ok(code) = <[u8; 14]>::try_from(compact) else { return false };
    if !has_shape(compact, "XXXXXXXXXXXX99") || one_byte_repeated(compact) {
        return false;
    }
    let values = code.map(|byte| byte - b'0');
    brazilian_check_digit(weighted_sum(&values, &[5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[12])
        && brazilian_check_digit(weighted_sum(&values, &[6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]))
            == u32::from(values[13])
}

/// Validates a Mexican population registry code of 18 characters: letters of the name, date of birth, sex, state,
/// consonants, a character for the century, check digit (Registro Nacional de Población, CURP).
pub(crate) fn mexican_curp(compact: &[u8]) -> bool {
    /// Two-letter codes of the states. `NE` is a birth abroad.
    const STATES: &[u8] = b"ASBCBSCCCLCMCSCHDFDGGTGRHGJCMCMNMSNTNLOCPLQTQRSPSLSRTCTSTLVZYNZSNE";
    let (Some(birth), Some(state)) = (number_at(compact, 4, 6), compact.get(11..13)) else { return false };
    let has_curp_shape = has_shape(compact, "AAAA999999AAAAAAX9");
    if !has_curp_shape || !b"HMX".contains(&compact[10]) || !STATES.chunks_exact(2).any(|code| code == state) {
        return false;
    }
    // Letters after N have a value one higher, since Ñ has its own value.
    let value = |byte: u8| {
        char::from(byte).to_digit(36).unwrap_or_default() + u32::from(byte.is_ascii_uppercase() && byte > b'N')
    };
    let sum: u32 = compact[..17].iter().zip((2..=18).rev()).map(|(byte, weight)| value(*byte) * weight).sum();
    is_date_of_short_year(birth / 10_000, birth / 100 % 100, birth % 100)
        && (10 - sum % 10) % 10 == u32::from(compact[17] - b'0')
}

/// Matches the format of a Mexican taxpayer code of 12 or 13 characters: 3 (company) or 4 (person) letters, a date, 2
/// characters, a check digit or A (Servicio de Administración Tributaria, RFC).
///
/// The check digit is not tested, since it is often a generic one. Ñ and & among the letters are not supported.
pub(crate) fn mexican_rfc(compact: &[u8]) -> bool {
    let Some(code) = compact.last_chunk::<9>() else { return false };
    let Some(letters) = compact.len().checked_sub(9) else { return false };
    let Some(birth) = number_at(code, 0, 6) else { return false };
    matches!(letters, 3 | 4)
        && compact[..letters].iter().all(u8::is_ascii_uppercase)
        && is_date_of_short_year(birth / 10_000, birth / 100 % 100, birth % 100)
        && code[6..8].iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && (code[8].is_ascii_digit() || code[8] == b'A')
}

/// Validates a Chilean national number: 7 or 8 digits, then a check digit or K modulo 11 (Servicio de Registro Civil,
/// RUN).
pub(crate) fn chilean_run(compact: &[u8]) -> bool {
    let Some((check, body)) = compact.split_last() else { return false };
    if !matches!(body.len(), 7 | 8) || !super::all_digits(body) || body[0] == b'0' || one_byte_repeated(body) {
        return false;
    }
    let sum: u32 = body
        .iter()
        .rev()
        .zip([2, 3, 4, 5, 6, 7].into_iter().cycle())
        .map(|(byte, weight)| u32::from(byte - b'0') * weight)
        .sum();
    *check == b"0123456789K0"[((11 - sum % 11) % 11) as usize]
}

/// Validates an Argentine tax or labour number of 11 digits: a type in use, check digit modulo 11 (AFIP, CUIT and
/// CUIL).
pub(crate) fn argentine_cuit(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let remainder = weighted_sum(&values, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    let kind = values[0] * 10 + values[1];
    matches!(kind, 20 | 23..=27 | 30 | 33 | 34 | 50 | 51 | 55) && (11 - remainder) % 11 == u32::from(values[10])
}

/// Matches the format of an Argentine identity document number of 7 or 8 digits: 1,000,000 to 99,999,999 (Registro
/// Nacional de las Personas, DNI). There is no check digit.
pub(crate) fn argentine_dni(compact: &[u8]) -> bool {
    matches!(compact.len(), 7 | 8)
        && super::number(compact).is_some_and(|value| value >= 1_000_000)
        && !one_byte_repeated(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brazilian_taxpayer_number_has_two_check_digits() {
        assert!(brazilian_cpf(b"11144477735") && brazilian_cpf(b"39053344705"));
        assert!(!brazilian_cpf(b"11144477736") && !brazilian_cpf(b"11144477745") && !brazilian_cpf(b"11111111111"));
    }

    #[test]
    fn a_brazilian_company_number_may_have_letters() {
        assert!(brazilian_cnpj(b"16727230000197") && brazilian_cnpj(b"12ABC34501DE35"));
        assert!(
            !brazilian_cnpj(b"16727230000198")
                && !brazilian_cnpj(b"12ABC34501DE36")
                && !brazilian_cnpj(b"00000000000000")
        );
    }

    #[test]
    fn a_mexican_registry_code_has_a_state_a_birth_date_and_a_check_digit() {
        assert!(mexican_curp(b"BOXW310820HNERXN09"));
        assert!(
            !mexican_curp(b"BOXW310820HNERXN08")
                && !mexican_curp(b"BOXW311320HNERXN09")
                && !mexican_curp(b"BOXW310820HQQRXN09")
        );
    }

    #[test]
    fn a_mexican_taxpayer_code_has_a_date() {
        assert!(mexican_rfc(b"GODE561231GR8") && mexican_rfc(b"MAB930714JT4"));
        assert!(!mexican_rfc(b"GODE561331GR8") && !mexican_rfc(b"GODE561231GRB") && !mexican_rfc(b"GO561231GR8"));
    }

    #[test]
    fn a_chilean_number_has_its_check_digit() {
        assert!(chilean_run(b"12345670K") && chilean_run(b"125319092"));
        assert!(!chilean_run(b"125319093") && !chilean_run(b"12531909"));
    }

    #[test]
    fn an_argentine_number_has_a_type_in_use_and_a_check_digit() {
        assert!(argentine_cuit(b"20267565393") && argentine_cuit(b"30500010912"));
        assert!(!argentine_cuit(b"20267565394") && !argentine_cuit(b"40267565393"));
        assert!(argentine_dni(b"20123456") && !argentine_dni(b"00123456"));
    }
}
