//! The back-test of entities: what they would mask in what is stored.

use actix_web::{
    HttpRequest,
    web::{Data, Json},
};
use parlance_domain::{
    access::{ReadConfiguration, ReadConversations},
    backtest::{BacktestReport, BacktestRequest, EntityCount},
    message::Message,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Services,
    errors::{api_error::ApiError, responses::WriteErrors},
    extract::{
        authorized::Authorized,
        json_body::JsonBody,
        validation::{Field, Validation},
    },
    middleware::concurrency_limit::acquire_large_read_permit,
    resources::{
        messages::include::{RedactionView, redaction_views},
        redaction_entities::dto::parse_entities,
    },
};

/// Which entities to test, on which stored messages.
#[derive(Deserialize, ToSchema)]
pub(crate) struct BacktestBody {
    /// The labels of the entities, whether or not they are active.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required = true)]
    entities: Field<Vec<String>>,
    /// The arrival of the first message. Without a zone it is UTC.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = DateTime)]
    since: Field<String>,
    /// Messages that arrived at this time or later are not read. At most 92 days after `since`.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = DateTime)]
    until: Field<String>,
    /// Most samples; without it there are none.
    #[serde(default)]
    #[schema(value_type = u64, required = false, format = "backtest-sample")]
    sample: Field<u64>,
}

/// What the entities would mask.
#[derive(Serialize, ToSchema)]
pub(crate) struct BacktestView {
    /// Whether all messages of the period were read. Otherwise the limit of messages or of time was reached.
    complete: bool,
    /// Messages that were read.
    messages: u64,
    /// The counts of each tested entity, in the catalogue's order.
    entities: Vec<EntityCountView>,
    /// The first messages in which the tested entities would mask something. In their texts, the tested and the active
    /// entities are masked.
    samples: Vec<BacktestSampleView>,
}

/// What an entity would mask in addition to what is masked in the stored texts.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityCountView {
    /// The label of the entity.
    #[schema(value_type = String, pattern = "^[A-Z0-9_]+$")]
    entity: &'static str,
    /// Messages with at least one such value.
    messages: u64,
    values: u64,
}

/// A message with its masked text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BacktestSampleView {
    conversation_id: String,
    message_id: String,
    #[schema(min_length = 1)]
    text: String,
    /// What is masked in the text, in order.
    redactions: Vec<RedactionView>,
}

/// Test entities on stored messages
///
/// Counts what entities would mask in the messages that arrived in a period, and gives samples. It needs
/// `configuration:read` and `conversation:read`. It reads at most 100,000 messages, for at most a second, and says
/// whether these were all.
#[utoipa::path(
    post,
    path = "/configuration/v1/redaction/backtest",
    tag = "redaction",
    operation_id = "backtestRedaction",
    request_body = BacktestBody,
    responses((status = 200, description = "What would be masked", body = BacktestView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn backtest(
    configuration: Authorized<ReadConfiguration>,
    conversations: Authorized<ReadConversations>,
    services: Data<Services>,
    request: HttpRequest,
    body: JsonBody<BacktestBody>,
) -> Result<Json<BacktestView>, ApiError> {
    let test = body.0.into_domain()?;
    let _permit = acquire_large_read_permit(&request).await;
    let report = services.backtest.run(configuration.caller(), conversations.caller(), test).await?;
    Ok(Json(BacktestView::from(report)))
}

impl BacktestBody {
    fn into_domain(self) -> Result<BacktestRequest, ApiError> {
        let mut validation = Validation::default();
        let labels = validation.required("/entities", self.entities);
        let entities = labels.map(|labels| parse_entities(&mut validation, &labels));
        let since = validation.timestamp("/since", self.since);
        let until = validation.timestamp("/until", self.until);
        let sample = match self.sample {
            Field::Absent => Some(0),
            sample @ (Field::Null | Field::Value(_)) => validation.optional("/sample", sample),
        };
        let members = || Some((entities?, since?, until?, sample?));
        let (entities, since, until, sample) = validation.finish(members())?;
        Ok(BacktestRequest::new(entities, since, until, sample)?)
    }
}

impl From<BacktestReport> for BacktestView {
    fn from(report: BacktestReport) -> Self {
        Self {
            complete: report.is_complete,
            messages: report.messages,
            entities: report.entities.into_iter().map(EntityCountView::from).collect(),
            samples: report.samples.iter().map(BacktestSampleView::from).collect(),
        }
    }
}

impl From<EntityCount> for EntityCountView {
    fn from(count: EntityCount) -> Self {
        Self { entity: count.entity.label(), messages: count.messages, values: count.values }
    }
}

impl From<&Message> for BacktestSampleView {
    fn from(message: &Message) -> Self {
        Self {
            conversation_id: message.conversation.to_string(),
            message_id: message.id.to_string(),
            text: message.text.as_str().to_owned(),
            redactions: redaction_views(message),
        }
    }
}
