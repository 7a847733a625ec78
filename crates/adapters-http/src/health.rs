//! Whether the server lives, and whether it can do its work.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use actix_web::web::{Data, Json};
use futures_util::future::join_all;
use parlance_domain::readiness::ProbeFailure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Services,
    documentation::UnavailableError,
    problem::{ApiError, Detail, RefusalKind},
};

/// Set when the server is about to stop, so that it is given no new work. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    /// From now on the server is not ready.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

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
pub(crate) async fn ready(services: Data<Services>, draining: Data<Draining>) -> Result<Json<ReadyView>, ApiError> {
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
                tracing::warn!(part, cause = error.with_causes(), "a part is not ready");
                parts.insert(part, "down");
                let ProbeFailure { rule, message } = probe.failure();
                down.extend(probe.is_needed().then(|| Detail::new(format!("part:{part}"), rule, message)));
            }
        }
    }
    if draining.has_begun() {
        down.push(Detail::new("part:server", "accepting", "is about to stop"));
    }
    if down.is_empty() {
        Ok(Json(ReadyView { status: "ready", parts }))
    } else {
        Err(ApiError::Refused(RefusalKind::NotReady, down))
    }
}
