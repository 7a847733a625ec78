//! ISO 3166-1 country codes, for bank identifier codes.

/// The 249 officially assigned alpha-2 codes of ISO 3166-1 and `xk`, which SWIFT uses for Kosovo, lower-case, sorted.
pub(crate) const COUNTRY_CODES: &[&str] = &[
    "ad", "ae", "af", "ag", "ai", "al", "am", "ao", "aq", "ar", "as", "at", "au", "aw", "ax", "az", "ba", "bb", "bd",
    "be", "bf", "bg", "bh", "bi", "bj", "bl", "bm", "bn", "bo", "bq", "br", "bs", "bt", "bv", "bw", "by", "bz", "ca",
    "cc", "cd", "cf", "cg", "ch", "ci", "ck", "cl", "cm", "cn", "co", "cr", "cu", "cv", "cw", "cx", "cy", "cz", "de",
    "dj", "dk", "dm", "do", "dz", "ec", "ee", "eg", "eh", "er", "es", "et", "fi", "fj", "fk", "fm", "fo", "fr", "ga",
    "gb", "gd", "ge", "gf", "gg", "gh", "gi", "gl", "gm", "gn", "gp", "gq", "gr", "gs", "gt", "gu", "gw", "gy", "hk",
    "hm", "hn", "hr", "ht", "hu", "id", "ie", "il", "im", "in", "io", "iq", "ir", "is", "it", "je", "jm", "jo", "jp",
    "ke", "kg", "kh", "ki", "km", "kn", "kp", "kr", "kw", "ky", "kz", "la", "lb", "lc", "li", "lk", "lr", "ls", "lt",
    "lu", "lv", "ly", "ma", "mc", "md", "me", "mf", "mg", "mh", "mk", "ml", "mm", "mn", "mo", "mp", "mq", "mr", "ms",
    "mt", "mu", "mv", "mw", "mx", "my", "mz", "na", "nc", "ne", "nf", "ng", "ni", "nl", "no", "np", "nr", "nu", "nz",
    "om", "pa", "pe", "pf", "pg", "ph", "pk", "pl", "pm", "pn", "pr", "ps", "pt", "pw", "py", "qa", "re", "ro", "rs",
    "ru", "rw", "sa", "sb", "sc", "sd", "se", "sg", "sh", "si", "sj", "sk", "sl", "sm", "sn", "so", "sr", "ss", "st",
    "sv", "sx", "sy", "sz", "tc", "td", "tf", "tg", "th", "tj", "tk", "tl", "tm", "tn", "to", "tr", "tt", "tv", "tw",
    "tz", "ua", "ug", "um", "us", "uy", "uz", "va", "vc", "ve", "vg", "vi", "vn", "vu", "wf", "ws", "xk", "ye", "yt",
    "za", "zm", "zw",
];

/// Whether two letters are a country code. Their case is ignored.
pub(crate) fn is_country_code(letters: [u8; 2]) -> bool {
    let lower = letters.map(|letter| letter.to_ascii_lowercase());
    COUNTRY_CODES.binary_search_by(|code| code.as_bytes().cmp(lower.as_slice())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::is_sorted_lower_case;

    #[test]
    fn the_codes_are_sorted_and_lower_case() {
        assert!(is_sorted_lower_case(COUNTRY_CODES));
    }

    #[test]
    fn a_country_code_is_found_in_either_case() {
        assert!(is_country_code(*b"DE") && is_country_code(*b"de"));
        assert!(!is_country_code(*b"QQ"));
    }
}
