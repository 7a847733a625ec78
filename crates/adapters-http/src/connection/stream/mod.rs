//! The stream between a socket and the HTTP library: it hands the library one request at a time, and ends when the registry
//! says so.

mod request;

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{
    admission::Admitted,
    framing::RequestFramer,
    handle::ConnectionHandle,
    inbox::Inbox,
    limits::DISCARD_MAX_BYTES,
    replies::CONTINUE,
    state::{Continue, CutReason, Phase},
    transport::Transport,
};

/// Bytes that are read at once where they are not read into the library's buffer.
const SCRATCH_BYTES: usize = 4 * 1024;

/// A connection under guard.
pub(super) struct GuardedStream {
    transport: Transport,
    admitted: Admitted,
    framer: RequestFramer,
    inbox: Inbox,
    /// Nothing more is handed on.
    is_ended: bool,
    /// The client sends nothing more.
    is_peer_done: bool,
    /// Bytes that were read and forgotten.
    discarded: usize,
    /// What the guard itself has to send before anything else.
    outbox: Vec<u8>,
    /// Whether the library was told to wait because output waits.
    is_read_refused: bool,
}

impl GuardedStream {
    pub(super) fn new(transport: Transport, admitted: Admitted) -> Self {
        Self {
            transport,
            admitted,
            framer: RequestFramer::default(),
            inbox: Inbox::default(),
            is_ended: false,
            is_peer_done: false,
            discarded: 0,
            outbox: Vec::new(),
            is_read_refused: false,
        }
    }

    /// What requests and answers tell the guard by.
    pub(super) fn handle(&self) -> ConnectionHandle {
        ConnectionHandle::new(self.admitted.state.clone(), self.admitted.registry.clone())
    }

    fn enter(&self, phase: Phase) {
        self.admitted.state.enter(phase, self.admitted.registry.now());
    }

    fn poll_fill_inbox(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut scratch = [0; SCRATCH_BYTES];
        let mut scratch = ReadBuf::new(&mut scratch);
        ready!(Pin::new(&mut self.transport).poll_read(cx, &mut scratch))?;
        let bytes = scratch.filled();
        self.inbox.push(bytes);
        self.is_peer_done |= bytes.is_empty();
        self.admitted.state.set_read_ahead(true);
        Poll::Ready(Ok(bytes.len()))
    }

    fn reply(&mut self, reply: Vec<u8>) {
        self.enter(Phase::Closing);
        self.outbox = reply;
    }

    /// Reads no more, for this reason. Where an answer is under way it is sent first, unless the reason is to end at once.
    fn end_for(&mut self, reason: CutReason) -> io::Result<()> {
        if reason.is_immediate() {
            return Err(ErrorKind::TimedOut.into());
        }
        if std::mem::replace(&mut self.is_ended, true) {
            return Ok(());
        }
        let phase = self.admitted.state.phase();
        let has_begun = phase == Phase::Head || (phase == Phase::Opening && !self.inbox.is_empty());
        if reason == CutReason::HeadTimeout && has_begun {
            let registry = &self.admitted.registry;
            self.reply(registry.replies().late_head(registry.limits().head));
        } else if phase != Phase::Request {
            self.enter(Phase::Closing);
        }
        self.inbox.clear();
        Ok(())
    }

    /// Whether the connection may be closed without waiting until the client has noticed.
    fn is_dispensable(&self) -> bool {
        matches!(self.admitted.state.cut(), Some(CutReason::IdleTimeout | CutReason::Draining))
    }

    /// Fails where the connection is to end at once.
    fn check_cut(&self) -> io::Result<()> {
        match self.admitted.state.cut() {
            Some(reason) if reason.is_immediate() => Err(ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }

    /// Sends what the guard itself has to say.
    fn poll_outbox(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.outbox.is_empty() {
            let written = ready!(Pin::new(&mut self.transport).poll_write(cx, &self.outbox))?;
            if written == 0 {
                return Poll::Ready(Err(ErrorKind::WriteZero.into()));
            }
            self.outbox.drain(..written);
            if self.outbox.is_empty() {
                return Pin::new(&mut self.transport).poll_flush(cx);
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads and forgets what the client still sends, until it has noticed that the connection ends.
    fn poll_discard(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        for _ in 0..16 {
            self.inbox.clear();
            if self.is_peer_done || self.discarded > DISCARD_MAX_BYTES || ready!(self.poll_fill_inbox(cx))? == 0 {
                return Poll::Ready(Ok(()));
            }
            self.discarded += self.inbox.len();
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Notes whether output waits for the client.
    fn note_output<T>(&mut self, cx: &Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let (state, blocked) = (&self.admitted.state, outcome.is_pending());
        if state.is_blocked() && !blocked && state.phase() == Phase::Closing {
            // The client has until now to notice, not until the answer began to wait for it.
            self.enter(Phase::Closing);
        }
        self.admitted.state.set_blocked(blocked);
        if !blocked && std::mem::take(&mut self.is_read_refused) {
            cx.waker().wake_by_ref();
        }
        outcome
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let state = &this.admitted.state;
        state.register(cx);
        if let Some(reason) = state.cut() {
            return Poll::Ready(this.end_for(reason));
        }
        if state.interim() == Continue::Requested {
            state.set_interim(Continue::NotExpected);
            this.outbox.extend_from_slice(CONTINUE);
        }
        if this.poll_outbox(cx)?.is_pending() || this.is_ended {
            return if this.is_ended { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
        if this.inbox.has_approved() {
            this.inbox.hand_on(buf);
            return Poll::Ready(Ok(()));
        }
        if this.admitted.state.is_blocked() {
            this.is_read_refused = true;
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
        this.admitted.state.register(cx);
        this.check_cut()?;
        let outcome = match this.poll_outbox(cx)? {
            Poll::Ready(()) => Pin::new(&mut this.transport).poll_write(cx, bytes),
            Poll::Pending => Poll::Pending,
        };
        if let Poll::Ready(Ok(written)) = outcome {
            this.admitted.state.count_written(written);
        }
        this.note_output(cx, outcome)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.check_cut()?;
        let outcome = match this.poll_outbox(cx)? {
            Poll::Ready(()) => Pin::new(&mut this.transport).poll_flush(cx),
            Poll::Pending => Poll::Pending,
        };
        this.note_output(cx, outcome)
    }

    /// Sends the end of the stream, and reads what the client still sends for a moment: closing a socket with unread bytes
    /// resets it, and the client may lose the answer.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.admitted.state.register(cx);
        if this.admitted.state.phase() != Phase::Closing {
            this.enter(Phase::Closing);
        }
        this.check_cut()?;
        ready!(this.poll_outbox(cx))?;
        ready!(Pin::new(&mut this.transport).poll_shutdown(cx))?;
        if this.is_dispensable() { Poll::Ready(Ok(())) } else { this.poll_discard(cx) }
    }
}
