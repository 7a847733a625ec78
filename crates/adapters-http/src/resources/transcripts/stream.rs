//! The response that holds a transcript: one page whole, or several pages as a stream.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web::Bytes};
use futures_util::stream::try_unfold;
use parlance_domain::{error::StoreError, message::Transcript};

use crate::{
    errors::api_error::ApiError,
    middleware::{concurrency_limit::StreamMemory, request_id::RequestId},
    resources::transcripts::writer::TranscriptWriter,
};

/// Completes a response with a transcript in the format of `writer`. A transcript of one page is sent whole. A longer
/// transcript is streamed page by page. A stream that fails is aborted before its end, so that no caller mistakes a part
/// for the whole.
pub(crate) async fn respond(
    mut response: HttpResponseBuilder,
    mut transcript: Transcript,
    mut writer: Box<dyn TranscriptWriter>,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let mut first_chunk = Vec::new();
    writer.begin(&mut first_chunk);
    let (messages, more) = transcript.next_page().await?;
    for message in &messages {
        writer.write_message(message, &mut first_chunk);
    }
    if !more {
        writer.end(&mut first_chunk);
        return Ok(response.body(first_chunk));
    }
    let request_id = RequestId::from_request(request);
    // One encoded page, and two pages of messages: the next page, and the page whose last messages are its context.
    let memory = StreamMemory(3 * u64::try_from(first_chunk.len()).unwrap_or(u64::MAX / 3));
    response.extensions_mut().insert(memory);
    let stream =
        TranscriptStream { transcript, writer, first_chunk: Some(first_chunk), is_complete: false, request_id };
    Ok(response.streaming(try_unfold(stream, TranscriptStream::next)))
}

/// The unsent part of a transcript.
struct TranscriptStream {
    transcript: Transcript,
    writer: Box<dyn TranscriptWriter>,
    first_chunk: Option<Vec<u8>>,
    is_complete: bool,
    request_id: RequestId,
}

impl TranscriptStream {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, StoreError> {
        if let Some(first_chunk) = self.first_chunk.take() {
            return Ok(Some((first_chunk.into(), self)));
        }
        if self.is_complete {
            return Ok(None);
        }
        let mut out = Vec::new();
        let page = self.transcript.next_page().await;
        let (messages, more) = page.inspect_err(|error| {
            tracing::error!(
                request_id = self.request_id.as_str(),
                cause = error.cause_chain(),
                "transcript response aborted"
            );
        })?;
        for message in &messages {
            self.writer.write_message(message, &mut out);
        }
        if !more {
            self.writer.end(&mut out);
            self.is_complete = true;
        }
        Ok(Some((out.into(), self)))
    }
}
