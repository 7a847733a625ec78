//! The status of the delivery of a vocabulary to the transcription component.

use actix_web::web::{Data, Json};
use parlance_domain::{
    access::ReadConfiguration,
    vocabulary::delivery::{AttemptFailure, DeliveryReport, DeliveryState},
};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::{
    Services,
    errors::{api_error::ApiError, responses::ReadErrors},
    extract::authorized::Authorized,
};

/// Whether the transcription component has the newest version of the vocabulary.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryStatusView {
    /// The newest version: how often the vocabulary was changed.
    version: u64,
    /// The version that was delivered last; null where none was.
    #[schema(required = true)]
    delivered_version: Option<u64>,
    /// Whether the newest version is delivered.
    #[schema(value_type = DeliveryStateWord)]
    state: &'static str,
    /// Since when that is so: from the first change that is not delivered, or from the delivery. Null where nothing was
    /// ever changed, and where no transcription component is configured.
    #[schema(required = true, format = DateTime)]
    since: Option<String>,
    /// The last failed attempt since a delivery succeeded; null where none failed.
    #[schema(required = true)]
    last_error: Option<DeliveryErrorView>,
    /// When it is tried again at the earliest, after a failure; null where none failed.
    #[schema(required = true, format = DateTime)]
    next_attempt: Option<String>,
}

/// Whether the newest version is delivered: `not_configured` where there is no transcription component.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "used only in the OpenAPI description, for the values of `state`")]
pub(crate) enum DeliveryStateWord {
    NotConfigured,
    Pending,
    Delivered,
}

/// A failed attempt.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryErrorView {
    /// A stable word for its kind: `unreachable`, `timed_out`, `refused`, `failed`, `unwritable` or `unreadable`.
    #[schema(value_type = String, pattern = "^[a-z_]+$")]
    kind: &'static str,
    /// The kind in words.
    message: String,
    /// When it was.
    #[schema(format = DateTime)]
    at: String,
}

/// Follow the delivery of the vocabulary
///
/// Says whether the transcription component has the newest version. A change is delivered within a minute.
#[utoipa::path(
    get,
    path = "/configuration/v1/custom-vocabularies/status",
    tag = "vocabularies",
    operation_id = "getVocabularyStatus",
    responses(
        (status = 200, description = "How far the delivery is", body = DeliveryStatusView, examples(
            ("delivered" = (value = json!(delivered_example()))),
            ("pending" = (value = json!(pending_example())))
        )),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn status(
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
) -> Result<Json<DeliveryStatusView>, ApiError> {
    let report = services.deliveries.status(authorized.caller()).await?;
    Ok(Json(DeliveryStatusView::from(report)))
}

impl From<DeliveryReport> for DeliveryStatusView {
    fn from(report: DeliveryReport) -> Self {
        let progress = report.progress;
        Self {
            version: progress.version,
            delivered_version: progress.delivered.map(|delivered| delivered.version),
            state: match report.state {
                DeliveryState::NotConfigured => "not_configured",
                DeliveryState::Pending => "pending",
                DeliveryState::Delivered => "delivered",
            },
            since: report.since.map(|since| since.to_string()),
            last_error: progress.last_failure.map(DeliveryErrorView::from),
            next_attempt: progress.next_attempt.map(|next| next.to_string()),
        }
    }
}

impl From<AttemptFailure> for DeliveryErrorView {
    fn from(failure: AttemptFailure) -> Self {
        Self { kind: failure.kind.as_str(), message: failure.kind.to_string(), at: failure.failed_at.to_string() }
    }
}

fn delivered_example() -> Value {
    json!({"version": 7, "deliveredVersion": 7, "state": "delivered", "since": "2026-01-31T09:30:01.204Z",
        "lastError": null, "nextAttempt": null})
}

fn pending_example() -> Value {
    let last_error = json!({"kind": "unreachable", "message": "the transcription component cannot be reached",
        "at": "2026-01-31T09:31:12.006Z"});
    json!({"version": 8, "deliveredVersion": 7, "state": "pending", "since": "2026-01-31T09:31:02.731Z",
        "lastError": last_error, "nextAttempt": "2026-01-31T09:31:20.006Z"})
}
