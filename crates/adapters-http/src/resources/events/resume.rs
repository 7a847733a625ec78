//! From where a stream resumes.

use actix_web::{HttpRequest, http::header::HeaderName};
use parlance_domain::{
    event::{InvalidCursor, LogPosition, PollStart},
    id::ConversationId,
    message::MessagePosition,
};

use crate::{
    errors::{api_error::ApiError, envelope::Detail},
    resources::messages::dto::{decode_cursor, encode_cursor},
};

/// Separates the position of the log, the conversation and the position of the message in the id of an event of the
/// transcript.
const SEPARATOR: char = '~';

/// The header with the id of the last event that the client received.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// From where a stream resumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Resume {
    /// From a position of the log.
    Log(PollStart),
    /// Within the transcript of a conversation.
    Transcript(TranscriptPosition),
}

/// A position within the transcript of a conversation, and the position of the log from which a stream follows after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TranscriptPosition {
    pub(crate) conversation: ConversationId,
    /// The message after which the transcript goes on; `None` before the first one.
    pub(crate) after: Option<MessagePosition>,
    pub(crate) log: LogPosition,
}

impl Resume {
    /// Parses a cursor, or the id of an event of a transcript.
    ///
    /// # Errors
    /// [`InvalidCursor`].
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidCursor> {
        let Some((log, transcript)) = text.split_once(SEPARATOR) else {
            return PollStart::parse(text).map(Self::Log);
        };
        let (conversation, message) = match transcript.split_once(SEPARATOR) {
            Some((conversation, message)) => (conversation, Some(message)),
            None => (transcript, None),
        };
        let conversation = ConversationId::parse(conversation).map_err(|_| InvalidCursor)?;
        let after = message.map(decode_cursor).transpose().map_err(|_| InvalidCursor)?;
        Ok(Self::Transcript(TranscriptPosition { conversation, after, log: log.parse()? }))
    }

    /// Reads the header `Last-Event-ID`, which a browser sends when it reconnects.
    ///
    /// # Errors
    /// 400 if it is not the id of an event.
    pub(crate) fn from_header(request: &HttpRequest) -> Result<Option<Self>, ApiError> {
        let value = request.headers().get(LAST_EVENT_ID).filter(|value| !value.is_empty());
        let parse = |value: &str| Self::parse(value).ok();
        let invalid = || ApiError::unreadable(Detail::new("header:last-event-id", "cursor", InvalidCursor.to_string()));
        value.map(|value| value.to_str().ok().and_then(parse).ok_or_else(invalid)).transpose()
    }
}

/// The id of an event of the transcript. It names the conversation, because a position in one transcript means nothing in
/// another one.
pub(crate) fn transcript_id(
    log: LogPosition,
    conversation: &ConversationId,
    message: Option<&MessagePosition>,
) -> String {
    let message = message.map(|message| format!("{SEPARATOR}{}", encode_cursor(message)));
    format!("{log}{SEPARATOR}{conversation}{}", message.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use parlance_domain::{id::MessageId, time::Timestamp};

    use super::*;

    #[test]
    fn the_id_of_an_event_of_the_transcript_is_read_back() {
        let log = LogPosition { sequence: 7, index: 1, tag: -1 };
        let conversation = ConversationId::from_bits(5);
        let message = MessagePosition { sent_at: Timestamp::EPOCH, id: MessageId::from_bits(9) };
        for after in [None, Some(message)] {
            let id = transcript_id(log, &conversation, after.as_ref());
            let position = TranscriptPosition { conversation: conversation.clone(), after, log };
            assert_eq!(Resume::parse(&id), Ok(Resume::Transcript(position)));
        }
        assert_eq!(Resume::parse(&log.to_string()), Ok(Resume::Log(PollStart::After(log))));
    }

    #[test]
    fn an_id_of_another_form_is_refused() {
        let conversation = ConversationId::from_bits(5);
        for id in [
            "",
            "~",
            "1-0-1~",
            "1-0-1~1.A",
            &format!("~{conversation}"),
            &format!("latest~{conversation}"),
            &format!("1-0-1~{conversation}~"),
            &format!("1-0-1~{conversation}~1"),
            &format!("1-0-1~{conversation}~x.A"),
            &format!("1-0-1~{conversation}~1.A~2"),
            "oldest",
        ] {
            assert_eq!(Resume::parse(id), Err(InvalidCursor), "{id}");
        }
    }
}
