//! The borders of a body in chunks (RFC 9112, section 7.1), and a bound on what it carries beside the body.

use crate::connection::limits::CHUNK_OVERHEAD_MAX_BYTES;

/// Most hexadecimal digits of a chunk's size.
const SIZE_MAX_DIGITS: u8 = 15;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// The first digit of a size.
    #[default]
    SizeStart,
    Size(u8),
    Extension,
    SizeLineFeed,
    Data,
    DataReturn,
    DataLineFeed,
    /// The first byte of a line after the last chunk.
    TrailerStart,
    Trailer,
    TrailerLineFeed,
    EndLineFeed,
    End,
}

/// Follows a body in chunks to its end.
#[derive(Debug, Default)]
pub(super) struct ChunkedBody {
    at: At,
    left: u64,
    overhead: usize,
}

impl ChunkedBody {
    /// Takes the bytes that belong to the body and returns how many they are; nothing where they are no chunks, or where
    /// extensions and trailers are longer than they may be.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut taken = 0;
        while let Some(byte) = bytes.get(taken).filter(|_| self.at != At::End) {
            if self.at == At::Data {
                let data = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len() - taken);
                self.left = self.left.saturating_sub(u64::try_from(data).ok()?);
                taken += data;
                if self.left == 0 {
                    self.at = At::DataReturn;
                }
            } else {
                self.at = self.step(*byte)?;
                taken += 1;
            }
        }
        Some(taken)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.at == At::End
    }

    fn step(&mut self, byte: u8) -> Option<At> {
        Some(match (self.at, byte) {
            (At::SizeStart, _) => {
                self.left = digit(byte)?;
                At::Size(1)
            }
            (At::Size(_) | At::Extension, b'\r') => At::SizeLineFeed,
            (At::Size(_), b';' | b' ' | b'\t') | (At::Extension, b'\t' | b' '..=b'~' | 0x80..) => {
                self.overhead(At::Extension)?
            }
            (At::Size(digits), _) if digits < SIZE_MAX_DIGITS => {
                self.left = self.left * 16 + digit(byte)?;
                At::Size(digits + 1)
            }
            (At::SizeLineFeed, b'\n') if self.left == 0 => At::TrailerStart,
            (At::SizeLineFeed, b'\n') => At::Data,
            (At::DataReturn, b'\r') => At::DataLineFeed,
            (At::DataLineFeed, b'\n') => At::SizeStart,
            (At::TrailerStart, b'\r') => At::EndLineFeed,
            (At::Trailer, b'\r') => At::TrailerLineFeed,
            (At::TrailerStart | At::Trailer, b'\t' | b' '..=b'~' | 0x80..) => self.overhead(At::Trailer)?,
            (At::TrailerLineFeed, b'\n') => At::TrailerStart,
            (At::EndLineFeed, b'\n') => At::End,
            _ => return None,
        })
    }

    fn overhead(&mut self, at: At) -> Option<At> {
        self.overhead += 1;
        (self.overhead <= CHUNK_OVERHEAD_MAX_BYTES).then_some(at)
    }
}

fn digit(byte: u8) -> Option<u64> {
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
    fn a_body_ends_with_its_last_chunk_and_trailers() {
        assert_eq!(taken("3\r\nabc\r\n0\r\n\r\nGET"), Some((13, true)));
        assert_eq!(taken("A \r\n0123456789\r\n0;x\r\na: b\r\n\r\n"), Some((29, true)));
        assert_eq!(taken("5\r\nab"), Some((5, false)));
    }

    #[test]
    fn what_is_no_chunk_is_refused() {
        for text in ["\r\n", "g\r\n", "-1\r\n", "+3\r\n", "3\nabc", "3\r\nabcd\r\n", "1234567890123456\r\n", "0\r\n\n"]
        {
            assert_eq!(taken(text), None, "{text:?}");
        }
    }

    #[test]
    fn extensions_and_trailers_share_a_bound() {
        let extension = |length: usize| format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(length));
        assert!(taken(&extension(CHUNK_OVERHEAD_MAX_BYTES - 1)).is_some());
        assert!(taken(&extension(CHUNK_OVERHEAD_MAX_BYTES)).is_none());
        assert!(taken(&"1;xxxxxxx\r\na\r\n".repeat(CHUNK_OVERHEAD_MAX_BYTES / 8 + 1)).is_none());
        assert!(taken(&format!("0\r\n{}\r\n\r\n", "x".repeat(CHUNK_OVERHEAD_MAX_BYTES + 1))).is_none());
    }
}
