//! Validators of internet addresses and hardware addresses. They take the raw bytes, since punctuation is part of them.

/// Validates an IPv4 or IPv6 address with an optional prefix length after a slash (RFC 4632, RFC 4291).
pub(crate) fn ip_address(raw: &[u8]) -> bool {
    let Some(slash) = raw.iter().position(|byte| *byte == b'/') else { return ipv4(raw) || ipv6(raw) };
    let (address, length) = (&raw[..slash], decimal(&raw[slash + 1..]));
    length.is_some_and(|bits| (bits <= 32 && ipv4(address)) || (bits <= 128 && (ipv6(address) || address == b"::")))
}

/// Validates an IPv4 address: four numbers from 0 to 255 with full stops between them (RFC 791). Leading zeros are
/// accepted, since people write them.
pub(crate) fn ipv4(raw: &[u8]) -> bool {
    let mut parts = 0;
    for part in raw.split(|byte| *byte == b'.') {
        if decimal(part).is_none_or(|value| value > 255) {
            return false;
        }
        parts += 1;
    }
    parts == 4
}

/// The value of one to three digits.
fn decimal(digits: &[u8]) -> Option<u16> {
    let valid = (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    valid.then(|| digits.iter().fold(0, |value, byte| value * 10 + u16::from(byte - b'0')))
}

/// Validates an IPv6 address: 8 groups of 1 to 4 hexadecimal digits, or fewer with one `::`. The last two groups may be
/// an IPv4 address (RFC 4291, section 2.2). A zone may follow after `%` (RFC 4007).
///
/// This function is stricter than the grammar. A compressed address of fewer than 3 groups must begin with `::` or have
/// a group of at least 3 hexadecimal digits, one of them decimal. Otherwise it is more often a path in source code
/// (`a::b`). `::` alone is rejected.
pub(crate) fn ipv6(raw: &[u8]) -> bool {
    let (address, zone) = match raw.iter().position(|byte| *byte == b'%') {
        Some(at) => (&raw[..at], Some(&raw[at + 1..])),
        None => (raw, None),
    };
    if zone.is_some_and(|zone| zone.is_empty() || !zone.iter().all(u8::is_ascii_alphanumeric)) {
        return false;
    }
    let Some(gap) = address.windows(2).position(|pair| pair == b"::") else {
        return count_groups(address, true) == Some(8);
    };
    let (head, tail) = (&address[..gap], &address[gap + 2..]);
    let (Some(before), Some(after)) = (count_groups(head, false), count_groups(tail, true)) else { return false };
    let total = before + after;
    (1..=7).contains(&total) && (total > 2 || head.is_empty() || is_distinctive(head) || is_distinctive(tail))
}

/// The number of 16-bit groups in one side of an IPv6 address. `None` if it is malformed. Zero if it is empty.
fn count_groups(side: &[u8], may_end_in_ipv4: bool) -> Option<usize> {
    if side.is_empty() {
        return Some(0);
    }
    let last_colon = side.iter().rposition(|byte| *byte == b':');
    let last = last_colon.map_or(0, |at| at + 1);
    if may_end_in_ipv4 && ipv4(&side[last..]) {
        return match last_colon {
            Some(colon) if colon > 0 => Some(count_groups(&side[..colon], false)? + 2),
            Some(_) => None,
            None => Some(2),
        };
    }
    let mut count = 0;
    for group in side.split(|byte| *byte == b':') {
        if !(1..=4).contains(&group.len()) || !group.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

fn is_distinctive(side: &[u8]) -> bool {
    let mut groups = side.split(|byte| *byte == b':');
    groups.any(|group| group.len() >= 3 && group.iter().any(u8::is_ascii_digit))
}

/// Validates a 48-bit hardware address (IEEE 802, EUI-48): 6 pairs of hexadecimal digits, all separated by `:` or all
/// by `-`, or 3 groups of 4 separated by full stops. 12 equal digits, such as the broadcast address, are rejected.
pub(crate) fn mac_address(raw: &[u8]) -> bool {
    let (separator, period) = match (raw.len(), raw.get(2), raw.get(4)) {
        (17, Some(separator @ (b':' | b'-')), _) => (*separator, 3),
        (14, _, Some(b'.')) => (b'.', 5),
        _ => return false,
    };
    let valid = raw
        .iter()
        .enumerate()
        .all(|(at, byte)| if at % period == period - 1 { *byte == separator } else { byte.is_ascii_hexdigit() });
    let differs = |byte: &u8| byte.is_ascii_hexdigit() && !byte.eq_ignore_ascii_case(&raw[0]);
    valid && raw.iter().any(differs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv4_address_has_four_numbers_from_0_to_255() {
        assert!(ipv4(b"203.0.113.7") && ipv4(b"255.255.255.255") && ipv4(b"010.000.000.001"));
        assert!(!ipv4(b"203.0.113") && !ipv4(b"203.0.113.256") && !ipv4(b"203.0.113.") && !ipv4(b"1.2.3.4.5"));
    }

    #[test]
    fn the_text_forms_of_rfc_4291_are_valid() {
        let samples: [&[u8]; 6] = [
            b"ABCD:EF01:2345:6789:ABCD:EF01:2345:6789",
            b"2001:DB8::8:800:200C:417A",
            b"FF01::101",
            b"::1",
            b"0:0:0:0:0:0:13.1.68.3",
            b"::FFFF:129.144.52.38",
        ];
        assert!(samples.into_iter().all(ipv6));
        assert!(ipv6(b"fe80::1ff:fe23:4567:890a%eth2"));
    }

    #[test]
    fn a_malformed_ipv6_address_is_invalid() {
        let malformed: [&[u8]; 9] = [
            b"2001:DB8::8::1",
            b"2001:DB8:1:2:3:4:5",
            b"2001:DB8:1:2:3:4:5:6:7",
            b"1:2:3:4:5:6:7::8",
            b"2001:DB8:::1",
            b"12345::1",
            b"::ffff:1.2.3.256",
            b"1.2.3.4::1",
            b"::",
        ];
        assert!(!malformed.into_iter().any(ipv6));
        assert!(!ipv6(b":") && !ipv6(b"") && !ipv6(b"::1%") && !ipv6(b":1.2.3.4"));
    }

    #[test]
    fn a_path_in_source_code_is_no_address() {
        assert!(!ipv6(b"a::b") && !ipv6(b"dead::beef") && !ipv6(b"12::30"));
    }

    #[test]
    fn a_prefix_length_does_not_exceed_the_address_length() {
        assert!(ip_address(b"198.51.100.0/24") && ip_address(b"2001:db8::/48") && ip_address(b"::/0"));
        assert!(!ip_address(b"198.51.100.0/33") && !ip_address(b"2001:db8::/129") && !ip_address(b"198.51.100.0/"));
    }

    #[test]
    fn a_hardware_address_has_the_same_separator_throughout() {
        assert!(
            mac_address(b"00:00:5E:00:53:af") && mac_address(b"00-00-5e-00-53-af") && mac_address(b"0000.5e00.53af")
        );
        assert!(
            !mac_address(b"00:00-5E:00:53:AF") && !mac_address(b"00:00:5E:00:53") && !mac_address(b"0000.5e00:53af")
        );
    }

    #[test]
    fn twelve_equal_digits_are_no_hardware_address() {
        assert!(!mac_address(b"ff:Ff:FF:ff:ff:ff") && !mac_address(b"00:00:00:00:00:00"));
    }
}
