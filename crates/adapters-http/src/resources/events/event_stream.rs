//! The body of a stream of events.

use std::{convert::Infallible, time::Duration};

use actix_web::{HttpResponse, web::Bytes};
use futures_util::stream::unfold;
use parlance_domain::{
    access::{Authenticator, VerifiedCredential},
    event::PollError,
    limits::{EVENT_STREAM_CHECK_SECONDS, EVENT_STREAM_COMMENT_SECONDS},
};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    DrainFlag,
    middleware::{concurrency_limit::LiveStream, request_id::RequestId},
    resources::events::{follower::Follower, sse, transcript_reader::TranscriptReader},
};

const COMMENT_INTERVAL: Duration = Duration::from_secs(EVENT_STREAM_COMMENT_SECONDS);
const CHECK_INTERVAL: Duration = Duration::from_secs(EVENT_STREAM_CHECK_SECONDS);

/// Time after which a stream reads again when a store failed.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Consecutive failures of a store after which a stream ends.
const MAX_FAILURES: u32 = 30;

/// The events of a stream.
pub(crate) struct StreamSource {
    /// The transcript so far, until it is complete.
    pub(crate) transcript: Option<TranscriptReader>,
    /// The log.
    pub(crate) follower: Follower,
    /// Whether the stream is about one conversation, and ends with its erasure.
    pub(crate) is_of_conversation: bool,
    /// Whether the client resumes from a position of another stream, so that there is nothing to give.
    pub(crate) is_cursor_unknown: bool,
}

/// What a stream depends on while it is open.
pub(crate) struct StreamGuard {
    /// The credential that opened the stream.
    pub(crate) credential: VerifiedCredential,
    pub(crate) authenticator: Authenticator,
    pub(crate) draining: DrainFlag,
    pub(crate) request_id: RequestId,
    /// Counts the stream as open.
    pub(crate) _permit: OwnedSemaphorePermit,
}

/// An open stream.
struct EventStream {
    source: StreamSource,
    guard: StreamGuard,
    phase: Phase,
    comment_at: Instant,
    check_at: Instant,
    failures: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Opening,
    Open,
    Ended,
}

/// Why a stream has something to do.
enum Wakeup {
    Draining,
    CheckDue,
    CommentDue,
    Read(Result<Chunk, PollError>),
}

/// Frames, and whether the stream ends with them.
struct Chunk {
    frames: Bytes,
    is_last: bool,
}

impl StreamSource {
    /// The id from which a client resumes.
    fn id(&self) -> String {
        let position = || self.follower.position().to_string();
        self.transcript.as_ref().map_or_else(position, TranscriptReader::id)
    }

    /// The next events. A call that is dropped loses none.
    async fn next(&mut self) -> Result<Chunk, PollError> {
        if self.is_cursor_unknown {
            return Err(PollError::Unknown);
        }
        if let Some(transcript) = &mut self.transcript {
            if let Some(frames) = transcript.next().await? {
                return Ok(Chunk { frames, is_last: false });
            }
            let known = self.transcript.take().map(TranscriptReader::into_known);
            self.follower.skip(known.unwrap_or_default());
        }
        let frames = self.follower.next().await?;
        Ok(Chunk { frames: frames.bytes, is_last: self.is_of_conversation && frames.is_erased })
    }

    /// The frame after which the client begins anew: with the transcript, or with what changes from now on.
    async fn reset_frame(&self, rule: &str) -> Bytes {
        if self.is_of_conversation {
            return sse::reset_frame("", rule);
        }
        let newest = self.follower.newest().await.map(|position| position.to_string());
        sse::reset_frame(&newest.unwrap_or_else(|_| "latest".to_owned()), rule)
    }
}

impl EventStream {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let frames = match self.phase {
            Phase::Opening => {
                self.phase = Phase::Open;
                sse::opening_frame()
            }
            Phase::Open => self.next_frames().await?,
            Phase::Ended => return None,
        };
        Some((Ok(frames), self))
    }

    /// The next frames; `None` if the stream ends without any.
    async fn next_frames(&mut self) -> Option<Bytes> {
        loop {
            match self.wake_up().await {
                Wakeup::Draining => return Some(self.end(sse::retry_frame())),
                Wakeup::CheckDue => self.check_credential().await?,
                Wakeup::CommentDue => return Some(self.sent(sse::keep_alive_frame(&self.source.id()))),
                Wakeup::Read(Ok(Chunk { frames, is_last })) => {
                    self.failures = 0;
                    return Some(if is_last { self.end(frames) } else { self.sent(frames) });
                }
                Wakeup::Read(Err(PollError::Expired)) => return Some(self.reset("cursor_expired").await),
                Wakeup::Read(Err(PollError::Unknown)) => return Some(self.reset("cursor_unknown").await),
                Wakeup::Read(Err(error)) => self.wait_after(&error).await?,
            }
        }
    }

    async fn wake_up(&mut self) -> Wakeup {
        tokio::select! {
            biased;
            () = self.guard.draining.wait() => Wakeup::Draining,
            () = sleep_until(self.check_at) => Wakeup::CheckDue,
            read = self.source.next() => Wakeup::Read(read),
            () = sleep_until(self.comment_at) => Wakeup::CommentDue,
        }
    }

    fn sent(&mut self, frames: Bytes) -> Bytes {
        self.comment_at = Instant::now() + COMMENT_INTERVAL;
        frames
    }

    fn end(&mut self, frames: Bytes) -> Bytes {
        self.phase = Phase::Ended;
        frames
    }

    async fn reset(&mut self, rule: &str) -> Bytes {
        let frame = self.source.reset_frame(rule).await;
        self.end(frame)
    }

    /// `None` if the credential was revoked or its secret is no longer accepted. A store that fails is asked again later: the
    /// log cannot be read then either.
    async fn check_credential(&mut self) -> Option<()> {
        self.check_at = Instant::now() + CHECK_INTERVAL;
        let StreamGuard { credential, authenticator, .. } = &self.guard;
        let is_refused = matches!(authenticator.active_caller(credential).await, Ok(None));
        (!is_refused).then_some(())
    }

    /// Waits after a failure; `None` after too many.
    async fn wait_after(&mut self, error: &PollError) -> Option<()> {
        self.failures += 1;
        if self.failures == 1 || self.failures == MAX_FAILURES {
            let (request_id, is_ended) = (self.guard.request_id.as_str(), self.failures == MAX_FAILURES);
            let cause = if let PollError::Store(error) = error { error.cause_chain() } else { error.to_string() };
            tracing::warn!(request_id, cause, is_ended, "failed to read events for a stream");
        }
        if self.failures == MAX_FAILURES {
            return None;
        }
        sleep(RETRY_INTERVAL).await;
        Some(())
    }
}

/// The response that gives the events of a source until one side ends it.
pub(crate) fn respond(source: StreamSource, guard: StreamGuard) -> HttpResponse {
    let now = Instant::now();
    let (comment_at, check_at) = (now + COMMENT_INTERVAL, now + CHECK_INTERVAL);
    let stream = EventStream { source, guard, phase: Phase::Opening, comment_at, check_at, failures: 0 };
    let mut response = sse::response();
    response.extensions_mut().insert(LiveStream);
    response.streaming(unfold(stream, EventStream::next))
}
