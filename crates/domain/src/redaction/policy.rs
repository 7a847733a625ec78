//! The rules for switches: which entities are active for a tenant, and who may switch them (spec §3).

use super::{Activity, Control, Entity, EntitySet, SwitchActor, SwitchId, SwitchRecord};
use crate::time::Timestamp;

/// The activities that a tenant has set. All other entities have the default of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags {
    on: EntitySet,
    off: EntitySet,
}

impl Flags {
    /// No flags: every entity has its default.
    #[must_use]
    pub fn none() -> Self {
        Self { on: EntitySet::empty(), off: EntitySet::empty() }
    }

    /// Sets the activity of an entity, replacing an earlier one.
    pub fn set(&mut self, entity: Entity, activity: Activity) {
        let (target, opposite) = match activity {
            Activity::On => (&mut self.on, &mut self.off),
            Activity::Off => (&mut self.off, &mut self.on),
        };
        target.insert(entity);
        opposite.remove(entity);
    }

    /// The activity that the tenant has set for an entity, if any.
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<Activity> {
        if self.on.contains(entity) {
            return Some(Activity::On);
        }
        self.off.contains(entity).then_some(Activity::Off)
    }

    /// The activity of an entity: the tenant's flag, or else the default.
    #[must_use]
    pub fn activity(&self, entity: Entity) -> Activity {
        self.get(entity).unwrap_or(entity.row().default_active)
    }

    /// The active entities.
    #[must_use]
    pub fn active(&self) -> EntitySet {
        Entity::ALL.into_iter().filter(|entity| self.activity(*entity) == Activity::On).collect()
    }
}

/// The entities under compliance control, which are the card data of the catalogue.
#[must_use]
pub fn locked_entities() -> EntitySet {
    Entity::ALL.into_iter().filter(|entity| entity.row().control == Control::Compliance).collect()
}

/// A change of one flag, with its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The tenant's flag at the time of the decision. The store applies the switch only if the flag is still the same.
    pub expected: Option<Activity>,
    /// The record of the switch.
    pub record: SwitchRecord,
}

/// The reason why an entity is not switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SwitchRefusal {
    /// The entity is under compliance control. Only the operator switches it, with a reference and two approvers.
    #[error("the entity is under compliance control, and is switched by the operator only")]
    ComplianceControlled,
    /// The tenant switches this entity itself, so the operator cannot.
    #[error("the entity is not under compliance control: its tenant switches it")]
    SelfServed,
}

/// Decides what a switch writes: `None` if the entity already has the activity.
///
/// # Errors
/// [`SwitchRefusal`] if the actor may not switch the entity, whatever the activity.
pub fn decide_switch(
    flags: &Flags,
    entity: Entity,
    to: Activity,
    by: SwitchActor,
    id: SwitchId,
    at: Timestamp,
) -> Result<Option<Switch>, SwitchRefusal> {
    let approved = matches!(by, SwitchActor::Approvers(_));
    match entity.row().control {
        Control::Compliance if !approved => return Err(SwitchRefusal::ComplianceControlled),
        Control::SelfServe if approved => return Err(SwitchRefusal::SelfServed),
        Control::Compliance | Control::SelfServe => {}
    }
    let from = flags.activity(entity);
    let record = SwitchRecord { id, switched_at: at, actor: by, entity, from, to };
    Ok((from != to).then(|| Switch { expected: flags.get(entity), record }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::{Approval, Approver, ChangeReference};

    const ORDER: &str = "CREDIT_CARD_NUMBER CVV PASSWORD PIN SSN PHONE_NUMBER DOB PROFANITY EMAIL CARD_EXPIRATION_DATE \
        PERSON_NAME STREET_ADDRESS ZIP_CODE UK_POSTCODE CA_POSTAL_CODE AGE DATE USERNAME ONE_TIME_PASSCODE \
        SECURITY_ANSWER API_KEY ACCESS_TOKEN PRIVATE_KEY BANK_ACCOUNT_NUMBER BANK_ROUTING_NUMBER IBAN SWIFT_BIC \
        UK_SORT_CODE AU_BSB CRYPTO_ADDRESS ACCOUNT_NUMBER US_ITIN US_EIN PASSPORT_NUMBER US_DRIVER_LICENSE \
        UK_DRIVING_LICENCE US_MEDICARE_ID US_NPI US_DEA_NUMBER MEDICAL_RECORD_NUMBER HEALTH_PLAN_ID CA_SIN \
        UK_NINO UK_NHS_NUMBER AU_TFN AU_MEDICARE AU_ABN IN_AADHAAR IN_PAN IN_GSTIN IN_VOTER_ID SG_NRIC_FIN \
        EU_NATIONAL_ID LATAM_NATIONAL_ID ASIA_NATIONAL_ID AFRICA_NATIONAL_ID VAT_NUMBER IP_ADDRESS MAC_ADDRESS \
        URL IMEI VIN LICENSE_PLATE ORDER_NUMBER BOOKING_REFERENCE POLICY_NUMBER GEO_COORDINATES NUMERIC_SEQUENCE";

    fn decide(flags: &Flags, entity: Entity, to: Activity, by: SwitchActor) -> Result<Option<Switch>, SwitchRefusal> {
        decide_switch(flags, entity, to, by, SwitchId::from_bits(1), Timestamp::EPOCH)
    }

    fn approvers() -> SwitchActor {
        let approver = |name| Approver::parse(name).unwrap();
        let reference = ChangeReference::parse("CHG-1").unwrap();
        SwitchActor::Approvers(Approval::new(reference, approver("Ada"), approver("Grace")).unwrap())
    }

    #[test]
    fn without_flags_the_defaults_of_the_specification_apply() {
        let active = Flags::none().active();
        for entity in [Entity::CREDIT_CARD_NUMBER, Entity::CVV, Entity::PASSWORD, Entity::PIN, Entity::SSN] {
            assert!(active.contains(entity), "{entity:?}");
        }
        for entity in [Entity::PHONE_NUMBER, Entity::DOB, Entity::PROFANITY, Entity::EMAIL] {
            assert!(!active.contains(entity), "{entity:?}");
        }
    }

    #[test]
    fn the_order_of_entities_never_changes_because_entity_sets_are_stored() {
        let labels = Entity::ALL.iter().map(|entity| entity.label()).collect::<Vec<_>>().join(" ");
        assert!(labels.starts_with(ORDER), "add new entities at the end of the catalogue, and remove none");
    }

    #[test]
    fn the_last_flag_of_the_tenant_overrides_the_default() {
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
    fn a_tenant_cannot_switch_an_entity_under_compliance_control() {
        for entity in [Entity::CREDIT_CARD_NUMBER, Entity::CVV] {
            for to in [Activity::On, Activity::Off] {
                let refused = decide(&Flags::none(), entity, to, SwitchActor::Embedder);
                assert_eq!(refused, Err(SwitchRefusal::ComplianceControlled), "{entity:?}");
            }
        }
    }

    #[test]
    fn the_locked_entities_are_card_numbers_and_verification_codes() {
        assert_eq!(locked_entities(), [Entity::CREDIT_CARD_NUMBER, Entity::CVV].into_iter().collect());
    }

    #[test]
    fn approvers_switch_only_entities_under_compliance_control() {
        assert!(decide(&Flags::none(), Entity::CVV, Activity::Off, approvers()).unwrap().is_some());
        let refused = decide(&Flags::none(), Entity::EMAIL, Activity::On, approvers());
        assert_eq!(refused, Err(SwitchRefusal::SelfServed));
    }

    #[test]
    fn a_switch_expects_the_flag_of_the_tenant_and_records_the_earlier_activity() {
        let mut flags = Flags::none();
        let first = decide(&flags, Entity::EMAIL, Activity::On, SwitchActor::Embedder).unwrap().unwrap();
        assert_eq!((first.expected, first.record.from, first.record.to), (None, Activity::Off, Activity::On));
        flags.set(Entity::EMAIL, Activity::On);
        let second = decide(&flags, Entity::EMAIL, Activity::Off, SwitchActor::Embedder).unwrap().unwrap();
        assert_eq!((second.expected, second.record.from), (Some(Activity::On), Activity::On));
    }

    #[test]
    fn a_switch_to_the_current_activity_writes_nothing() {
        assert_eq!(decide(&Flags::none(), Entity::SSN, Activity::On, SwitchActor::Embedder), Ok(None));
    }
}
