//! What was read of a connection and not handed on.

use tokio::io::ReadBuf;

/// Bytes of a head that is not complete, or of the next request.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    /// Bytes at the front that may be handed on.
    approved: usize,
    /// Whether the framer has seen all of it, and needs more.
    is_examined: bool,
}

impl Inbox {
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether there is more than empty lines, which some clients send after a body.
    pub(super) fn has_content(&self) -> bool {
        self.bytes.iter().any(|byte| !matches!(byte, b'\r' | b'\n'))
    }

    /// Whether some of it may be handed on.
    pub(super) fn has_approved(&self) -> bool {
        self.approved > 0
    }

    /// Whether the framer needs more than there is.
    pub(super) fn needs_more(&self) -> bool {
        self.is_examined
    }

    /// Bytes that the framer has not approved.
    pub(super) fn unapproved(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.approved..).unwrap_or_default()
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.is_examined = false;
    }

    /// The framer has seen all of it, and nothing may be handed on.
    pub(super) fn set_examined(&mut self) {
        self.is_examined = true;
    }

    /// The framer is to look at it anew.
    pub(super) fn begin_next_request(&mut self) {
        self.is_examined = false;
    }

    pub(super) fn approve(&mut self, count: usize) {
        self.approved = count;
    }

    /// Hands on what may be handed on and has room. The memory of an empty inbox is given back.
    pub(super) fn hand_on(&mut self, buf: &mut ReadBuf<'_>) {
        let count = self.approved.min(buf.remaining());
        buf.put_slice(self.bytes.get(..count).unwrap_or_default());
        self.bytes.drain(..count);
        self.approved -= count;
        self.is_examined = false;
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
    fn only_what_is_approved_is_handed_on_as_far_as_there_is_room() {
        let mut inbox = Inbox::default();
        inbox.push(b"abcdef");
        inbox.approve(4);
        let mut memory = [0; 3];
        let mut buf = ReadBuf::new(&mut memory);
        inbox.hand_on(&mut buf);
        assert_eq!(buf.filled(), b"abc");
        buf.clear();
        inbox.hand_on(&mut buf);
        assert_eq!((buf.filled(), inbox.len(), inbox.has_approved()), (&b"d"[..], 2, false));
    }
}
