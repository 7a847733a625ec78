//! Where each request begins and ends in the bytes of a connection (RFC 9112).
//!
//! The rules are stricter than the HTTP library's, so that both always see the same request: a head that could be read in
//! two ways is refused.

mod chunked;
mod head;

use chunked::ChunkedBody;
pub(super) use head::HeadError;
use head::{BodyLength, find_end, read_head};

/// What is wrong with the bytes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FramingError {
    /// The head cannot be read, or may not be.
    Head(HeadError),
    /// The chunks of the body cannot be read, or carry too much beside the body.
    Body,
}

/// Finds the borders of one request after the other.
#[derive(Debug, Default)]
pub(super) struct RequestFramer {
    stage: Stage,
    /// Bytes of the present head in which its end was looked for.
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
    /// The body cannot be read.
    Broken,
}

impl RequestFramer {
    /// Takes the bytes that follow those that were taken, and returns how many of them belong to this request and can be
    /// handed on. Of an incomplete head none can: the same bytes must be given again with what follows them. Takes the
    /// offers to change the protocol out of a head.
    ///
    /// # Errors
    /// [`FramingError`]; the connection is of no further use.
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
            Ok(of_body) => Ok(taken + of_body),
            // The head is handed on all the same, so that the request is answered.
            Err(_) if taken > 0 => {
                self.stage = Stage::Broken;
                Ok(taken)
            }
            Err(error) => Err(error),
        }
    }

    fn advance_body(&mut self, bytes: &[u8]) -> Result<usize, FramingError> {
        let (taken, complete) = match &mut self.stage {
            Stage::Sized(left) => {
                let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                *left = left.saturating_sub(u64::try_from(taken).unwrap_or(u64::MAX));
                (taken, *left == 0)
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

    /// Whether the head of the present request is yet to arrive.
    pub(super) fn is_at_head(&self) -> bool {
        matches!(self.stage, Stage::Head)
    }

    /// Whether all of the present request was handed on.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.stage, Stage::Complete)
    }

    /// Whether the client waits for `100 Continue` before it sends the present request's body.
    pub(super) fn expects_continue(&self) -> bool {
        self.expects_continue
    }

    /// Begins with the next request.
    pub(super) fn next_request(&mut self) {
        *self = Self::default();
    }
}

/// How long each complete request of a connection is whose bytes come in pieces of this size.
#[cfg(fuzzing)]
pub(crate) fn request_lengths(bytes: &[u8], piece: usize) -> Vec<usize> {
    let (mut framer, mut lengths, mut length, mut kept) = (RequestFramer::default(), Vec::new(), 0, Vec::new());
    for piece in bytes.chunks(piece) {
        kept.extend_from_slice(piece);
        loop {
            // After an error the connection is of no further use.
            let Ok(taken) = framer.advance(&mut kept) else { return lengths };
            kept.drain(..taken);
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

    /// What is handed on of each request of a connection whose bytes come in pieces of this size.
    fn requests(bytes: &[u8], piece: usize) -> Result<Vec<String>, FramingError> {
        let (mut framer, mut found, mut kept) = (RequestFramer::default(), vec![Vec::new()], Vec::new());
        for piece in bytes.chunks(piece) {
            kept.extend_from_slice(piece);
            loop {
                let taken = framer.advance(&mut kept)?;
                found.last_mut().unwrap().extend(kept.drain(..taken));
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
    fn requests_are_told_apart_however_their_bytes_come() {
        let all = [GET, SIZED, CHUNKED, GET].concat();
        for piece in [1, 2, 3, 7, 16, 1_000] {
            assert_eq!(requests(all.as_bytes(), piece).unwrap(), [GET, SIZED, CHUNKED, GET], "pieces of {piece}");
        }
    }

    #[test]
    fn empty_lines_before_a_request_are_passed_over() {
        let bytes = ["\r\n\r\n", GET].concat();
        assert_eq!(requests(bytes.as_bytes(), 1).unwrap(), [bytes]);
    }

    #[test]
    fn nothing_of_an_incomplete_head_is_handed_on() {
        let mut bytes = GET.as_bytes()[..GET.len() - 1].to_vec();
        assert_eq!(RequestFramer::default().advance(&mut bytes), Ok(0));
    }
}
