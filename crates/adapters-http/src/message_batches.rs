//! Several messages at once over HTTP: all of them or none.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use parlance_domain::{
    conversation::{MessageBatch, NewMessage},
    retry::{Answer, Operation},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Services,
    authentication::{Permitted, WriteConversations},
    body::JsonBody,
    documentation::WriteErrors,
    messages::MessageBody,
    problem::ApiError,
    query::ConversationPath,
    reading::{Member, Object, Reading},
    retry::{self, IdempotencyKey, RetryKey},
};

/// Messages to add to a conversation together.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageBatchBody {
    /// The messages, in any order.
    #[serde(default)]
    #[schema(value_type = Vec<MessageBody>, required = true, min_items = 1, max_items = 300)]
    messages: Member<Vec<Object<MessageBody>>>,
}

/// The ids of what was written.
#[derive(Serialize, ToSchema)]
pub(crate) struct WrittenBatchView {
    /// One for each message of the request, in its order.
    #[schema(min_items = 1, max_items = 300)]
    ids: Vec<String>,
}

/// Create messages
///
/// Adds 1 to 300 messages to a conversation that exists: all of them, or where anything is wrong, none. Each is masked
/// as if it had been sent by itself, in the order of the timestamps.
#[utoipa::path(
    post,
    path = "/conversation/v1/conversations/{conversationId}/messages/batch",
    tag = "messages",
    operation_id = "createMessages",
    params(("conversationId" = String, Path, description = "The service's id of the conversation",
        pattern = "^[A-Z0-9]+$"), IdempotencyKey),
    request_body = MessageBatchBody,
    responses((status = 200, description = "Added", body = WrittenBatchView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    permitted: Permitted<WriteConversations>,
    path: ConversationPath,
    services: Data<Services>,
    key: RetryKey,
    body: JsonBody<MessageBatchBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (permitted.caller(), body);
    let batch = body.read()?;
    let attempt = key.attempt(path.0.as_str(), &batch, &bytes);
    let record = async |claim| {
        let ids = services.messages.record_all(caller, path.0, batch, claim).await?;
        Ok(ids.iter().map(ToString::to_string).collect())
    };
    let answer = services.repeats.once(caller, Operation::CreateMessages, attempt, record).await;
    let answer = answer.map_err(ApiError::at("path:conversationId"))?;
    let Answer { ids, .. } = &answer;
    Ok(retry::respond(StatusCode::OK, &answer, WrittenBatchView { ids: ids.clone() }))
}

impl MessageBatchBody {
    pub(crate) fn read(self) -> Result<MessageBatch, ApiError> {
        let mut reading = Reading::default();
        let given = reading.required("/messages", self.messages);
        // Of too many, one thing is worth saying.
        let fits = given.filter(|given| reading.check("/messages", MessageBatch::fits(given.len())).is_some());
        let messages = fits.and_then(|given| read_each(given, &mut reading));
        let batch = messages.and_then(|messages| reading.check("/messages", MessageBatch::new(messages)));
        reading.finish(batch)
    }
}

/// Every message, where nothing is wrong with any of them; what is wrong is noted of all.
fn read_each(given: Vec<Object<MessageBody>>, reading: &mut Reading) -> Option<Vec<NewMessage>> {
    let places = given.into_iter().enumerate();
    let read = places.map(|(place, Object(message))| message.read_at(reading, &format!("/messages/{place}")));
    let read: Vec<_> = read.collect();
    read.into_iter().collect()
}
