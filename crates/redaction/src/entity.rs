//! Kinds of sensitive data, and sets of them. A set has one bit for each entity: two machine words in all.

use crate::catalog::Activity;

/// One kind of sensitive data, as its index in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(u8);

macro_rules! entities {
    ($($name:ident),+ $(,)?) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the catalogue documents each entity under this name")]
        mod index { #[derive(Clone, Copy)] #[repr(u8)] pub(super) enum Index { $($name),+ } }
        impl Entity {
            $(#[doc = concat!("The entity labelled `", stringify!($name), "`.")] pub const $name: Self = Self(index::Index::$name as u8);)+
            /// Every entity, in the catalogue's order.
            pub const ALL: [Self; COUNT] = [$(Self::$name),+];
            pub(crate) const LABELS: [&'static str; COUNT] = [$(stringify!($name)),+];
        }
    };
}

/// Number of entities in the catalogue.
const COUNT: usize = 68;

entities! {
    CREDIT_CARD_NUMBER, CVV, PASSWORD, PIN, SSN, PHONE_NUMBER, DOB, PROFANITY, EMAIL, CARD_EXPIRATION_DATE,
    PERSON_NAME, STREET_ADDRESS, ZIP_CODE, UK_POSTCODE, CA_POSTAL_CODE, AGE, DATE, USERNAME, ONE_TIME_PASSCODE,
    SECURITY_ANSWER, API_KEY, ACCESS_TOKEN, PRIVATE_KEY, BANK_ACCOUNT_NUMBER, BANK_ROUTING_NUMBER, IBAN, SWIFT_BIC,
    UK_SORT_CODE, AU_BSB, CRYPTO_ADDRESS, ACCOUNT_NUMBER, US_ITIN, US_EIN, PASSPORT_NUMBER, US_DRIVER_LICENSE,
    UK_DRIVING_LICENCE, US_MEDICARE_ID, US_NPI, US_DEA_NUMBER, MEDICAL_RECORD_NUMBER, HEALTH_PLAN_ID, CA_SIN, UK_NINO,
    UK_NHS_NUMBER, AU_TFN, AU_MEDICARE, AU_ABN, IN_AADHAAR, IN_PAN, IN_GSTIN, IN_VOTER_ID, SG_NRIC_FIN, EU_NATIONAL_ID,
    LATAM_NATIONAL_ID, ASIA_NATIONAL_ID, AFRICA_NATIONAL_ID, VAT_NUMBER, IP_ADDRESS, MAC_ADDRESS, URL, IMEI, VIN,
    LICENSE_PLATE, ORDER_NUMBER, BOOKING_REFERENCE, POLICY_NUMBER, GEO_COORDINATES, NUMERIC_SEQUENCE,
}

impl Entity {
    /// The entity with this label, if the catalogue has one.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Self> {
        Self::LABELS.iter().position(|&l| l == label).map(|at| Self::ALL[at])
    }

    /// The entity with this label, at compile time. A label that the catalogue lacks stops the build.
    pub(crate) const fn from_label_const(label: &str) -> Self {
        let mut at = 0;
        while at < COUNT {
            if const_bytes_eq(Self::LABELS[at].as_bytes(), label.as_bytes()) {
                return Self::ALL[at];
            }
            at += 1;
        }
        #[expect(clippy::panic, reason = "evaluated at compile time only")]
        {
            panic!("the catalogue has no entity with this label")
        }
    }

    /// The stable label.
    #[must_use]
    pub fn label(self) -> &'static str {
        Self::LABELS[self.index()]
    }

    /// The index in the catalogue, from 0.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this entity alone.
    pub(crate) const fn bit(self) -> EntitySet {
        EntitySet(1 << self.0)
    }
}

impl std::fmt::Debug for Entity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.label())
    }
}

pub(crate) const fn const_bytes_eq(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// A set of entities, one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct EntitySet(u128);

impl EntitySet {
    const ALL_BITS: u128 = (1 << COUNT) - 1;

    /// No entity.
    #[must_use]
    pub const fn empty() -> Self {
        Self(0)
    }

    /// Every entity.
    #[must_use]
    pub const fn all() -> Self {
        Self(Self::ALL_BITS)
    }

    /// The entities that are active by default in the catalogue.
    #[must_use]
    pub fn defaults() -> Self {
        Entity::ALL.into_iter().filter(|e| e.row().default_active == Activity::On).collect()
    }

    /// Adds an entity.
    pub const fn insert(&mut self, entity: Entity) {
        self.0 |= 1 << entity.0;
    }

    /// Removes an entity.
    pub const fn remove(&mut self, entity: Entity) {
        self.0 &= !(1 << entity.0);
    }

    /// Whether the entity is in the set.
    #[must_use]
    pub const fn contains(self, entity: Entity) -> bool {
        self.0 & (1 << entity.0) != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every entity of this set is in `other`.
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The entities of the set, in the catalogue's order.
    pub fn iter(self) -> impl Iterator<Item = Entity> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let at = rest.trailing_zeros() as usize;
            let entity = *Entity::ALL.get(at)?;
            rest &= rest - 1;
            Some(entity)
        })
    }

    /// The set as bits: bit n is the entity with index n.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set with these bits. Bits beyond the catalogue are dropped.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL_BITS)
    }

    /// The entities that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The entities that are in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The entities of this set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set of the entities of a list, at compile time.
    pub(crate) const fn from_slice(entities: &[Entity]) -> Self {
        let mut set = Self(0);
        let mut at = 0;
        while at < entities.len() {
            set.insert(entities[at]);
            at += 1;
        }
        set
    }
}

impl FromIterator<Entity> for EntitySet {
    fn from_iter<I: IntoIterator<Item = Entity>>(entities: I) -> Self {
        entities.into_iter().fold(Self::empty(), |set, e| set.or(e.bit()))
    }
}

impl std::fmt::Debug for EntitySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
