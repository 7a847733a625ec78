//! Batches of messages over HTTP: a batch is stored as a whole or not at all.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use parlance_domain::{
    access::WriteConversations,
    message::{MessageBatch, NewMessage},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Services,
    errors::{api_error::ApiError, responses::WriteErrors},
    extract::{
        authorized::Authorized,
        idempotency_key::{self, IdempotencyKey, IdempotencyKeyHeader},
        json_body::JsonBody,
        query::ConversationPath,
        validation::{Field, Object, Validation},
    },
    resources::messages::dto::MessageBody,
};

/// Messages to add to a conversation together.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageBatchBody {
    /// The messages, in any order.
    #[serde(default)]
    #[schema(value_type = Vec<MessageBody>, required = true)]
    messages: Field<Vec<Object<MessageBody>>>,
}

/// The ids of what was written.
#[derive(Serialize, ToSchema)]
pub(crate) struct WrittenBatchView {
    /// One for each message of the request, in its order.
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
        format = "id"), IdempotencyKeyHeader),
    request_body = MessageBatchBody,
    responses((status = 200, description = "Added", body = WrittenBatchView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    authorized: Authorized<WriteConversations>,
    path: ConversationPath,
    services: Data<Services>,
    key: IdempotencyKey,
    body: JsonBody<MessageBatchBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (authorized.caller(), body);
    let batch = (body.into_domain()?, &*bytes);
    let append = async |batch, claim| {
        let ids = services.messages.append_batch(caller, path.0.clone(), batch, claim).await;
        ids.map(|ids| ids.iter().map(ToString::to_string).collect())
    };
    let response = key.execute(&services, caller, Some(&path.0), batch, append).await?;
    Ok(idempotency_key::respond(StatusCode::OK, response, |ids| WrittenBatchView { ids }))
}

impl MessageBatchBody {
    pub(crate) fn into_domain(self) -> Result<MessageBatch, ApiError> {
        let mut validation = Validation::default();
        let bodies = validation.required("/messages", self.messages);
        // The response to an oversized batch reports only its size.
        let bodies =
            bodies.filter(|bodies| validation.check("/messages", MessageBatch::check_len(bodies.len())).is_some());
        let messages = bodies.and_then(|bodies| messages_into_domain(bodies, &mut validation));
        let batch = messages.and_then(|messages| validation.check("/messages", MessageBatch::new(messages)));
        validation.finish(batch)
    }
}

/// All messages, if every message is valid. Records the errors of every message.
fn messages_into_domain(bodies: Vec<Object<MessageBody>>, validation: &mut Validation) -> Option<Vec<NewMessage>> {
    let bodies = bodies.into_iter().enumerate();
    let messages = bodies.map(|(index, Object(body))| body.into_domain_at(validation, &format!("/messages/{index}")));
    // The first collection validates every body. The second stops at the first invalid message.
    let messages: Vec<_> = messages.collect();
    messages.into_iter().collect()
}
