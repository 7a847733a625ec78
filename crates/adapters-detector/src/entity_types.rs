//! The types of Presidio, and the entities of the catalogue that they are.

use parlance_domain::redaction::{Entity, EntitySet};

/// How a type of Presidio becomes an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Every finding is one of the entity.
    Always,
    /// A finding is one of the entity only if its text has a digit.
    WithDigit,
}

/// Each type with its entity. Types of Presidio that are not listed have no entity, such as `NRP` and `ORGANIZATION`.
///
/// `LOCATION` is any place: a country and a city too, which are no addresses. Only a place with a number is one.
const TYPES: [(&str, Entity, Rule); 37] = [
    ("PERSON", Entity::PERSON_NAME, Rule::Always),
    ("LOCATION", Entity::STREET_ADDRESS, Rule::WithDigit),
    ("EMAIL_ADDRESS", Entity::EMAIL, Rule::Always),
    ("PHONE_NUMBER", Entity::PHONE_NUMBER, Rule::Always),
    ("CREDIT_CARD", Entity::CREDIT_CARD_NUMBER, Rule::Always),
    ("CRYPTO", Entity::CRYPTO_ADDRESS, Rule::Always),
    ("DATE_TIME", Entity::DATE, Rule::WithDigit),
    ("IBAN_CODE", Entity::IBAN, Rule::Always),
    ("IP_ADDRESS", Entity::IP_ADDRESS, Rule::Always),
    ("MAC_ADDRESS", Entity::MAC_ADDRESS, Rule::Always),
    ("URL", Entity::URL, Rule::Always),
    ("US_SSN", Entity::SSN, Rule::Always),
    ("US_ITIN", Entity::US_ITIN, Rule::Always),
    ("US_PASSPORT", Entity::PASSPORT_NUMBER, Rule::Always),
    ("US_DRIVER_LICENSE", Entity::US_DRIVER_LICENSE, Rule::Always),
    ("US_BANK_NUMBER", Entity::BANK_ACCOUNT_NUMBER, Rule::Always),
    ("ABA_ROUTING_NUMBER", Entity::BANK_ROUTING_NUMBER, Rule::Always),
    ("US_MBI", Entity::US_MEDICARE_ID, Rule::Always),
    ("US_NPI", Entity::US_NPI, Rule::Always),
    ("MEDICAL_LICENSE", Entity::US_DEA_NUMBER, Rule::Always),
    ("UK_NHS", Entity::UK_NHS_NUMBER, Rule::Always),
    ("UK_NINO", Entity::UK_NINO, Rule::Always),
    ("UK_POSTCODE", Entity::UK_POSTCODE, Rule::Always),
    ("CA_SIN", Entity::CA_SIN, Rule::Always),
    ("CA_POSTAL_CODE", Entity::CA_POSTAL_CODE, Rule::Always),
    ("AU_ABN", Entity::AU_ABN, Rule::Always),
    ("AU_TFN", Entity::AU_TFN, Rule::Always),
    ("AU_MEDICARE", Entity::AU_MEDICARE, Rule::Always),
    ("IN_PAN", Entity::IN_PAN, Rule::Always),
    ("IN_AADHAAR", Entity::IN_AADHAAR, Rule::Always),
    ("IN_GSTIN", Entity::IN_GSTIN, Rule::Always),
    ("IN_VOTER", Entity::IN_VOTER_ID, Rule::Always),
    ("SG_NRIC_FIN", Entity::SG_NRIC_FIN, Rule::Always),
    ("ES_NIF", Entity::EU_NATIONAL_ID, Rule::Always),
    ("IT_FISCAL_CODE", Entity::EU_NATIONAL_ID, Rule::Always),
    ("PL_PESEL", Entity::EU_NATIONAL_ID, Rule::Always),
    ("IT_VAT_CODE", Entity::VAT_NUMBER, Rule::Always),
];

/// The entities that an analyzer can find.
#[must_use]
pub fn served_entities() -> EntitySet {
    TYPES.iter().map(|(_, entity, _)| *entity).collect()
}

/// The types to ask for.
pub(crate) fn types_of(entities: EntitySet) -> Vec<&'static str> {
    TYPES.iter().filter(|(_, entity, _)| entities.contains(*entity)).map(|(name, ..)| *name).collect()
}

/// The entity of a finding with this type and this text, if it has one.
pub(crate) fn entity_of(name: &str, text: &str) -> Option<Entity> {
    let (_, entity, rule) = TYPES.iter().find(|(known, ..)| *known == name)?;
    let is_match = match rule {
        Rule::Always => true,
        Rule::WithDigit => text.chars().any(char::is_numeric),
    };
    is_match.then_some(*entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_asked_for_if_its_entity_is_wanted() {
        let entities = [Entity::PERSON_NAME, Entity::EU_NATIONAL_ID].into_iter().collect();
        assert_eq!(types_of(entities), ["PERSON", "ES_NIF", "IT_FISCAL_CODE", "PL_PESEL"]);
        assert!(types_of(EntitySet::empty()).is_empty());
    }

    #[test]
    fn only_a_place_with_a_number_is_an_address() {
        assert_eq!(entity_of("LOCATION", "12 Rue de Rivoli"), Some(Entity::STREET_ADDRESS));
        assert_eq!(entity_of("LOCATION", "Paris"), None);
    }

    #[test]
    fn an_unknown_type_has_no_entity() {
        assert_eq!((entity_of("NRP", "1"), entity_of("person", "Ada")), (None, None));
    }
}
