//! Detectors outside the process, such as a model of named entities behind HTTP.

use std::sync::Arc;

use async_trait::async_trait;

use super::{EntitySet, Found, Redaction, Redactor, Utterance};
use crate::error::StoreError;

/// Finds sensitive data where the engine's rules cannot: names, places, whatever takes a model.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ExternalDetector: Send + Sync {
    /// What it finds of these entities in a text, in any order, as offsets in bytes. Offsets outside the text, or inside
    /// a character, are moved to the next that are not. MUST fail rather than answer that it found nothing where it did
    /// not look.
    async fn detect(&self, text: &str, active: EntitySet) -> Result<Vec<Found>, StoreError>;
}

/// Masks texts by the engine's rules, and by a detector outside the process where there is one.
#[derive(Clone)]
pub struct TextRedaction {
    external: Option<Arc<dyn ExternalDetector>>,
}

impl TextRedaction {
    /// By the engine's rules alone.
    #[must_use]
    pub fn by_rules() -> Self {
        Self { external: None }
    }

    /// By the engine's rules and this detector.
    #[must_use]
    pub fn with(external: Arc<dyn ExternalDetector>) -> Self {
        Self { external: Some(external) }
    }

    /// Masks these entities in a text, given the messages before it, oldest first. What both find is merged by one
    /// rule: a character is readable only where every span that covers it leaves it so.
    ///
    /// # Errors
    /// [`StoreError`] where the detector did not answer: the text must then not be used as if it were masked.
    pub async fn redact<'text>(
        &self,
        text: &'text str,
        context: &[Utterance<'_>],
        active: EntitySet,
    ) -> Result<Redaction<'text>, StoreError> {
        let found = match &self.external {
            Some(detector) => detector.detect(text, active).await?,
            None => Vec::new(),
        };
        Ok(Redactor::new(active).redact_with(text, context, &found))
    }
}
