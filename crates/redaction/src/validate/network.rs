//! Addresses of the internet and of network hardware. These take the raw bytes: their punctuation is part of them.

/// Whether a text is an IPv4 or IPv6 address, with or without a prefix length behind a slash (RFC 4632, RFC 4291).
pub(crate) fn ip_address(raw: &[u8]) -> bool {
    let Some(slash) = raw.iter().position(|byte| *byte == b'/') else { return ipv4(raw) || ipv6(raw) };
    let (address, length) = (&raw[..slash], decimal(&raw[slash + 1..]));
    length.is_some_and(|bits| (bits <= 32 && ipv4(address)) || (bits <= 128 && (ipv6(address) || address == b"::")))
}

/// Whether a text is four numbers from 0 to 255 parted by full stops (RFC 791). Leading zeros are let through: people
/// write them.
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
    let sound = (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    sound.then(|| digits.iter().fold(0, |value, byte| value * 10 + u16::from(byte - b'0')))
}

/// Whether a text is an IPv6 address: eight groups of one to four hexadecimal digits, or fewer with one `::`, the last
/// two possibly as IPv4 address (RFC 4291, section 2.2), with or without a zone behind `%` (RFC 4007).
///
/// Beyond the grammar a compressed address of fewer than three groups must begin with `::` or have a group of three or
/// more digits with a decimal one among them, for `a::b` is more often a path of a program; `::` alone is no address.
pub(crate) fn ipv6(raw: &[u8]) -> bool {
    let (address, zone) = match raw.iter().position(|byte| *byte == b'%') {
        Some(at) => (&raw[..at], Some(&raw[at + 1..])),
        None => (raw, None),
    };
    if zone.is_some_and(|zone| zone.is_empty() || !zone.iter().all(u8::is_ascii_alphanumeric)) {
        return false;
    }
    let Some(gap) = address.windows(2).position(|pair| pair == b"::") else { return groups(address, true) == Some(8) };
    let (head, tail) = (&address[..gap], &address[gap + 2..]);
    let (Some(before), Some(after)) = (groups(head, false), groups(tail, true)) else { return false };
    let total = before + after;
    (1..=7).contains(&total) && (total > 2 || head.is_empty() || is_distinctive(head) || is_distinctive(tail))
}

/// How many 16-bit groups a stretch between colons holds; nothing where it is malformed. An empty stretch holds none.
fn groups(stretch: &[u8], may_end_in_ipv4: bool) -> Option<usize> {
    if stretch.is_empty() {
        return Some(0);
    }
    let last_colon = stretch.iter().rposition(|byte| *byte == b':');
    let last = last_colon.map_or(0, |at| at + 1);
    if may_end_in_ipv4 && ipv4(&stretch[last..]) {
        return match last_colon {
            Some(colon) if colon > 0 => Some(groups(&stretch[..colon], false)? + 2),
            Some(_) => None,
            None => Some(2),
        };
    }
    let mut count = 0;
    for group in stretch.split(|byte| *byte == b':') {
        if !(1..=4).contains(&group.len()) || !group.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

fn is_distinctive(stretch: &[u8]) -> bool {
    let mut groups = stretch.split(|byte| *byte == b':');
    groups.any(|group| group.len() >= 3 && group.iter().any(u8::is_ascii_digit))
}

/// Whether a text is a 48-bit hardware address (IEEE 802, EUI-48): six pairs of hexadecimal digits parted by `:` or `-`
/// throughout, or three groups of four parted by full stops. Twelve equal digits, as in the broadcast address, name no
/// device.
pub(crate) fn mac_address(raw: &[u8]) -> bool {
    let (separator, every) = match (raw.len(), raw.get(2), raw.get(4)) {
        (17, Some(separator @ (b':' | b'-')), _) => (*separator, 3),
        (14, _, Some(b'.')) => (b'.', 5),
        _ => return false,
    };
    let sound = raw
        .iter()
        .enumerate()
        .all(|(at, byte)| if at % every == every - 1 { *byte == separator } else { byte.is_ascii_hexdigit() });
    let differs = |byte: &u8| byte.is_ascii_hexdigit() && !byte.eq_ignore_ascii_case(&raw[0]);
    sound && raw.iter().any(differs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dotted_quad_has_four_numbers_to_255() {
        assert!(ipv4(b"203.0.113.7") && ipv4(b"255.255.255.255") && ipv4(b"010.000.000.001"));
        assert!(!ipv4(b"203.0.113") && !ipv4(b"203.0.113.256") && !ipv4(b"203.0.113.") && !ipv4(b"1.2.3.4.5"));
    }

    #[test]
    fn the_text_forms_of_rfc_4291_are_addresses() {
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
    fn a_broken_ipv6_address_is_none() {
        let broken: [&[u8]; 9] = [
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
        assert!(!broken.into_iter().any(ipv6));
        assert!(!ipv6(b":") && !ipv6(b"") && !ipv6(b"::1%") && !ipv6(b":1.2.3.4"));
    }

    #[test]
    fn the_path_of_a_program_is_no_address() {
        assert!(!ipv6(b"a::b") && !ipv6(b"dead::beef") && !ipv6(b"12::30"));
    }

    #[test]
    fn a_prefix_length_stays_within_the_address() {
        assert!(ip_address(b"198.51.100.0/24") && ip_address(b"2001:db8::/48") && ip_address(b"::/0"));
        assert!(!ip_address(b"198.51.100.0/33") && !ip_address(b"2001:db8::/129") && !ip_address(b"198.51.100.0/"));
    }

    #[test]
    fn a_hardware_address_keeps_to_one_separator() {
        assert!(
            mac_address(b"00:00:5E:00:53:af") && mac_address(b"00-00-5e-00-53-af") && mac_address(b"0000.5e00.53af")
        );
        assert!(
            !mac_address(b"00:00-5E:00:53:AF") && !mac_address(b"00:00:5E:00:53") && !mac_address(b"0000.5e00:53af")
        );
    }

    #[test]
    fn twelve_equal_digits_are_no_device() {
        assert!(!mac_address(b"ff:Ff:FF:ff:ff:ff") && !mac_address(b"00:00:00:00:00:00"));
    }
}
