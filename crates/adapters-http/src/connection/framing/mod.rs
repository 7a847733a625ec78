//! Request framing: where each request begins and ends in the bytes of a connection (RFC 9112).
//!
//! The rules are stricter than those of the HTTP library, so that both always see the same request: an ambiguous head
//! is refused.

mod chunked;
mod head;

use chunked::ChunkedBody;
pub(super) use head::HeadError;
use head::{BodyLength, find_end, read_head};

/// Why the bytes of a request are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FramingError {
    /// The head is malformed or too large.
    Head(HeadError),
    /// The chunks of the body are malformed, or their extensions and trailers are too large.
    Body,
}

/// Finds the boundaries of successive requests.
#[derive(Debug, Default)]
pub(super) struct RequestFramer {
    stage: Stage,
    /// Bytes of the current head that were searched for its end.
    scanned: usize,
    expects_continue: bool,
}

#[derive(Debug, Default)]
enum Stage {
    #[default]
    Head,
    Sized(u64),
    Chunked(ChunkedBody),
    Complete,
    /// The body is malformed.
    Broken,
}

impl RequestFramer {
    /// Examines the bytes that follow the consumed ones. Returns how many of them belong to the current request and can
    /// be passed on. For an incomplete head the result is 0, and the next call must repeat these bytes, followed by new
    /// ones. Blanks upgrade offers and `Expect` in a head.
    ///
    /// # Errors
    /// [`FramingError`]. The connection cannot be used further.
    pub(super) fn advance(&mut self, bytes: &mut [u8]) -> Result<usize, FramingError> {
        let mut taken = 0;
        if matches!(self.stage, Stage::Head) {
            let Some(end) = find_end(bytes, &mut self.scanned).map_err(FramingError::Head)? else { return Ok(0) };
            let (head, _) = bytes.split_at_mut(end);
            let head = read_head(head).map_err(FramingError::Head)?;
            self.expects_continue = head.expects_continue;
            self.stage = match head.body {
                BodyLength::None => Stage::Complete,
                BodyLength::Sized(length) => Stage::Sized(length),
                BodyLength::Chunked => Stage::Chunked(ChunkedBody::default()),
            };
            taken = end;
        }
        let body = bytes.get(taken..).unwrap_or_default();
        match self.advance_body(body) {
            Ok(body_bytes) => Ok(taken + body_bytes),
            // The head is passed on nevertheless, so that the application responds to the request.
            Err(_) if taken > 0 => {
                self.stage = Stage::Broken;
                Ok(taken)
            }
            Err(error) => Err(error),
        }
    }

    fn advance_body(&mut self, bytes: &[u8]) -> Result<usize, FramingError> {
        let (taken, complete) = match &mut self.stage {
            Stage::Sized(remaining) => {
                let taken = usize::try_from(*remaining).unwrap_or(usize::MAX).min(bytes.len());
                *remaining = remaining.saturating_sub(u64::try_from(taken).unwrap_or(u64::MAX));
                (taken, *remaining == 0)
            }
            Stage::Chunked(body) => {
                let taken = body.advance(bytes).ok_or(FramingError::Body)?;
                (taken, body.is_complete())
            }
            Stage::Head | Stage::Complete => return Ok(0),
            Stage::Broken => return Err(FramingError::Body),
        };
        if complete {
            self.stage = Stage::Complete;
        }
        Ok(taken)
    }

    /// Whether the head of the current request is incomplete.
    pub(super) fn is_at_head(&self) -> bool {
        matches!(self.stage, Stage::Head)
    }

    /// Whether the current request is complete.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.stage, Stage::Complete)
    }

    /// Whether the client waits for `100 Continue` before it sends the body of the current request.
    pub(super) fn expects_continue(&self) -> bool {
        self.expects_continue
    }

    /// Resets the framer for the next request.
    pub(super) fn next_request(&mut self) {
        *self = Self::default();
    }
}

/// The lengths of the complete requests of a connection whose bytes arrive in pieces of this size.
#[cfg(fuzzing)]
pub(crate) fn request_lengths(bytes: &[u8], piece: usize) -> Vec<usize> {
    let (mut framer, mut lengths, mut length, mut pending) = (RequestFramer::default(), Vec::new(), 0, Vec::new());
    for piece in bytes.chunks(piece) {
        pending.extend_from_slice(piece);
        loop {
            // The connection cannot be used after an error.
            let Ok(taken) = framer.advance(&mut pending) else { return lengths };
            pending.drain(..taken);
            length += taken;
            if !framer.is_complete() {
                break;
            }
            lengths.push(std::mem::take(&mut length));
            framer.next_request();
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of each request of a connection whose bytes arrive in pieces of this size.
    fn requests(bytes: &[u8], piece: usize) -> Result<Vec<String>, FramingError> {
        let (mut framer, mut found, mut pending) = (RequestFramer::default(), vec![Vec::new()], Vec::new());
        for piece in bytes.chunks(piece) {
            pending.extend_from_slice(piece);
            loop {
                let taken = framer.advance(&mut pending)?;
                found.last_mut().unwrap().extend(pending.drain(..taken));
                if !framer.is_complete() {
                    break;
                }
                framer.next_request();
                found.push(Vec::new());
            }
        }
        found.retain(|request| !request.is_empty());
        Ok(found.into_iter().map(|request| String::from_utf8(request).unwrap()).collect())
    }

    const GET: &str = "GET /a HTTP/1.1\r\nhost: a\r\n\r\n";
    const SIZED: &str = "POST /b HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n12\r\n5";
    const CHUNKED: &str =
        "POST /c HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nt: u\r\n\r\n";

    #[test]
    fn requests_are_separated_however_their_bytes_are_split() {
        let all = [GET, SIZED, CHUNKED, GET].concat();
        for piece in [1, 2, 3, 7, 16, 1_000] {
            assert_eq!(requests(all.as_bytes(), piece).unwrap(), [GET, SIZED, CHUNKED, GET], "pieces of {piece}");
        }
    }

    #[test]
    fn empty_lines_before_a_request_are_accepted() {
        let bytes = ["\r\n\r\n", GET].concat();
        assert_eq!(requests(bytes.as_bytes(), 1).unwrap(), [bytes]);
    }

    #[test]
    fn no_byte_of_an_incomplete_head_is_released() {
        let mut bytes = GET.as_bytes()[..GET.len() - 1].to_vec();
        assert_eq!(RequestFramer::default().advance(&mut bytes), Ok(0));
    }
}
