//! Keccak-256 for messages of one block, with the padding of the original submission (not of SHA-3), as in Ethereum.

/// Constants of the 24 rounds.
const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Bits by which each lane is rotated, in the order of [`LANE_CYCLE`].
const ROTATIONS: [u32; 24] =
    [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];

/// The order in which the 24 lanes after the first are permuted.
const LANE_CYCLE: [usize; 24] = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];

/// Bytes of a block for 256 bits of output.
const RATE: usize = 136;

/// The digest of a message shorter than one block of 136 bytes. `None` for a longer message.
pub(crate) fn keccak256(message: &[u8]) -> Option<[u8; 32]> {
    if message.len() >= RATE {
        return None;
    }
    let mut block = [0_u8; RATE];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x01;
    block[RATE - 1] |= 0x80;
    let mut state = [0_u64; 25];
    for (lane, bytes) in state.iter_mut().zip(block.chunks_exact(8)) {
        *lane = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    }
    permute(&mut state);
    let mut digest = [0; 32];
    for (bytes, lane) in digest.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&lane.to_le_bytes());
    }
    Some(digest)
}

fn permute(state: &mut [u64; 25]) {
    for constant in ROUND_CONSTANTS {
        let mut column = [0; 5];
        for (at, lane) in state.iter().enumerate() {
            column[at % 5] ^= lane;
        }
        for (at, lane) in state.iter_mut().enumerate() {
            *lane ^= column[(at + 4) % 5] ^ column[(at + 1) % 5].rotate_left(1);
        }
        let mut carried = state[1];
        for (lane, rotation) in LANE_CYCLE.into_iter().zip(ROTATIONS) {
            (state[lane], carried) = (carried.rotate_left(rotation), state[lane]);
        }
        for row in state.chunks_exact_mut(5) {
            let previous = [row[0], row[1], row[2], row[3], row[4]];
            for (at, lane) in row.iter_mut().enumerate() {
                *lane ^= !previous[(at + 1) % 5] & previous[(at + 2) % 5];
            }
        }
        state[0] ^= constant;
    }
}

#[cfg(test)]
mod tests {
    use super::{super::hexadecimal, *};

    #[test]
    fn keccak256_computes_the_published_digests() {
        assert_eq!(hexadecimal(keccak256(b"")), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
        assert_eq!(hexadecimal(keccak256(b"abc")), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
    }

    #[test]
    fn a_message_of_two_blocks_is_rejected() {
        assert!(keccak256(&[0; RATE - 1]).is_some() && keccak256(&[0; RATE]).is_none());
    }
}
