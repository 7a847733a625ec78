//! Whole transcripts over HTTP (spec §4.6), in the form that the caller asks for.

mod csv_table;
mod json;
mod plain_text;
mod web_vtt;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Data},
};
use futures_util::stream::try_unfold;
use parlance_domain::{
    conversation::{Message, Transcript, TranscriptSelector},
    error::Error,
    id::ConversationId,
    text::ExternalId,
};

use crate::{
    Services,
    authentication::{Permitted, ReadConversations},
    documentation::ReadErrors,
    load::{StreamMemory, large_read},
    messages::MessagesView,
    preference::preferred,
    problem::ApiError,
    query::{Query, wrong},
    request_identity::RequestId,
};

/// A form that a transcript can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Text,
    Csv,
    WebVtt,
}

impl Format {
    const ALL: [Self; 4] = [Self::Json, Self::Text, Self::Csv, Self::WebVtt];

    /// The format's word in a query.
    fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "txt",
            Self::Csv => "csv",
            Self::WebVtt => "vtt",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
            Self::Csv => "text/csv",
            Self::WebVtt => "text/vtt",
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::WebVtt => "text/vtt; charset=utf-8",
        }
    }

    fn writer(self) -> Box<dyn TranscriptWriter> {
        match self {
            Self::Json => Box::new(json::JsonWriter::default()),
            Self::Text => Box::new(plain_text::TextWriter),
            Self::Csv => Box::new(csv_table::CsvWriter),
            Self::WebVtt => Box::new(web_vtt::VttWriter::default()),
        }
    }

    fn parse(word: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|format| format.word() == word).ok_or("must be one of json, txt, csv and vtt")
    }

    /// The format that the header `Accept` likes best; JSON where it names none of them.
    fn accepted(request: &HttpRequest) -> Self {
        let liked = preferred(request, &Self::ALL.map(Self::media_type));
        liked.and_then(|place| Self::ALL.get(place).copied()).unwrap_or(Self::Json)
    }
}

/// Writes one form of transcript, message after message.
trait TranscriptWriter {
    /// What stands before the first message.
    fn begin(&mut self, out: &mut Vec<u8>);
    /// One message.
    fn message(&mut self, message: &Message, out: &mut Vec<u8>);
    /// What stands after the last message.
    fn end(&mut self, out: &mut Vec<u8>);
}

/// The full transcript of a conversation
///
/// All messages of one conversation, found by exactly one of `externalId` and `conversationId`, in the form that
/// `format` or the header `Accept` names.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversation/messages",
    tag = "messages",
    operation_id = "getTranscript",
    params(
        ("externalId" = Option<String>, Query, description = "The caller's identifier of the conversation",
            min_length = 1, max_length = 256, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"),
        ("conversationId" = Option<String>, Query, description = "The service's id of the conversation",
            pattern = "^[A-Z0-9]+$"),
        ("format" = Option<TranscriptFormat>, Query, description = "The form of the transcript"),
    ),
    responses(
        (status = 200, description = "The transcript", content(
            (MessagesView<'_> = "application/json"), (String = "text/plain"), (String = "text/csv"), (String = "text/vtt"))),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn full(
    permitted: Permitted<ReadConversations>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::of(&request)?;
    let by_external_id = query.check("externalId", |text| ExternalId::parse(text))?;
    let by_id = query.check("conversationId", ConversationId::parse)?;
    let format = query.parse("format", "enum", Format::parse)?.unwrap_or_else(|| Format::accepted(&request));
    let (selector, pointer) = match (by_external_id, by_id) {
        (Some(external_id), None) => (TranscriptSelector::ExternalId(external_id), "query:externalId"),
        (None, Some(id)) => (TranscriptSelector::Id(id), "query:conversationId"),
        _ => {
            return Err(wrong(
                "externalId",
                "exactly_one",
                "exactly one of externalId and conversationId must be given",
            ));
        }
    };
    let _turn = large_read(&request).await;
    let transcript = services.transcripts.full(permitted.caller(), selector).await.map_err(ApiError::at(pointer))?;
    answer(transcript, format, &request).await
}

/// The forms of a transcript as the description names them.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "stands in the description only")]
pub(crate) enum TranscriptFormat {
    Json,
    Txt,
    Csv,
    Vtt,
}

/// Answers with a transcript: at once where one page holds it, else as a stream that holds one page at a time. A
/// stream that fails is cut off without its proper end, so that no one takes the part for the whole.
pub(crate) async fn answer(
    mut transcript: Transcript,
    format: Format,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let mut response = HttpResponse::Ok();
    response.content_type(format.content_type());
    let mut writer = format.writer();
    let mut start = Vec::new();
    writer.begin(&mut start);
    let (messages, more) = transcript.next().await?;
    for message in &messages {
        writer.message(message, &mut start);
    }
    if !more {
        writer.end(&mut start);
        return Ok(response.body(start));
    }
    let request_id = RequestId::of(request);
    // A page as it is sent, and two pages of messages: the next one, and the one whose last messages bear on that.
    let memory = StreamMemory(3 * u64::try_from(start.len()).unwrap_or(u64::MAX / 3));
    response.extensions_mut().insert(memory);
    let rest = Rest { transcript, writer, start: Some(start), ended: false, request_id };
    Ok(response.streaming(try_unfold(rest, Rest::next)))
}

/// What is still to be sent of a transcript.
struct Rest {
    transcript: Transcript,
    writer: Box<dyn TranscriptWriter>,
    start: Option<Vec<u8>>,
    ended: bool,
    request_id: RequestId,
}

impl Rest {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, Error> {
        if let Some(start) = self.start.take() {
            return Ok(Some((start.into(), self)));
        }
        if self.ended {
            return Ok(None);
        }
        let mut out = Vec::new();
        let read = self.transcript.next().await;
        let (messages, more) = read.inspect_err(|error| {
            let cause = if let Error::Store(error) = error { error.with_causes() } else { error.to_string() };
            tracing::error!(request_id = self.request_id.as_str(), cause, "a transcript was cut off");
        })?;
        for message in &messages {
            self.writer.message(message, &mut out);
        }
        if !more {
            self.writer.end(&mut out);
            self.ended = true;
        }
        Ok(Some((out.into(), self)))
    }
}

#[cfg(test)]
pub(crate) mod sample {
    use parlance_domain::{
        conversation::{Message, Role, Sender},
        id::{ConversationId, MessageId},
        redaction::EntitySet,
        text::{ExternalId, MessageText},
        time::Timestamp,
    };

    /// What a writer makes of messages sent so many milliseconds after 2026-01-31T09:30:00Z.
    pub(super) fn written(mut writer: impl super::TranscriptWriter, messages: &[(i64, &str)]) -> String {
        let mut out = Vec::new();
        writer.begin(&mut out);
        for (number, (millis, text)) in messages.iter().enumerate() {
            writer.message(&message(number as u128, *millis, text), &mut out);
        }
        writer.end(&mut out);
        String::from_utf8(out).unwrap()
    }

    pub(crate) fn message(number: u128, millis: i64, text: &str) -> Message {
        let start = Timestamp::parse("2026-01-31T09:30:00Z").unwrap().as_micros();
        let sent_at = Timestamp::from_micros(start + millis * 1_000).unwrap();
        Message {
            id: MessageId::from_bits(number),
            conversation: ConversationId::from_bits(1),
            sender: Sender { role: Role::Agent, external_id: ExternalId::parse("agent <7>").unwrap() },
            text: MessageText::parse(text).unwrap(),
            masked_with: EntitySet::empty(),
            sent_at,
            created_at: sent_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn accepted(accept: &str) -> Format {
        Format::accepted(&TestRequest::default().insert_header(("accept", accept)).to_http_request())
    }

    #[test]
    fn the_form_that_is_liked_best_is_taken() {
        assert_eq!(accepted("text/csv;q=0.5, text/vtt"), Format::WebVtt);
        assert_eq!(accepted("text/plain"), Format::Text);
        assert_eq!(accepted("text/csv;q=0, text/plain;q=0.1"), Format::Text);
    }

    #[test]
    fn json_is_taken_where_nothing_else_is_named() {
        assert_eq!(accepted("*/*"), Format::Json);
        assert_eq!(accepted("image/png"), Format::Json);
        assert_eq!(Format::accepted(&TestRequest::default().to_http_request()), Format::Json);
    }
}
