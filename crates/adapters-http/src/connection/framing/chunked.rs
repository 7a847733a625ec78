//! Boundaries of a chunked body (RFC 9112, section 7.1), and a limit on chunk extensions and trailers.

use crate::connection::limits::CHUNK_OVERHEAD_MAX_BYTES;

/// Maximum number of hexadecimal digits in a chunk size.
const SIZE_MAX_DIGITS: u8 = 15;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ChunkState {
    /// Before the first digit of a size.
    #[default]
    SizeStart,
    Size(u8),
    Extension,
    SizeLineFeed,
    Data,
    DataReturn,
    DataLineFeed,
    /// Before the first byte of a line after the last chunk.
    TrailerStart,
    Trailer,
    TrailerLineFeed,
    EndLineFeed,
    End,
}

/// Finds the end of a chunked body.
#[derive(Debug, Default)]
pub(super) struct ChunkedBody {
    state: ChunkState,
    remaining: u64,
    overhead: usize,
}

impl ChunkedBody {
    /// Consumes the bytes that belong to the body and returns their number. Returns `None` if the bytes are not valid
    /// chunks, or if extensions and trailers exceed their limit.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut taken = 0;
        while let Some(byte) = bytes.get(taken).filter(|_| self.state != ChunkState::End) {
            if self.state == ChunkState::Data {
                let data = usize::try_from(self.remaining).unwrap_or(usize::MAX).min(bytes.len() - taken);
                self.remaining = self.remaining.saturating_sub(u64::try_from(data).ok()?);
                taken += data;
                if self.remaining == 0 {
                    self.state = ChunkState::DataReturn;
                }
            } else {
                self.state = self.step(*byte)?;
                taken += 1;
            }
        }
        Some(taken)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.state == ChunkState::End
    }

    fn step(&mut self, byte: u8) -> Option<ChunkState> {
        Some(match (self.state, byte) {
            (ChunkState::SizeStart, _) => {
                self.remaining = hex_digit(byte)?;
                ChunkState::Size(1)
            }
            (ChunkState::Size(_) | ChunkState::Extension, b'\r') => ChunkState::SizeLineFeed,
            (ChunkState::Size(_), b';' | b' ' | b'\t') | (ChunkState::Extension, b'\t' | b' '..=b'~' | 0x80..) => {
                self.count_overhead(ChunkState::Extension)?
            }
            (ChunkState::Size(digits), _) if digits < SIZE_MAX_DIGITS => {
                self.remaining = self.remaining * 16 + hex_digit(byte)?;
                ChunkState::Size(digits + 1)
            }
            (ChunkState::SizeLineFeed, b'\n') if self.remaining == 0 => ChunkState::TrailerStart,
            (ChunkState::SizeLineFeed, b'\n') => ChunkState::Data,
            (ChunkState::DataReturn, b'\r') => ChunkState::DataLineFeed,
            (ChunkState::DataLineFeed, b'\n') => ChunkState::SizeStart,
            (ChunkState::TrailerStart, b'\r') => ChunkState::EndLineFeed,
            (ChunkState::Trailer, b'\r') => ChunkState::TrailerLineFeed,
            (ChunkState::TrailerStart | ChunkState::Trailer, b'\t' | b' '..=b'~' | 0x80..) => {
                self.count_overhead(ChunkState::Trailer)?
            }
            (ChunkState::TrailerLineFeed, b'\n') => ChunkState::TrailerStart,
            (ChunkState::EndLineFeed, b'\n') => ChunkState::End,
            _ => return None,
        })
    }

    fn count_overhead(&mut self, next: ChunkState) -> Option<ChunkState> {
        self.overhead += 1;
        (self.overhead <= CHUNK_OVERHEAD_MAX_BYTES).then_some(next)
    }
}

fn hex_digit(byte: u8) -> Option<u64> {
    char::from(byte).to_digit(16).map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> Option<(usize, bool)> {
        let mut body = ChunkedBody::default();
        body.advance(text.as_bytes()).map(|taken| (taken, body.is_complete()))
    }

    #[test]
    fn a_body_ends_after_its_last_chunk_and_trailers() {
        assert_eq!(taken("3\r\nabc\r\n0\r\n\r\nGET"), Some((13, true)));
        assert_eq!(taken("A \r\n0123456789\r\n0;x\r\na: b\r\n\r\n"), Some((29, true)));
        assert_eq!(taken("5\r\nab"), Some((5, false)));
    }

    #[test]
    fn malformed_chunks_are_refused() {
        for text in ["\r\n", "g\r\n", "-1\r\n", "+3\r\n", "3\nabc", "3\r\nabcd\r\n", "1234567890123456\r\n", "0\r\n\n"]
        {
            assert_eq!(taken(text), None, "{text:?}");
        }
    }

    #[test]
    fn extensions_and_trailers_share_a_size_limit() {
        let extension = |length: usize| format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(length));
        assert!(taken(&extension(CHUNK_OVERHEAD_MAX_BYTES - 1)).is_some());
        assert!(taken(&extension(CHUNK_OVERHEAD_MAX_BYTES)).is_none());
        assert!(taken(&"1;xxxxxxx\r\na\r\n".repeat(CHUNK_OVERHEAD_MAX_BYTES / 8 + 1)).is_none());
        assert!(taken(&format!("0\r\n{}\r\n\r\n", "x".repeat(CHUNK_OVERHEAD_MAX_BYTES + 1))).is_none());
    }
}
