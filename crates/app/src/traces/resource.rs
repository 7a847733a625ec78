//! What spans say about the process that made them.

use opentelemetry::KeyValue;
use opentelemetry_sdk::{
    Resource,
    resource::{EnvResourceDetector, ResourceBuilder, TelemetryResourceDetector},
};
use parlance_domain::hex;

/// The variable of OpenTelemetry that replaces the name of the service.
const SERVICE_NAME_VARIABLE: &str = "OTEL_SERVICE_NAME";

/// The name, the version and a new id of this process. `OTEL_RESOURCE_ATTRIBUTES` adds attributes and replaces these,
/// and `OTEL_SERVICE_NAME` replaces the name.
///
/// # Errors
/// If the operating system has no random numbers.
pub(super) fn describe_process() -> anyhow::Result<Resource> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)?;
    let of_process = [
        KeyValue::new("service.name", "parlance"),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", hex::encode(&random)),
    ];
    let resource = Resource::builder_empty()
        .with_attributes(of_process)
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    let name = std::env::var(SERVICE_NAME_VARIABLE).ok().filter(|name| !name.is_empty());
    Ok(name.into_iter().fold(resource, ResourceBuilder::with_service_name).build())
}
