//! The rule of switches: which entities are active for a tenant, and who may change that (spec §3).

use super::{Activity, Control, Entity, EntitySet, SwitchId, SwitchRecord, SwitchedBy};
use crate::time::Timestamp;

/// What a tenant says of entities; of all others the catalogue's default holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags {
    on: EntitySet,
    off: EntitySet,
}

impl Flags {
    /// Nothing: every default holds.
    #[must_use]
    pub fn none() -> Self {
        Self { on: EntitySet::empty(), off: EntitySet::empty() }
    }

    /// Says this of an entity, whatever was said before.
    pub fn set(&mut self, entity: Entity, activity: Activity) {
        let (said, unsaid) = match activity {
            Activity::On => (&mut self.on, &mut self.off),
            Activity::Off => (&mut self.off, &mut self.on),
        };
        said.insert(entity);
        unsaid.remove(entity);
    }

    /// What is said of an entity, where anything is.
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<Activity> {
        if self.on.contains(entity) {
            return Some(Activity::On);
        }
        self.off.contains(entity).then_some(Activity::Off)
    }

    /// Whether an entity is active: by what is said of it, else by default.
    #[must_use]
    pub fn activity(&self, entity: Entity) -> Activity {
        self.get(entity).unwrap_or(entity.row().default_active)
    }

    /// The entities that are active.
    #[must_use]
    pub fn active(&self) -> EntitySet {
        Entity::ALL.into_iter().filter(|entity| self.activity(*entity) == Activity::On).collect()
    }
}

/// A change of one flag, with the record that it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// What the tenant said of the entity when this was decided. Presumed to hold still when the switch lands.
    pub presumes: Option<Activity>,
    /// What is recorded of it.
    pub record: SwitchRecord,
}

/// Why an entity is not switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SwitchRefusal {
    /// Compliance controls the entity: it is switched by the operator, with a reference and two approvers.
    #[error("the entity is under compliance control, and is switched by the operator only")]
    ComplianceControlled,
    /// The entity is the tenant's own to switch, so the operator does not.
    #[error("the entity is not under compliance control: its tenant switches it")]
    SelfServed,
}

/// Decides what a switch writes: nothing where the entity is so already.
///
/// # Errors
/// [`SwitchRefusal`] where it is not theirs to switch, whatever the value.
pub fn switch(
    flags: &Flags,
    entity: Entity,
    to: Activity,
    by: SwitchedBy,
    id: SwitchId,
    at: Timestamp,
) -> Result<Option<Switch>, SwitchRefusal> {
    let approved = matches!(by, SwitchedBy::Approvers(_));
    match entity.row().control {
        Control::Compliance if !approved => return Err(SwitchRefusal::ComplianceControlled),
        Control::SelfServe if approved => return Err(SwitchRefusal::SelfServed),
        Control::Compliance | Control::SelfServe => {}
    }
    let from = flags.activity(entity);
    let record = SwitchRecord { id, at, by, entity, from, to };
    Ok((from != to).then(|| Switch { presumes: flags.get(entity), record }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::{Approval, Approver, ChangeReference};

    const PLACES: &str = "CREDIT_CARD_NUMBER CVV PASSWORD PIN SSN PHONE_NUMBER DOB PROFANITY EMAIL CARD_EXPIRATION_DATE \
        PERSON_NAME STREET_ADDRESS ZIP_CODE UK_POSTCODE CA_POSTAL_CODE AGE DATE USERNAME ONE_TIME_PASSCODE \
        SECURITY_ANSWER API_KEY ACCESS_TOKEN PRIVATE_KEY BANK_ACCOUNT_NUMBER BANK_ROUTING_NUMBER IBAN SWIFT_BIC \
        UK_SORT_CODE AU_BSB CRYPTO_ADDRESS ACCOUNT_NUMBER US_ITIN US_EIN PASSPORT_NUMBER US_DRIVER_LICENSE \
        UK_DRIVING_LICENCE US_MEDICARE_ID US_NPI US_DEA_NUMBER MEDICAL_RECORD_NUMBER HEALTH_PLAN_ID CA_SIN \
        UK_NINO UK_NHS_NUMBER AU_TFN AU_MEDICARE AU_ABN IN_AADHAAR IN_PAN IN_GSTIN IN_VOTER_ID SG_NRIC_FIN \
        EU_NATIONAL_ID LATAM_NATIONAL_ID ASIA_NATIONAL_ID AFRICA_NATIONAL_ID VAT_NUMBER IP_ADDRESS MAC_ADDRESS \
        URL IMEI VIN LICENSE_PLATE ORDER_NUMBER BOOKING_REFERENCE POLICY_NUMBER GEO_COORDINATES NUMERIC_SEQUENCE";

    fn decided(flags: &Flags, entity: Entity, to: Activity, by: SwitchedBy) -> Result<Option<Switch>, SwitchRefusal> {
        switch(flags, entity, to, by, SwitchId::from_bits(1), Timestamp::EPOCH)
    }

    fn approvers() -> SwitchedBy {
        let approver = |name| Approver::parse(name).unwrap();
        let reference = ChangeReference::parse("CHG-1").unwrap();
        SwitchedBy::Approvers(Approval::new(reference, approver("Ada"), approver("Grace")).unwrap())
    }

    #[test]
    fn without_a_word_of_the_tenant_the_defaults_of_the_specification_hold() {
        let active = Flags::none().active();
        for entity in [Entity::CREDIT_CARD_NUMBER, Entity::CVV, Entity::PASSWORD, Entity::PIN, Entity::SSN] {
            assert!(active.contains(entity), "{entity:?}");
        }
        for entity in [Entity::PHONE_NUMBER, Entity::DOB, Entity::PROFANITY, Entity::EMAIL] {
            assert!(!active.contains(entity), "{entity:?}");
        }
    }

    #[test]
    fn the_places_of_entities_never_change_for_sets_of_them_are_stored() {
        let places = Entity::ALL.iter().map(|entity| entity.label()).collect::<Vec<_>>().join(" ");
        assert!(places.starts_with(PLACES), "an entity is added at the end of the catalogue, and none taken out");
    }

    #[test]
    fn the_last_word_of_the_tenant_overrides_the_default() {
        let mut flags = Flags::none();
        flags.set(Entity::EMAIL, Activity::On);
        flags.set(Entity::SSN, Activity::On);
        flags.set(Entity::SSN, Activity::Off);
        assert!(flags.active().contains(Entity::EMAIL) && !flags.active().contains(Entity::SSN));
        assert_eq!(
            (flags.get(Entity::SSN), flags.get(Entity::EMAIL), flags.get(Entity::PIN)),
            (Some(Activity::Off), Some(Activity::On), None)
        );
    }

    #[test]
    fn a_tenant_cannot_switch_what_compliance_controls_whatever_the_value() {
        for entity in [Entity::CREDIT_CARD_NUMBER, Entity::CVV] {
            for to in [Activity::On, Activity::Off] {
                let refused = decided(&Flags::none(), entity, to, SwitchedBy::Embedder);
                assert_eq!(refused, Err(SwitchRefusal::ComplianceControlled), "{entity:?}");
            }
        }
    }

    #[test]
    fn approvers_switch_only_what_compliance_controls() {
        assert!(decided(&Flags::none(), Entity::CVV, Activity::Off, approvers()).unwrap().is_some());
        let refused = decided(&Flags::none(), Entity::EMAIL, Activity::On, approvers());
        assert_eq!(refused, Err(SwitchRefusal::SelfServed));
    }

    #[test]
    fn a_switch_presumes_what_the_tenant_said_and_records_what_was_in_force() {
        let mut flags = Flags::none();
        let first = decided(&flags, Entity::EMAIL, Activity::On, SwitchedBy::Embedder).unwrap().unwrap();
        assert_eq!((first.presumes, first.record.from, first.record.to), (None, Activity::Off, Activity::On));
        flags.set(Entity::EMAIL, Activity::On);
        let second = decided(&flags, Entity::EMAIL, Activity::Off, SwitchedBy::Embedder).unwrap().unwrap();
        assert_eq!((second.presumes, second.record.from), (Some(Activity::On), Activity::On));
    }

    #[test]
    fn a_switch_to_what_is_in_force_writes_nothing() {
        assert_eq!(decided(&Flags::none(), Entity::SSN, Activity::On, SwitchedBy::Embedder), Ok(None));
    }
}
