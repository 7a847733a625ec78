//! Detectors outside the process, such as a named-entity model behind HTTP.

use std::sync::Arc;

use async_trait::async_trait;

use super::{EntitySet, ExternalSpan, Redaction, Redactor, Utterance};
use crate::error::StoreError;

/// Finds sensitive data that the engine's rules cannot find, such as names and places that need a model.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ExternalDetector: Send + Sync {
    /// The findings for these entities in a text, in any order, with byte offsets. Offsets outside the text or inside a
    /// character are moved to the next valid ones. MUST return an error, not an empty result, if the text was not
    /// examined.
    async fn detect(&self, text: &str, active: EntitySet) -> Result<Vec<ExternalSpan>, StoreError>;
}

/// Masks texts by the engine's rules, and by an external detector if there is one.
#[derive(Clone)]
pub struct TextRedaction {
    external: Option<Arc<dyn ExternalDetector>>,
}

impl TextRedaction {
    /// Masks by the engine's rules alone.
    #[must_use]
    pub fn rules_only() -> Self {
        Self { external: None }
    }

    /// Masks by the engine's rules and an external detector.
    #[must_use]
    pub fn with_external(external: Arc<dyn ExternalDetector>) -> Self {
        Self { external: Some(external) }
    }

    /// Masks these entities in a text. `context` holds the messages before it, oldest first. The findings of both
    /// detectors are merged by one rule: a character stays readable only if every span that covers it leaves it
    /// readable.
    ///
    /// # Errors
    /// [`StoreError`] if the detector fails. The caller must then not use the text as if it were masked.
    pub async fn redact<'text>(
        &self,
        text: &'text str,
        context: &[Utterance<'_>],
        active: EntitySet,
    ) -> Result<Redaction<'text>, StoreError> {
        let findings = match &self.external {
            Some(detector) => detector.detect(text, active).await?,
            None => Vec::new(),
        };
        Ok(Redactor::new(active).redact_with(text, context, &findings))
    }
}
