//! National and tax identifiers of Latin America.

use super::calendar::is_date_of_short_year;
use super::check_digit::weighted_sum;
use super::{digits, has_shape, number_at, one_byte_repeated};

/// The check digit of Brazilian numbers: eleven less the remainder, 0 where that is more than 9.
fn brazilian_digit(sum: u32) -> u32 {
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

/// Whether eleven digits are a Brazilian individual taxpayer number: two check digits (Receita Federal, CPF).
pub(crate) fn brazilian_cpf(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    brazilian_digit(weighted_sum(&values, &[10, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[9])
        && brazilian_digit(weighted_sum(&values, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[10])
        && !one_byte_repeated(compact)
}

/// Whether fourteen characters are a Brazilian company number: twelve digits or, since 2026, letters too, each worth its
/// ASCII code less 48, and two check digits (Receita Federal, CNPJ, Normative Instruction 2229/2024).
pub(crate) fn brazilian_cnpj(compact: &[u8]) -> bool {
    let Ok(code) = <[u8; 14]>::try_from(compact) else { return false };
    if !has_shape(compact, "XXXXXXXXXXXX99") || one_byte_repeated(compact) {
        return false;
    }
    let values = code.map(|byte| byte - b'0');
    brazilian_digit(weighted_sum(&values, &[5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[12])
        && brazilian_digit(weighted_sum(&values, &[6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(values[13])
}

/// Whether eighteen characters are a Mexican population registry code: letters of the name, date of birth, sex, state,
/// consonants, a character for the century, check digit (Registro Nacional de Población, CURP).
pub(crate) fn mexican_curp(compact: &[u8]) -> bool {
    /// Letters of the states, `NE` for births abroad.
    const STATES: &[u8] = b"ASBCBSCCCLCMCSCHDFDGGTGRHGJCMCMNMSNTNLOCPLQTQRSPSLSRTCTSTLVZYNZSNE";
    let (Some(birth), Some(state)) = (number_at(compact, 4, 6), compact.get(11..13)) else { return false };
    let shape = has_shape(compact, "AAAA999999AAAAAAX9");
    if !shape || !b"HMX".contains(&compact[10]) || !STATES.chunks_exact(2).any(|known| known == state) {
        return false;
    }
    // Letters behind N count one more, as Ñ has a place of its own.
    let value = |byte: u8| {
        char::from(byte).to_digit(36).unwrap_or_default() + u32::from(byte.is_ascii_uppercase() && byte > b'N')
    };
    let sum: u32 = compact[..17].iter().zip((2..=18).rev()).map(|(byte, weight)| value(*byte) * weight).sum();
    is_date_of_short_year(birth / 10_000, birth / 100 % 100, birth % 100)
        && (10 - sum % 10) % 10 == u32::from(compact[17] - b'0')
}

/// Whether twelve or thirteen characters have the make-up of a Mexican taxpayer code: three (company) or four (person)
/// letters, a date, two characters, a check digit or A (Servicio de Administración Tributaria, RFC). The check digit is
/// often a generic one and is not tested. Ñ and & in the letters are not known here.
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

/// Whether a text is a Chilean national number: seven or eight digits and a check digit or K modulo eleven (Servicio de
/// Registro Civil, RUN).
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

/// Whether eleven digits are an Argentine tax or labour number: a kind in use, check digit modulo eleven (AFIP, CUIT and
/// CUIL).
pub(crate) fn argentine_cuit(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let rest = weighted_sum(&values, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    let kind = values[0] * 10 + values[1];
    matches!(kind, 20 | 23..=27 | 30 | 33 | 34 | 50 | 51 | 55) && (11 - rest) % 11 == u32::from(values[10])
}

/// Whether seven or eight digits can be an Argentine identity document: one million to 99 million (Registro Nacional de las
/// Personas, DNI). There is no check digit.
pub(crate) fn argentine_dni(compact: &[u8]) -> bool {
    matches!(compact.len(), 7 | 8)
        && super::number(compact).is_some_and(|value| value >= 1_000_000)
        && !one_byte_repeated(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taxpayer_has_two_check_digits() {
        assert!(brazilian_cpf(b"11144477735") && brazilian_cpf(b"39053344705"));
        assert!(!brazilian_cpf(b"11144477736") && !brazilian_cpf(b"11144477745") && !brazilian_cpf(b"11111111111"));
    }

    #[test]
    fn a_company_may_have_letters() {
        assert!(brazilian_cnpj(b"16727230000197") && brazilian_cnpj(b"12ABC34501DE35"));
        assert!(
            !brazilian_cnpj(b"16727230000198")
                && !brazilian_cnpj(b"12ABC34501DE36")
                && !brazilian_cnpj(b"00000000000000")
        );
    }

    #[test]
    fn a_registry_code_has_state_birth_and_check_digit() {
        assert!(mexican_curp(b"BOXW310820HNERXN09"));
        assert!(
            !mexican_curp(b"BOXW310820HNERXN08")
                && !mexican_curp(b"BOXW311320HNERXN09")
                && !mexican_curp(b"BOXW310820HQQRXN09")
        );
    }

    #[test]
    fn a_taxpayer_code_holds_a_date() {
        assert!(mexican_rfc(b"GODE561231GR8") && mexican_rfc(b"MAB930714JT4"));
        assert!(!mexican_rfc(b"GODE561331GR8") && !mexican_rfc(b"GODE561231GRB") && !mexican_rfc(b"GO561231GR8"));
    }

    #[test]
    fn a_chilean_number_has_its_check_digit() {
        assert!(chilean_run(b"12345670K") && chilean_run(b"125319092"));
        assert!(!chilean_run(b"125319093") && !chilean_run(b"12531909"));
    }

    #[test]
    fn an_argentine_number_has_a_kind_and_a_check_digit() {
        assert!(argentine_cuit(b"20267565393") && argentine_cuit(b"30500010912"));
        assert!(!argentine_cuit(b"20267565394") && !argentine_cuit(b"40267565393"));
        assert!(argentine_dni(b"20123456") && !argentine_dni(b"00123456"));
    }
}
