//! The buffer of bytes that were read from a connection and not yet passed to the HTTP library.

use tokio::io::ReadBuf;

/// Bytes of an incomplete head, or of the next request.
#[derive(Debug, Default)]
pub(super) struct ReadBuffer {
    bytes: Vec<u8>,
    /// Number of bytes at the front that belong to the current request and may be passed on.
    framed: usize,
    /// Whether the framer has examined all bytes and needs more.
    needs_more: bool,
}

impl ReadBuffer {
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the buffer contains more than empty lines. Some clients send empty lines after a body.
    pub(super) fn has_content(&self) -> bool {
        self.bytes.iter().any(|byte| !matches!(byte, b'\r' | b'\n'))
    }

    /// Whether some bytes may be passed on.
    pub(super) fn has_framed(&self) -> bool {
        self.framed > 0
    }

    /// Whether the framer needs more bytes.
    pub(super) fn needs_more(&self) -> bool {
        self.needs_more
    }

    /// Bytes that the framer has not assigned to the current request.
    pub(super) fn unframed(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.framed..).unwrap_or_default()
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.needs_more = false;
    }

    /// Records that the framer has examined all bytes and needs more.
    pub(super) fn set_needs_more(&mut self) {
        self.needs_more = true;
    }

    /// Lets the framer examine the bytes again, for the next request.
    pub(super) fn begin_next_request(&mut self) {
        self.needs_more = false;
    }

    /// Records that `count` bytes at the front belong to the current request.
    pub(super) fn mark_framed(&mut self, count: usize) {
        self.framed = count;
    }

    /// Moves framed bytes into `buf`, up to its remaining capacity. Frees the memory of an empty buffer.
    pub(super) fn drain_into(&mut self, buf: &mut ReadBuf<'_>) {
        let count = self.framed.min(buf.remaining());
        buf.put_slice(self.bytes.get(..count).unwrap_or_default());
        self.bytes.drain(..count);
        self.framed -= count;
        self.needs_more = false;
        if self.bytes.is_empty() {
            self.bytes = Vec::new();
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_framed_bytes_are_drained_up_to_the_capacity_of_the_buffer() {
        let mut buffer = ReadBuffer::default();
        buffer.push(b"abcdef");
        buffer.mark_framed(4);
        let mut memory = [0; 3];
        let mut buf = ReadBuf::new(&mut memory);
        buffer.drain_into(&mut buf);
        assert_eq!(buf.filled(), b"abc");
        buf.clear();
        buffer.drain_into(&mut buf);
        assert_eq!((buf.filled(), buffer.len(), buffer.has_framed()), (&b"d"[..], 2, false));
    }
}
