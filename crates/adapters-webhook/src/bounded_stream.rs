//! A stream from which only a bounded number of bytes can be read.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The bytes that one read takes at most.
const CHUNK_BYTES: usize = 4 * 1024;

/// A stream for the HTTP library. After `left` bytes were read, a read fails, so that no answer can go on without end.
pub(crate) struct BoundedStream<S> {
    inner: S,
    left: usize,
}

impl<S> BoundedStream<S> {
    pub(crate) fn new(inner: S, max_bytes: usize) -> Self {
        Self { inner, left: max_bytes }
    }
}

impl<S: AsyncRead + Unpin> Read for BoundedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut target: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::FileTooLarge, "the answer is too long")));
        }
        let mut bytes = [0; CHUNK_BYTES];
        let size = CHUNK_BYTES.min(self.left).min(target.remaining());
        let mut chunk = ReadBuf::new(bytes.get_mut(..size).unwrap_or_default());
        ready!(Pin::new(&mut self.inner).poll_read(context, &mut chunk))?;
        self.left -= chunk.filled().len();
        target.put_slice(chunk.filled());
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> Write for BoundedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
