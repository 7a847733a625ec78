//! The read path of a stream: passes on one request after the other.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, ReadBuf};

use super::GuardedStream;
use crate::connection::{
    admission::AdmittedConnection,
    framing::FramingError,
    limits::READ_AHEAD_MAX_BYTES,
    state::{ContinueState, Phase},
};

impl GuardedStream {
    /// Passes on bytes of the current request, and reads more of them.
    pub(super) fn poll_request(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            if self.framer.is_complete() && !self.begin_next_request() {
                return self.poll_read_ahead(cx);
            }
            if self.read_buffer.is_empty() {
                let before = buf.filled().len();
                ready!(Pin::new(&mut self.transport).poll_read(cx, buf))?;
                if buf.filled().len() == before {
                    self.is_input_closed = true;
                    return Poll::Ready(Ok(()));
                }
                match self.frame_in_place(buf, before) {
                    Ok(0) => {}
                    Ok(_) => return Poll::Ready(Ok(())),
                    Err(error) => {
                        self.refuse(error);
                        return Poll::Ready(Ok(()));
                    }
                }
            } else if self.read_buffer.needs_more()
                && (self.admitted.state.is_client_done() || ready!(self.poll_fill_read_buffer(cx))? == 0)
            {
                self.is_input_closed = true;
                return Poll::Ready(Ok(()));
            }
            if !self.read_buffer.needs_more() {
                let was_at_head = self.framer.is_at_head();
                match self.framer.advance(self.read_buffer.unframed()) {
                    Ok(0) => self.record_incomplete_head(),
                    Ok(taken) => {
                        self.record_progress(was_at_head);
                        self.read_buffer.mark_framed(taken);
                        self.read_buffer.drain_into(buf);
                        return Poll::Ready(Ok(()));
                    }
                    Err(error) => {
                        self.refuse(error);
                        return Poll::Ready(Ok(()));
                    }
                }
            }
        }
    }

    /// Frames bytes that were read directly into the buffer of the HTTP library. Moves the bytes of an incomplete head,
    /// and those of the next request, to the read buffer.
    fn frame_in_place(&mut self, buf: &mut ReadBuf<'_>, before: usize) -> Result<usize, FramingError> {
        let was_at_head = self.framer.is_at_head();
        let new_bytes = buf.filled_mut().get_mut(before..).unwrap_or_default();
        let taken = self.framer.advance(new_bytes).inspect_err(|_| buf.set_filled(before))?;
        let new_bytes = buf.filled().get(before + taken..).unwrap_or_default();
        if !new_bytes.is_empty() {
            self.read_buffer.push(new_bytes);
        }
        buf.set_filled(before + taken);
        if taken == 0 {
            self.record_incomplete_head();
        } else {
            self.record_progress(was_at_head);
        }
        Ok(taken)
    }

    fn record_incomplete_head(&mut self) {
        self.read_buffer.set_needs_more();
        if self.admitted.state.phase() == Phase::Idle && self.read_buffer.has_content() {
            self.enter(Phase::Head);
        }
    }

    /// Records how much of the current request has arrived.
    fn record_progress(&self, was_at_head: bool) {
        let (state, complete) = (&self.admitted.state, self.framer.is_complete());
        state.set_body_incomplete(!complete);
        if was_at_head {
            self.enter(Phase::Request);
        }
        let expected = was_at_head && !complete && self.framer.expects_continue();
        state.set_interim(if expected { ContinueState::Expected } else { ContinueState::NotExpected });
    }

    /// Begins the next request. Returns `false` if the current request is not answered, or if the next request is
    /// deferred.
    fn begin_next_request(&mut self) -> bool {
        let AdmittedConnection { state, registry } = &self.admitted;
        if state.phase() == Phase::Request || (self.read_buffer.has_content() && !registry.try_begin_pipelined(state)) {
            return false;
        }
        self.framer.next_request();
        self.admitted.state.set_authenticated(false);
        self.admitted.state.set_read_ahead(false);
        self.read_buffer.begin_next_request();
        true
    }

    /// Reads a limited part of the next request while the current request is processed, to detect a client that
    /// disconnects.
    fn poll_read_ahead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let is_client_done = self.admitted.state.is_client_done();
        self.admitted.state.set_read_ahead(!self.read_buffer.is_empty() || is_client_done);
        while !self.admitted.state.is_client_done() && self.read_buffer.len() < READ_AHEAD_MAX_BYTES {
            ready!(self.poll_fill_read_buffer(cx))?;
        }
        self.admitted.state.set_read_ahead(true);
        Poll::Pending
    }

    /// Stops reading requests. If the head is refused, the guard sends the response.
    fn refuse(&mut self, error: FramingError) {
        self.is_input_closed = true;
        self.read_buffer.clear();
        if let FramingError::Head(error) = error {
            self.queue_reply(self.admitted.registry.replies().invalid_head(error));
        }
    }
}
