//! Opens streams of events.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use parlance_domain::{
    access::{AuthorizedCaller, ReadConversations},
    conversation::Conversation,
    event::{EventReader, EventType, EventTypes, EventView, LogPosition, PollStart},
    id::ConversationId,
    message::MessagePosition,
};

use crate::{
    DrainFlag, EventHub, Services,
    errors::api_error::{ApiError, RefusalKind},
    middleware::request_id::RequestId,
    resources::events::{
        event_stream::{StreamGuard, StreamSource, respond},
        follower::{Follower, Subject},
        resume::{Resume, TranscriptPosition},
        transcript_reader::{TranscriptReader, TranscriptSource},
    },
};

/// The parts of the application that a stream needs.
pub(crate) struct StreamOpener<'request> {
    pub(crate) request: &'request HttpRequest,
    pub(crate) services: &'request Services,
    pub(crate) hub: &'request EventHub,
    pub(crate) draining: &'request DrainFlag,
}

/// What a stream is to give.
pub(crate) struct StreamRequest {
    /// The conversation; `None` for the whole tenant.
    pub(crate) conversation: Option<ConversationId>,
    /// From where the stream resumes; `None` to begin with the transcript, or with the oldest event.
    pub(crate) resume: Option<Resume>,
    /// The types, if the request names any.
    pub(crate) types: Option<EventTypes>,
    pub(crate) view: EventView,
}

/// Where a stream begins.
#[derive(Debug, PartialEq, Eq)]
enum Beginning {
    /// In the log.
    Log(PollStart),
    /// In the transcript after a message, if any, and then in the log.
    Transcript(Option<MessagePosition>, PollStart),
    /// Nowhere: the client resumes within the transcript of another conversation.
    Unknown,
}

impl Beginning {
    /// The beginning of a stream of a conversation, or of the whole tenant. A position of the log is one of every stream of
    /// the tenant, a position within a transcript is one of its conversation only.
    fn new(resume: Option<Resume>, conversation: Option<&ConversationId>) -> Self {
        match (resume, conversation) {
            (Some(Resume::Log(start)), _) => Self::Log(start),
            (Some(Resume::Transcript(TranscriptPosition { conversation: of, after, log })), Some(id)) if of == *id => {
                Self::Transcript(after, PollStart::After(log))
            }
            (Some(Resume::Transcript(_)), _) => Self::Unknown,
            (None, Some(_)) => Self::Transcript(None, PollStart::Latest),
            (None, None) => Self::Log(PollStart::Oldest),
        }
    }

    fn log(&self) -> PollStart {
        match self {
            Self::Log(start) | Self::Transcript(_, start) => *start,
            Self::Unknown => PollStart::Latest,
        }
    }
}

impl<'request> StreamOpener<'request> {
    pub(crate) fn new(
        request: &'request HttpRequest,
        services: &'request Data<Services>,
        hub: &'request Data<EventHub>,
        draining: &'request Data<DrainFlag>,
    ) -> Self {
        Self { request, services, hub, draining }
    }

    /// The response that is the stream. It ends when the credential of the caller is no longer accepted.
    pub(crate) async fn open(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        stream: StreamRequest,
    ) -> Result<HttpResponse, ApiError> {
        let Services { authenticator, conversations, events, .. } = self.services;
        let gives_transcript = stream.types.is_none_or(|types| types.contains(EventType::MessageCreated));
        let reader = EventReader::new(caller, stream.types)?;
        let credential = caller.verified_credential().cloned().ok_or(ApiError::InternalError)?;
        let permit = self.hub.stream_permit().ok_or_else(too_many_streams)?;
        let beginning = Beginning::new(stream.resume, stream.conversation.as_ref());
        // The position is taken before the conversation and its transcript are read, so that neither a message nor the
        // erasure is missed in between.
        let position = events.start(&reader, beginning.log()).await?;
        let conversation = match &stream.conversation {
            Some(id) => Some(conversations.find(caller, id).await?),
            None => None,
        };
        let is_of_conversation = conversation.is_some();
        let is_cursor_unknown = beginning == Beginning::Unknown;
        let transcript = match (beginning, conversation) {
            (Beginning::Transcript(after, _), Some(conversation)) if gives_transcript => {
                Some(self.transcript(caller, &reader, conversation, stream.view, (position, after)))
            }
            (Beginning::Log(_) | Beginning::Transcript(..) | Beginning::Unknown, _) => None,
        };
        let subject = Subject { reader, conversation: stream.conversation, view: stream.view };
        let follower = Follower::new(events.clone(), self.hub.clone(), subject, position);
        let (authenticator, draining) = (authenticator.clone(), self.draining.clone());
        let request_id = RequestId::from_request(self.request);
        let guard = StreamGuard { credential, authenticator, draining, request_id, _permit: permit };
        Ok(respond(StreamSource { transcript, follower, is_of_conversation, is_cursor_unknown }, guard))
    }

    fn transcript(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        reader: &EventReader,
        conversation: Conversation,
        view: EventView,
        (position, after): (LogPosition, Option<MessagePosition>),
    ) -> TranscriptReader {
        let (messages, events) = (self.services.messages.clone(), self.services.events.clone());
        let (caller, reader) = (caller.clone(), reader.clone());
        TranscriptReader::new(
            TranscriptSource { messages, events, caller, reader, conversation, view },
            position,
            after,
        )
    }
}

fn too_many_streams() -> ApiError {
    let message = "the server has as many open streams as it allows: poll events instead, or try again later";
    ApiError::refused_at(RefusalKind::Overloaded, "", "max_streams", &message)
}
