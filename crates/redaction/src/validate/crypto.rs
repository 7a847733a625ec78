//! Validators of cryptocurrency wallet addresses. They take the raw bytes, since upper and lower case differ.

use super::digest::keccak::keccak256;
use super::digest::sha256::sha256;

/// Validates a wallet address of Bitcoin, Litecoin, Dogecoin, Tron, Ethereum or a currency with the Ethereum format.
pub(crate) fn wallet_address(raw: &[u8]) -> bool {
    base58_address(raw) || bech32_address(raw) || ethereum_address(raw)
}

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Version bytes of payment addresses: Bitcoin 0 and 5, Litecoin 48 and 50, Dogecoin 30 and 22, Tron 65, Bitcoin test
/// network 111 and 196.
const VERSIONS: [u8; 9] = [0, 5, 48, 50, 30, 22, 65, 111, 196];

/// Validates a `Base58Check` address: 25 bytes that begin with a known version and end with the first 4 bytes of the
/// double SHA-256 of the other 21 bytes (Bitcoin developer reference, "Address Conversion").
pub(crate) fn base58_address(raw: &[u8]) -> bool {
    if !(26..=35).contains(&raw.len()) {
        return false;
    }
    let mut bytes = [0_u8; 25];
    for letter in raw {
        let Some(digit) = BASE58.iter().position(|symbol| symbol == letter) else { return false };
        let mut carry = digit;
        for byte in bytes.iter_mut().rev() {
            carry += usize::from(*byte) * 58;
            *byte = carry.to_le_bytes()[0];
            carry >>= 8;
        }
        if carry > 0 {
            return false;
        }
    }
    let digest = sha256(&bytes[..21]).and_then(|first| sha256(&first));
    VERSIONS.contains(&bytes[0]) && digest.is_some_and(|digest| digest[..4] == bytes[21..])
}

const BECH32: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Human-readable parts of Bitcoin, the Bitcoin test network and Litecoin.
const BECH32_PREFIXES: [&[u8]; 3] = [b"bc", b"tb", b"ltc"];

/// Validates a segregated witness address: bech32 for version 0 (BIP 173), bech32m for other versions (BIP 350).
pub(crate) fn bech32_address(raw: &[u8]) -> bool {
    let one_case = !raw.iter().any(u8::is_ascii_uppercase) || !raw.iter().any(u8::is_ascii_lowercase);
    let Some(split) = raw.iter().rposition(|byte| *byte == b'1') else { return false };
    let (prefix, data) = (&raw[..split], &raw[split + 1..]);
    if raw.len() > 90
        || data.len() < 7
        || !one_case
        || !BECH32_PREFIXES.iter().any(|human_part| prefix.eq_ignore_ascii_case(human_part))
    {
        return false;
    }
    let lower = prefix.iter().map(u8::to_ascii_lowercase);
    let mut check = lower.clone().fold(1, |check, byte| polymod(check, byte >> 5));
    check = polymod(check, 0);
    check = lower.fold(check, |check, byte| polymod(check, byte & 31));
    let mut version = 0;
    for (at, letter) in data.iter().enumerate() {
        let lower = letter.to_ascii_lowercase();
        let Some(value) = BECH32.iter().position(|symbol| *symbol == lower).and_then(|at| u8::try_from(at).ok()) else {
            return false;
        };
        if at == 0 {
            version = value;
        }
        check = polymod(check, value);
    }
    version <= 16 && check == if version == 0 { 1 } else { 0x2bc8_30a3 }
}

/// One step of the bech32 checksum, a BCH code over GF(32).
fn polymod(check: u32, value: u8) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let top = check >> 25;
    let shifted = (check & 0x01ff_ffff) << 5 ^ u32::from(value);
    GENERATOR.iter().enumerate().filter(|(at, _)| top >> at & 1 == 1).fold(shifted, |sum, (_, part)| sum ^ part)
}

/// Validates an Ethereum address: `0x` and 40 hexadecimal digits. If both cases occur, they must match the checksum of
/// EIP-55. 40 equal digits are rejected.
pub(crate) fn ethereum_address(raw: &[u8]) -> bool {
    let Some(digits) = raw.strip_prefix(b"0x").and_then(|rest| <[u8; 40]>::try_from(rest).ok()) else { return false };
    if !digits.iter().all(u8::is_ascii_hexdigit) || super::one_byte_repeated(&digits) {
        return false;
    }
    if !digits.iter().any(u8::is_ascii_uppercase) || !digits.iter().any(u8::is_ascii_lowercase) {
        return true;
    }
    let lower = digits.map(|digit| digit.to_ascii_lowercase());
    let Some(digest) = keccak256(&lower) else { return false };
    digits.iter().enumerate().all(|(at, digit)| {
        let nibble = if at % 2 == 0 { digest[at / 2] >> 4 } else { digest[at / 2] & 15 };
        digit.is_ascii_digit() || digit.is_ascii_uppercase() == (nibble >= 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bitcoin_address_is_valid() {
        assert!(base58_address(b"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"));
        assert!(!base58_address(b"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"));
        assert!(!base58_address(b"1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a"));
    }

    #[test]
    fn the_examples_of_bip_173_are_valid() {
        assert!(bech32_address(b"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"));
        assert!(bech32_address(b"tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7"));
        assert!(!bech32_address(b"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"));
        assert!(!bech32_address(b"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3t4"));
    }

    #[test]
    fn the_example_of_bip_350_is_valid() {
        assert!(bech32_address(b"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"));
        assert!(!bech32_address(b"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd"));
    }

    #[test]
    fn the_examples_of_eip_55_are_valid() {
        assert!(ethereum_address(b"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"));
        assert!(ethereum_address(b"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"));
        assert!(!ethereum_address(b"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"));
    }

    #[test]
    fn an_address_of_one_case_has_no_checksum() {
        assert!(ethereum_address(b"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"));
        assert!(!ethereum_address(b"0x0000000000000000000000000000000000000000") && !ethereum_address(b"0x5aaeb6053f"));
    }

    #[test]
    fn an_address_of_any_format_is_a_wallet_address() {
        assert!(
            wallet_address(b"1BoatSLRHtKNngkdXEeobR76b53LETtpyT")
                && wallet_address(b"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
        );
        assert!(!wallet_address(b"") && !wallet_address(b"1111111111111111111111111"));
    }
}
