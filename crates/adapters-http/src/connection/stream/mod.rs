//! The stream between a socket and the HTTP library. The stream passes the library one request at a time, and ends when
//! the registry cuts the connection.

mod request;

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{
    admission::AdmittedConnection,
    cut_reason::CutReason,
    framing::RequestFramer,
    handle::ConnectionHandle,
    limits::DISCARD_MAX_BYTES,
    read_buffer::ReadBuffer,
    replies::CONTINUE,
    state::{ContinueState, Phase},
    transport::Transport,
};

/// Bytes per read that does not go directly into the buffer of the HTTP library.
const SCRATCH_BYTES: usize = 4 * 1024;

/// A connection behind the guard.
pub(super) struct GuardedStream {
    transport: Transport,
    admitted: AdmittedConnection,
    framer: RequestFramer,
    read_buffer: ReadBuffer,
    /// No further bytes are passed to the HTTP library.
    is_input_closed: bool,
    /// Number of bytes that were read and discarded.
    discarded: usize,
    /// Bytes that the guard itself sends before anything else.
    pending_reply: Vec<u8>,
    /// Whether a read of the HTTP library was deferred because output waits for the client.
    is_read_deferred: bool,
}

impl GuardedStream {
    pub(super) fn new(transport: Transport, admitted: AdmittedConnection) -> Self {
        Self {
            transport,
            admitted,
            framer: RequestFramer::default(),
            read_buffer: ReadBuffer::default(),
            is_input_closed: false,
            discarded: 0,
            pending_reply: Vec::new(),
            is_read_deferred: false,
        }
    }

    /// The handle by which requests and responses signal the guard.
    pub(super) fn handle(&self) -> ConnectionHandle {
        ConnectionHandle::new(self.admitted.state.clone(), self.admitted.registry.clone())
    }

    fn enter(&self, phase: Phase) {
        self.admitted.state.enter(phase, self.admitted.registry.now());
    }

    fn poll_fill_read_buffer(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut scratch = [0; SCRATCH_BYTES];
        let mut scratch = ReadBuf::new(&mut scratch);
        ready!(Pin::new(&mut self.transport).poll_read(cx, &mut scratch))?;
        let bytes = scratch.filled();
        self.read_buffer.push(bytes);
        if bytes.is_empty() {
            self.admitted.state.record_client_done();
        }
        self.admitted.state.set_read_ahead(true);
        Poll::Ready(Ok(bytes.len()))
    }

    fn queue_reply(&mut self, reply: Vec<u8>) {
        self.enter(Phase::Closing);
        self.pending_reply = reply;
    }

    /// Stops reading, for this reason. A response in progress is sent first. After a head timeout the guard queues a
    /// reply if the head has begun.
    ///
    /// # Errors
    /// `TimedOut` if the reason is immediate.
    fn stop_reading(&mut self, reason: CutReason) -> io::Result<()> {
        if reason.is_immediate() {
            return Err(ErrorKind::TimedOut.into());
        }
        if std::mem::replace(&mut self.is_input_closed, true) {
            return Ok(());
        }
        let phase = self.admitted.state.phase();
        let has_begun = phase == Phase::Head || (phase == Phase::Opening && !self.read_buffer.is_empty());
        if reason == CutReason::HeadTimeout && has_begun {
            let registry = &self.admitted.registry;
            self.queue_reply(registry.replies().head_timeout(registry.limits().head_timeout));
        } else if phase != Phase::Request {
            self.enter(Phase::Closing);
        }
        self.read_buffer.clear();
        Ok(())
    }

    /// Whether the connection may close without waiting for the client to notice.
    fn skips_linger(&self) -> bool {
        matches!(self.admitted.state.cut_reason(), Some(CutReason::IdleTimeout | CutReason::Draining))
    }

    /// Fails if the connection was cut for an immediate reason.
    fn check_cut(&self) -> io::Result<()> {
        match self.admitted.state.cut_reason() {
            Some(reason) if reason.is_immediate() => Err(ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }

    /// Sends the pending reply of the guard.
    fn poll_pending_reply(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.pending_reply.is_empty() {
            let written = ready!(Pin::new(&mut self.transport).poll_write(cx, &self.pending_reply))?;
            if written == 0 {
                return Poll::Ready(Err(ErrorKind::WriteZero.into()));
            }
            self.pending_reply.drain(..written);
            if self.pending_reply.is_empty() {
                return Pin::new(&mut self.transport).poll_flush(cx);
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads and discards further input, until the client closes its sending side or the limit is reached.
    fn poll_discard(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        for _ in 0..16 {
            self.read_buffer.clear();
            let ends = self.admitted.state.is_client_done() || self.discarded > DISCARD_MAX_BYTES;
            if ends || ready!(self.poll_fill_read_buffer(cx))? == 0 {
                return Poll::Ready(Ok(()));
            }
            self.discarded += self.read_buffer.len();
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Records whether output waits for the client.
    fn record_output<T>(&mut self, cx: &Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let (state, blocked) = (&self.admitted.state, outcome.is_pending());
        if state.is_blocked() && !blocked && state.phase() == Phase::Closing {
            // The linger time starts when the output is sent, not when it began to wait for the client.
            self.enter(Phase::Closing);
        }
        self.admitted.state.set_blocked(blocked);
        if !blocked && std::mem::take(&mut self.is_read_deferred) {
            cx.waker().wake_by_ref();
        }
        outcome
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let state = &this.admitted.state;
        state.register_waker(cx);
        if let Some(reason) = state.cut_reason() {
            return Poll::Ready(this.stop_reading(reason));
        }
        if state.interim() == ContinueState::Requested {
            state.set_interim(ContinueState::NotExpected);
            this.pending_reply.extend_from_slice(CONTINUE);
        }
        if this.poll_pending_reply(cx)?.is_pending() || this.is_input_closed {
            return if this.is_input_closed { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
        if this.read_buffer.has_framed() {
            this.read_buffer.drain_into(buf);
            return Poll::Ready(Ok(()));
        }
        if this.admitted.state.is_blocked() {
            this.is_read_deferred = true;
            return Poll::Pending;
        }
        if this.admitted.state.phase() == Phase::Closing {
            return this.poll_discard(cx);
        }
        this.poll_request(cx, buf)
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.admitted.state.register_waker(cx);
        this.check_cut()?;
        let outcome = match this.poll_pending_reply(cx)? {
            Poll::Ready(()) => Pin::new(&mut this.transport).poll_write(cx, bytes),
            Poll::Pending => Poll::Pending,
        };
        if let Poll::Ready(Ok(written)) = outcome {
            this.admitted.state.count_written(written);
        }
        this.record_output(cx, outcome)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.check_cut()?;
        let outcome = match this.poll_pending_reply(cx)? {
            Poll::Ready(()) => Pin::new(&mut this.transport).poll_flush(cx),
            Poll::Pending => Poll::Pending,
        };
        this.record_output(cx, outcome)
    }

    /// Sends the end of the stream, then reads and discards input for a short time. A socket that closes with unread
    /// bytes sends a reset, and the client may lose the response.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.admitted.state.register_waker(cx);
        if this.admitted.state.phase() != Phase::Closing {
            this.enter(Phase::Closing);
        }
        this.check_cut()?;
        ready!(this.poll_pending_reply(cx))?;
        ready!(Pin::new(&mut this.transport).poll_shutdown(cx))?;
        if this.skips_linger() { Poll::Ready(Ok(())) } else { this.poll_discard(cx) }
    }
}
