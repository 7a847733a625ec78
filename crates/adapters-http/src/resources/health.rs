//! Liveness and readiness of the server.

use std::collections::BTreeMap;

use actix_web::web::{Data, Json};
use futures_util::future::join_all;
use parlance_domain::readiness::ProbeFailure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    DrainFlag, Services,
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::Detail,
        responses::UnavailableError,
    },
};

/// The server answers.
#[derive(Serialize, ToSchema)]
pub(crate) struct LiveView {
    /// Always `live`.
    status: &'static str,
}

/// The server can do its work.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadyView {
    /// Always `ready`.
    status: &'static str,
    /// Each part with the word `up`, or `down` for one that the service can do without for a while.
    parts: BTreeMap<&'static str, &'static str>,
}

/// Whether the server lives
///
/// 200 as long as the server answers at all.
#[utoipa::path(
    get,
    path = "/health/live",
    tag = "health",
    operation_id = "getLiveness",
    responses((status = 200, description = "It answers", body = LiveView))
)]
pub(crate) async fn live() -> Json<LiveView> {
    Json(LiveView { status: "live" })
}

/// Whether the server can do its work
///
/// 503 names the part that is out of reach.
#[utoipa::path(
    get,
    path = "/health/ready",
    tag = "health",
    operation_id = "getReadiness",
    responses((status = 200, description = "It can", body = ReadyView), UnavailableError)
)]
pub(crate) async fn ready(services: Data<Services>, draining: Data<DrainFlag>) -> Result<Json<ReadyView>, ApiError> {
    let checks = services.probes.iter().map(|probe| async move { (probe, probe.check().await) });
    let mut parts = BTreeMap::new();
    let mut down = Vec::new();
    for (probe, outcome) in join_all(checks).await {
        let part = probe.part();
        match outcome {
            Ok(()) => {
                parts.insert(part, "up");
            }
            Err(error) => {
                tracing::warn!(part, cause = error.cause_chain(), "readiness check failed");
                parts.insert(part, "down");
                let ProbeFailure { rule, message } = probe.failure();
                down.extend(probe.is_required().then(|| Detail::new(format!("part:{part}"), rule, message)));
            }
        }
    }
    if draining.is_set() {
        down.push(Detail::new("part:server", "accepting", "is shutting down"));
    }
    if down.is_empty() {
        Ok(Json(ReadyView { status: "ready", parts }))
    } else {
        Err(ApiError::Refused(RefusalKind::NotReady, down))
    }
}
