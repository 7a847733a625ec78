//! The archive of a privacy request as JSON Lines, part by part.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web::Bytes};
use futures_util::stream::try_unfold;
use parlance_domain::{
    conversation::Conversation,
    error::StoreError,
    message::Message,
    privacy::{Archive, ArchiveManifest, ArchivePart},
};
use serde_json::json;

use crate::{
    errors::api_error::ApiError,
    middleware::{concurrency_limit::StreamMemory, request_id::RequestId},
    resources::{
        conversations::json::conversation_json,
        messages::{include::Include, json::MessageWriter},
    },
};

/// The approximate memory of a stream in bytes: the messages of two pages of a transcript, and their JSON.
const STREAM_BYTES: u64 = 512 * 1024;

/// Completes a response with an archive. A stream that fails is aborted before the manifest, so that no caller mistakes
/// a part for the whole.
pub(super) async fn respond(
    mut response: HttpResponseBuilder,
    archive: Archive,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    response.extensions_mut().insert(StreamMemory(STREAM_BYTES));
    let request_id = RequestId::from_request(request);
    let mut stream = ArchiveStream { archive, manifest: ArchiveManifest::default(), is_complete: false, request_id };
    // A store that is out of reach is an error of the request as long as nothing is sent.
    let first = stream.next_lines().await?;
    Ok(response.streaming(try_unfold((Some(first), stream), |(first, mut stream)| async move {
        let lines = match first {
            Some(lines) => lines,
            None => stream.next_lines().await.inspect_err(|error| stream.log(error))?,
        };
        Ok::<_, StoreError>(lines.map(|lines| (Bytes::from(lines), (None, stream))))
    })))
}

/// The part of an archive that is not sent.
struct ArchiveStream {
    archive: Archive,
    manifest: ArchiveManifest,
    is_complete: bool,
    request_id: RequestId,
}

impl ArchiveStream {
    /// The lines of the next part, or the manifest after the last one; `None` after the manifest.
    async fn next_lines(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        if self.is_complete {
            return Ok(None);
        }
        let Some(part) = self.archive.next().await? else {
            self.is_complete = true;
            return Ok(Some(self.manifest_line()));
        };
        let mut lines = Vec::new();
        match &part {
            ArchivePart::Conversation(conversation) => write_conversation(conversation, &mut lines),
            ArchivePart::Messages(messages) => {
                let mut writer = MessageWriter::new(Include::Nothing);
                for message in messages {
                    write_message(&mut writer, message, &mut lines);
                }
            }
        }
        self.manifest.add(&part, &lines);
        Ok(Some(lines))
    }

    fn manifest_line(&self) -> Vec<u8> {
        let manifest = json!({
            "type": "manifest",
            "tenant": self.archive.tenant().as_str(),
            "requestId": self.archive.request().id.as_str(),
            "requestedAt": self.archive.request().requested_at.to_string(),
            "conversations": self.manifest.conversations,
            "messages": self.manifest.messages,
            "sha256": self.manifest.checksum(),
        });
        format!("{manifest}\n").into_bytes()
    }

    fn log(&self, error: &StoreError) {
        let request_id = self.request_id.as_str();
        tracing::error!(request_id, cause = error.cause_chain(), "the response with an archive was aborted");
    }
}

fn write_conversation(conversation: &Conversation, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"type\":\"conversation\",\"timestamp\":\"");
    out.extend_from_slice(conversation.started_at.to_string().as_bytes());
    out.extend_from_slice(b"\",\"conversation\":");
    out.extend_from_slice(&conversation_json(conversation));
    out.extend_from_slice(b"}\n");
}

fn write_message(writer: &mut MessageWriter, message: &Message, out: &mut Vec<u8>) {
    // An id has only capital letters and digits, which need no escaping.
    out.extend_from_slice(b"{\"type\":\"message\",\"conversationId\":\"");
    out.extend_from_slice(message.conversation.as_str().as_bytes());
    out.extend_from_slice(b"\",\"message\":");
    writer.write(message, out);
    out.extend_from_slice(b"}\n");
}
