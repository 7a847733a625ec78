//! SHA-256 (FIPS 180-4) for messages of one block.

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const ROUND_CONSTANTS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
const INITIAL_STATE: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Maximum bytes of a message that fits in one block with its padding.
pub(crate) const MAX_MESSAGE_BYTES: usize = 55;

/// The digest of a message of up to [`MAX_MESSAGE_BYTES`] bytes. `None` for a longer message.
pub(crate) fn sha256(message: &[u8]) -> Option<[u8; 32]> {
    if message.len() > MAX_MESSAGE_BYTES {
        return None;
    }
    let mut block = [0; 64];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x80;
    block[56..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(compress(&block)) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    Some(digest)
}

fn compress(block: &[u8; 64]) -> [u32; 8] {
    let mut schedule = [0_u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte));
    }
    for at in 16..64 {
        let (word_15, word_2) = (schedule[at - 15], schedule[at - 2]);
        let first = word_15.rotate_right(7) ^ word_15.rotate_right(18) ^ word_15 >> 3;
        let second = word_2.rotate_right(17) ^ word_2.rotate_right(19) ^ word_2 >> 10;
        schedule[at] = schedule[at - 16].wrapping_add(first).wrapping_add(schedule[at - 7]).wrapping_add(second);
    }
    let mut state = INITIAL_STATE;
    for (constant, word) in ROUND_CONSTANTS.iter().zip(schedule) {
        let (head, middle) = (state[0], state[4]);
        let sum = middle.rotate_right(6) ^ middle.rotate_right(11) ^ middle.rotate_right(25);
        let choice = middle & state[5] ^ !middle & state[6];
        let first = state[7].wrapping_add(sum).wrapping_add(choice).wrapping_add(*constant).wrapping_add(word);
        let sum = head.rotate_right(2) ^ head.rotate_right(13) ^ head.rotate_right(22);
        let majority = head & state[1] ^ head & state[2] ^ state[1] & state[2];
        let second = sum.wrapping_add(majority);
        state.rotate_right(1);
        state[4] = state[4].wrapping_add(first);
        state[0] = first.wrapping_add(second);
    }
    for (word, start) in state.iter_mut().zip(INITIAL_STATE) {
        *word = word.wrapping_add(start);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::{super::hexadecimal, *};

    #[test]
    fn sha256_computes_the_digests_of_the_standard() {
        assert_eq!(hexadecimal(sha256(b"abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hexadecimal(sha256(b"")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn a_message_of_two_blocks_is_rejected() {
        assert!(sha256(&[0; MAX_MESSAGE_BYTES]).is_some() && sha256(&[0; MAX_MESSAGE_BYTES + 1]).is_none());
    }
}
