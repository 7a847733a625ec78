//! Detectors outside the process, such as a named-entity model behind HTTP.

use std::sync::Arc;

use async_trait::async_trait;

use super::{EntitySet, ExternalSpan, Redaction, Redactor, Utterance};
use crate::error::{StoreError, StoreErrorKind};

/// Finds sensitive data that the engine's rules cannot find, such as names and places that need a model.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ExternalDetector: Send + Sync {
    /// The entities that the detector finds. It MUST always return the same set.
    fn entities(&self) -> EntitySet;

    /// The findings for these entities in each text, in the order of the texts. The findings of a text are in any order,
    /// with byte offsets. Offsets outside the text or inside a character are moved to the next valid ones. MUST return
    /// an error, not an empty result, if a text was not examined.
    async fn detect(&self, texts: Vec<String>, entities: EntitySet) -> Result<Vec<Vec<ExternalSpan>>, StoreError>;
}

/// What happens with a new text while the external detector is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DetectorOutage {
    /// The text is refused.
    Refuse,
    /// The engine alone masks the text. It is masked again with the detector before it is given out.
    MaskLater,
}

/// The findings of an external detector in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExternalFindings {
    spans: Vec<ExternalSpan>,
    missing: EntitySet,
}

impl ExternalFindings {
    /// The entities of the detector that the text was not examined for, because the detector is away.
    #[must_use]
    pub fn missing(&self) -> EntitySet {
        self.missing
    }
}

/// Masks texts by the engine's rules, and by an external detector if there is one.
#[derive(Clone)]
pub struct TextRedaction {
    external: Option<(Arc<dyn ExternalDetector>, DetectorOutage)>,
}

impl TextRedaction {
    /// Masks by the engine's rules alone.
    #[must_use]
    pub fn rules_only() -> Self {
        Self { external: None }
    }

    /// Masks by the engine's rules and an external detector.
    #[must_use]
    pub fn with_external(external: Arc<dyn ExternalDetector>, outage: DetectorOutage) -> Self {
        Self { external: Some((external, outage)) }
    }

    /// Whether there is an external detector.
    #[must_use]
    pub fn has_external(&self) -> bool {
        self.external.is_some()
    }

    /// The findings in new texts, in their order. While the detector is away, they are empty or an error, as
    /// [`DetectorOutage`] says.
    ///
    /// # Errors
    /// [`StoreError`] if the detector fails and texts are refused meanwhile.
    pub async fn examine_new(
        &self,
        texts: impl IntoIterator<Item = &str>,
        active: EntitySet,
    ) -> Result<Vec<ExternalFindings>, StoreError> {
        let texts: Vec<_> = texts.into_iter().map(|text| (text, active)).collect();
        let outage = self.external.as_ref().map(|(_, outage)| *outage);
        match self.examine(&texts).await {
            Err(_) if outage == Some(DetectorOutage::MaskLater) => {
                let missing = self.served(active);
                Ok(vec![ExternalFindings { spans: Vec::new(), missing }; texts.len()])
            }
            findings => findings,
        }
    }

    /// The findings in texts, in their order. Each text has the entities that it is examined for.
    ///
    /// # Errors
    /// [`StoreError`] if the detector fails. The caller must then not use any of the texts as if it were masked.
    pub async fn examine(&self, texts: &[(&str, EntitySet)]) -> Result<Vec<ExternalFindings>, StoreError> {
        let mut findings = vec![ExternalFindings::default(); texts.len()];
        let Some((detector, _)) = &self.external else { return Ok(findings) };
        let served = detector.entities();
        let wanted = texts.iter().fold(EntitySet::empty(), |all, (_, entities)| all.or(entities.and(served)));
        let is_examined = |entities: EntitySet| !entities.and(served).is_empty();
        let examined: Vec<_> = texts.iter().filter(|(_, entities)| is_examined(*entities)).collect();
        if examined.is_empty() {
            return Ok(findings);
        }
        let found = detector.detect(examined.iter().map(|(text, _)| (*text).to_owned()).collect(), wanted).await?;
        if found.len() != examined.len() {
            return Err(StoreError::new(StoreErrorKind::Unexpected, "the detector examined another number of texts"));
        }
        let places = findings.iter_mut().zip(texts).filter(|(_, (_, entities))| is_examined(*entities));
        for ((place, (_, entities)), spans) in places.zip(found) {
            place.spans = spans.into_iter().filter(|span| entities.contains(span.entity)).collect();
        }
        Ok(findings)
    }

    /// Masks these entities in a text, with the findings of the external detector in it. `context` holds the messages
    /// before it, oldest first. The findings of both detectors are merged by one rule: a character stays readable only
    /// if every span that covers it leaves it readable.
    #[must_use]
    pub fn mask<'text>(
        text: &'text str,
        context: &[Utterance<'_>],
        active: EntitySet,
        findings: &ExternalFindings,
    ) -> Redaction<'text> {
        Redactor::new(active).redact_with(text, context, &findings.spans)
    }

    /// Masks these entities in a text, with the external detector if there is one. `context` holds the messages before
    /// it, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the detector fails. The caller must then not use the text as if it were masked.
    pub async fn redact<'text>(
        &self,
        text: &'text str,
        context: &[Utterance<'_>],
        active: EntitySet,
    ) -> Result<Redaction<'text>, StoreError> {
        let findings = self.examine(&[(text, active)]).await?.pop().unwrap_or_default();
        Ok(Self::mask(text, context, active, &findings))
    }

    fn served(&self, active: EntitySet) -> EntitySet {
        self.external.as_ref().map_or(EntitySet::empty(), |(detector, _)| detector.entities().and(active))
    }
}
