//! Applies the policy for identifiers.

use std::sync::Arc;

use super::{
    EntitySet, IdentifierField, IdentifierPolicy, MaskingMeter, NoopMaskingMeter, Redactor, SensitiveIdentifiers,
    locked_entities,
};

/// Applies an [`IdentifierPolicy`] to the identifiers of a request.
#[derive(Clone)]
pub(crate) struct IdentifierCheck {
    pub(crate) policy: IdentifierPolicy,
    pub(crate) meter: Arc<dyn MaskingMeter>,
    locked: EntitySet,
}

impl Default for IdentifierCheck {
    fn default() -> Self {
        Self { policy: IdentifierPolicy::default(), meter: Arc::new(NoopMaskingMeter), locked: locked_entities() }
    }
}

impl IdentifierCheck {
    /// The locked entities of a set.
    pub(crate) fn locked(&self, active: EntitySet) -> EntitySet {
        self.locked.and(active)
    }

    /// The identifiers that contain a value of a locked entity of `active`, if the policy allows them.
    ///
    /// # Errors
    /// [`SensitiveIdentifiers`] if there are such identifiers and the policy refuses them.
    pub(crate) fn check<'request>(
        &self,
        identifiers: impl IntoIterator<Item = (IdentifierField, &'request str)>,
        active: EntitySet,
    ) -> Result<Vec<IdentifierField>, SensitiveIdentifiers> {
        let redactor = Redactor::new(self.locked(active));
        let is_sensitive = |text: &str| !redactor.redact(text, &[]).spans.is_empty();
        let sensitive = identifiers.into_iter().filter(|(_, text)| is_sensitive(text)).map(|(field, _)| field);
        let fields: Vec<_> = sensitive.collect();
        match self.policy {
            IdentifierPolicy::Refuse if !fields.is_empty() => Err(SensitiveIdentifiers { fields }),
            IdentifierPolicy::Allow | IdentifierPolicy::Refuse => Ok(fields),
        }
    }

    /// Counts identifiers that were stored.
    pub(crate) fn count(&self, stored: &[IdentifierField]) {
        for field in stored {
            self.meter.count_sensitive_identifier(*field);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: (IdentifierField, &str) = (IdentifierField::Customer, "4111-1111-1111-1111");
    const ORDER: (IdentifierField, &str) = (IdentifierField::Conversation, "call-4111111111111112");

    fn check(policy: IdentifierPolicy, active: EntitySet) -> Result<Vec<IdentifierField>, SensitiveIdentifiers> {
        IdentifierCheck { policy, ..IdentifierCheck::default() }.check([ORDER, CARD], active)
    }

    #[test]
    fn an_identifier_with_a_card_number_is_reported_or_refused() {
        let fields = vec![IdentifierField::Customer];
        assert_eq!(check(IdentifierPolicy::Allow, EntitySet::defaults()), Ok(fields.clone()));
        assert_eq!(check(IdentifierPolicy::Refuse, EntitySet::defaults()), Err(SensitiveIdentifiers { fields }));
    }

    #[test]
    fn an_entity_that_is_not_active_is_not_looked_for() {
        assert_eq!(check(IdentifierPolicy::Refuse, EntitySet::empty()), Ok(Vec::new()));
    }

    #[test]
    fn an_entity_that_is_not_locked_is_not_looked_for() {
        let check = IdentifierCheck { policy: IdentifierPolicy::Refuse, ..IdentifierCheck::default() };
        let email = (IdentifierField::Sender, "zoe@example.com");
        assert_eq!(check.check([email], EntitySet::all()), Ok(Vec::new()));
    }
}
