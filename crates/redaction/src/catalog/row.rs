//! The catalogue row of one kind of sensitive data.

/// The group of an entity in the interface of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Payment card data, which only the operator can switch.
    CardData,
    /// All other data.
    PersonalData,
}

/// Whether an entity is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// The entity is active.
    On,
    /// The entity is inactive.
    Off,
}

/// The party that may switch an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// The tenant.
    SelfServe,
    /// The operator only, with a change reference and two approvers.
    Compliance,
}

/// The part of a value that its mask leaves readable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mask {
    /// No part. The mask has one asterisk for each letter and digit.
    All,
    /// The last four digits, if the mask hides at least eight digits before them.
    KeepLast4,
    /// The domain of an e-mail address.
    KeepDomain,
    /// No part and no length. The mask is eight asterisks.
    Fixed8,
}

/// The catalogue row of one kind of sensitive data.
#[derive(Clone, Copy, Debug)]
pub struct CatalogRow {
    /// The stable identifier, upper-case with underscores.
    pub label: &'static str,
    /// The display name.
    pub name: &'static str,
    /// A short description without a verb.
    pub description: &'static str,
    /// The group in the interface.
    pub group: Group,
    /// The state until a tenant switches the entity.
    pub default_active: Activity,
    /// The party that may switch the entity.
    pub control: Control,
    /// The part of a value that stays readable.
    pub mask: Mask,
    /// A description of the detection, as a phrase.
    pub detector: &'static str,
    /// Texts that contain a value, and the same texts masked with only this entity active.
    pub examples: &'static [(&'static str, &'static str)],
    /// Texts that look similar. They stay unchanged with only this entity active.
    pub counter_examples: &'static [&'static str],
}

/// Defaults of most rows: personal data, inactive by default, switched by the tenant.
pub(super) const PERSONAL_DEFAULTS: CatalogRow = CatalogRow {
    label: "",
    name: "",
    description: "",
    group: Group::PersonalData,
    default_active: Activity::Off,
    control: Control::SelfServe,
    mask: Mask::All,
    detector: "",
    examples: &[],
    counter_examples: &[],
};
