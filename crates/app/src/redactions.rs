//! The redactions of messages and of fields, as the settings define them, and the external detector.

use std::sync::Arc;

use parlance_adapters_detector::{PresidioDetector, PresidioProbe};
use parlance_adapters_transcription::direct_agent;
use parlance_domain::{
    conversation::FieldRedaction,
    message::MessageRedaction,
    readiness::ReadinessProbe,
    redaction::{ActiveEntityCache, MaskingMeter, TextRedaction},
    time::MonotonicClock,
};

use crate::{
    metrics::DetectorMetrics,
    settings::{DetectorSettings, RedactionSettings},
    tls,
    traces::redaction_tracer,
};

/// The redactions of a process, which share one external detector.
#[derive(Clone)]
pub(crate) struct Redactions {
    settings: RedactionSettings,
    detector: Option<(PresidioDetector, DetectorSettings)>,
    pub(crate) detector_metrics: DetectorMetrics,
}

impl Redactions {
    /// Prepares the redactions. The detector is not called yet.
    pub(crate) fn new(settings: &RedactionSettings, clock: &Arc<dyn MonotonicClock>) -> Self {
        let detector_metrics = DetectorMetrics::default();
        let open = |detector: &DetectorSettings| {
            tls::install_provider();
            let (config, agent) = (detector.config.clone(), direct_agent(detector.config.timeout));
            let meter = Arc::new(detector_metrics.clone());
            (PresidioDetector::new(config, agent, Arc::clone(clock), meter), detector.clone())
        };
        let detector = settings.detector.as_ref().map(open);
        Self { settings: settings.clone(), detector, detector_metrics }
    }

    /// The external detector.
    pub(crate) fn detector(&self) -> Option<&PresidioDetector> {
        self.detector.as_ref().map(|(detector, _)| detector)
    }

    /// The readiness probe of the external detector.
    pub(crate) fn probe(&self) -> Option<Arc<dyn ReadinessProbe>> {
        let (detector, settings) = self.detector.as_ref()?;
        Some(Arc::new(PresidioProbe::new(detector.clone(), settings.is_required())))
    }

    /// The redaction of messages for the interface, counted by `meter`.
    pub(crate) fn counted_messages(&self, active: ActiveEntityCache, meter: Arc<dyn MaskingMeter>) -> MessageRedaction {
        self.uncounted_messages(active).with_meter(meter).with_tracer(redaction_tracer())
    }

    /// The redaction of messages for a command that stores them.
    pub(crate) fn uncounted_messages(&self, active: ActiveEntityCache) -> MessageRedaction {
        self.messages(active).with_identifiers(self.settings.identifiers)
    }

    /// The redaction of messages for exports.
    pub(crate) fn messages(&self, active: ActiveEntityCache) -> MessageRedaction {
        MessageRedaction::new(self.texts(), active)
    }

    /// The redaction of texts.
    pub(crate) fn texts(&self) -> TextRedaction {
        match &self.detector {
            None => TextRedaction::rules_only(),
            Some((detector, settings)) => TextRedaction::with_external(Arc::new(detector.clone()), settings.outage),
        }
    }

    /// The redaction of the fields of conversations.
    pub(crate) fn fields(&self, active: ActiveEntityCache) -> FieldRedaction {
        let redaction = FieldRedaction::new(active).with_masked_fields(self.settings.masked_fields);
        redaction.with_identifiers(self.settings.identifiers)
    }
}
