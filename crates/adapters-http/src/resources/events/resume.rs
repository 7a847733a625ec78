//! From where a stream resumes.

use actix_web::HttpRequest;
use parlance_domain::{
    event::{InvalidCursor, LogPosition, PollStart},
    message::MessagePosition,
};

use crate::{
    errors::{api_error::ApiError, envelope::Detail},
    resources::messages::dto::{decode_cursor, encode_cursor},
};

/// Separates the position of the log from that of the message in the id of an event of the transcript.
const SEPARATOR: char = '~';

/// The header with the id of the last event that the client received.
const LAST_EVENT_ID: &str = "last-event-id";

/// From where a stream resumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Resume {
    /// From a position of the log.
    Log(PollStart),
    /// Within the transcript: after a message, and then from a position of the log.
    Transcript(LogPosition, MessagePosition),
}

impl Resume {
    /// Parses a cursor, or the id of an event of a transcript.
    ///
    /// # Errors
    /// [`InvalidCursor`].
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidCursor> {
        let Some((position, message)) = text.split_once(SEPARATOR) else {
            return PollStart::parse(text).map(Self::Log);
        };
        Ok(Self::Transcript(position.parse()?, decode_cursor(message).map_err(|_| InvalidCursor)?))
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

/// The id of an event of the transcript. Before the first message, it is the position of the log.
pub(crate) fn transcript_id(position: LogPosition, message: Option<&MessagePosition>) -> String {
    let message = message.map(|message| format!("{SEPARATOR}{}", encode_cursor(message)));
    format!("{position}{}", message.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use parlance_domain::{id::MessageId, time::Timestamp};

    use super::*;

    #[test]
    fn the_id_of_an_event_of_the_transcript_is_read_back() {
        let position = LogPosition { sequence: 7, index: 1, tag: -1 };
        let message = MessagePosition { sent_at: Timestamp::EPOCH, id: MessageId::from_bits(9) };
        let id = transcript_id(position, Some(&message));
        assert_eq!(Resume::parse(&id), Ok(Resume::Transcript(position, message)));
        assert_eq!(Resume::parse(&position.to_string()), Ok(Resume::Log(PollStart::After(position))));
    }

    #[test]
    fn an_id_of_another_form_is_refused() {
        for id in ["", "~", "1-0-1~", "~1.A", "1-0-1~1.A~2", "x~1.A", "oldest"] {
            assert_eq!(Resume::parse(id), Err(InvalidCursor), "{id}");
        }
    }
}
