//! How a stream hands on one request after the other.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, ReadBuf};

use super::GuardedStream;
use crate::connection::{
    admission::Admitted,
    framing::FramingError,
    limits::READ_AHEAD_MAX_BYTES,
    state::{Continue, Phase},
};

impl GuardedStream {
    /// Hands on what may be handed on of the present request, and reads more of it.
    pub(super) fn poll_request(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            if self.framer.is_complete() && !self.begin_next_request() {
                return self.poll_read_ahead(cx);
            }
            if self.inbox.is_empty() {
                let before = buf.filled().len();
                ready!(Pin::new(&mut self.transport).poll_read(cx, buf))?;
                if buf.filled().len() == before {
                    self.is_ended = true;
                    return Poll::Ready(Ok(()));
                }
                match self.take_direct(buf, before) {
                    Ok(0) => {}
                    Ok(_) => return Poll::Ready(Ok(())),
                    Err(error) => {
                        self.refuse(error);
                        return Poll::Ready(Ok(()));
                    }
                }
            } else if self.inbox.needs_more() && (self.is_peer_done || ready!(self.poll_fill_inbox(cx))? == 0) {
                self.is_ended = true;
                return Poll::Ready(Ok(()));
            }
            if !self.inbox.needs_more() {
                let was_at_head = self.framer.is_at_head();
                match self.framer.advance(self.inbox.unapproved()) {
                    Ok(0) => self.note_incomplete_head(),
                    Ok(taken) => {
                        self.note_progress(was_at_head);
                        self.inbox.approve(taken);
                        self.inbox.hand_on(buf);
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

    /// Looks through what was read into the library's buffer, and keeps back what belongs to no request yet, or to the next.
    fn take_direct(&mut self, buf: &mut ReadBuf<'_>, before: usize) -> Result<usize, FramingError> {
        let was_at_head = self.framer.is_at_head();
        let fresh = buf.filled_mut().get_mut(before..).unwrap_or_default();
        let taken = self.framer.advance(fresh).inspect_err(|_| buf.set_filled(before))?;
        let fresh = buf.filled().get(before + taken..).unwrap_or_default();
        if !fresh.is_empty() {
            self.inbox.push(fresh);
        }
        buf.set_filled(before + taken);
        if taken == 0 {
            self.note_incomplete_head();
        } else {
            self.note_progress(was_at_head);
        }
        Ok(taken)
    }

    fn note_incomplete_head(&mut self) {
        self.inbox.set_examined();
        if self.admitted.state.phase() == Phase::Idle && self.inbox.has_content() {
            self.enter(Phase::Head);
        }
    }

    /// Notes how far the present request has arrived.
    fn note_progress(&self, was_at_head: bool) {
        let (state, complete) = (&self.admitted.state, self.framer.is_complete());
        state.set_body_incomplete(!complete);
        if was_at_head {
            self.enter(Phase::Request);
        }
        let expected = was_at_head && !complete && self.framer.expects_continue();
        state.set_interim(if expected { Continue::Expected } else { Continue::NotExpected });
    }

    /// Begins with the next request, unless the present one is not answered or it is not the turn of the next.
    fn begin_next_request(&mut self) -> bool {
        let Admitted { state, registry } = &self.admitted;
        if state.phase() == Phase::Request || (self.inbox.has_content() && !registry.take_pipelined_turn(state)) {
            return false;
        }
        self.framer.next_request();
        self.admitted.state.set_authenticated(false);
        self.admitted.state.set_read_ahead(false);
        self.inbox.begin_next_request();
        true
    }

    /// Reads a little of the next request while the present one is answered, so that a client that is gone is noticed.
    fn poll_read_ahead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.admitted.state.set_read_ahead(!self.inbox.is_empty() || self.is_peer_done);
        while !self.is_peer_done && self.inbox.len() < READ_AHEAD_MAX_BYTES {
            ready!(self.poll_fill_inbox(cx))?;
        }
        self.admitted.state.set_read_ahead(true);
        Poll::Pending
    }

    /// Reads no more requests. Where no request is being answered, the guard answers.
    fn refuse(&mut self, error: FramingError) {
        self.is_ended = true;
        self.inbox.clear();
        if let FramingError::Head(error) = error {
            self.reply(self.admitted.registry.replies().bad_head(error));
        }
    }
}
