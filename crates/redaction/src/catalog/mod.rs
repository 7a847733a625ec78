//! The catalogue: the predefined kinds of sensitive data, what each is called, and how each is found and masked.

mod banking;
mod card;
mod contact;
mod credentials;
mod date;
mod health;
mod identity;
mod language;
mod national_americas;
mod national_asia_pacific;
mod national_europe;
mod national_india;
mod network;
mod page;
mod reference;
mod vehicle;

use crate::entity::{Entity, same};
pub use page::catalogue_page;

/// The two groups of the product's interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Payment card data, locked by compliance.
    CardData,
    /// Everything else.
    PersonalData,
}

/// Whether an entity is active until a tenant says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// Active by default.
    On,
    /// Inactive by default.
    Off,
}

/// Who may switch an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// The tenant.
    SelfServe,
    /// The operator alone, with a reference and two approvers.
    Compliance,
}

/// What a mask leaves readable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mask {
    /// Nothing: one asterisk for each letter and digit.
    All,
    /// The last four digits, where at least eight are hidden before them.
    KeepLast4,
    /// The domain of an e-mail address.
    KeepDomain,
    /// Nothing, not even the length: eight asterisks.
    Fixed8,
}

/// One kind of sensitive data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The stable identifier, upper-case with underscores.
    pub label: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What it is, in a sentence fragment.
    pub description: &'static str,
    /// The group.
    pub group: Group,
    /// Whether it is active by default.
    pub default_active: Activity,
    /// Who may switch it.
    pub control: Control,
    /// What its mask leaves readable.
    pub mask: Mask,
    /// How it is found.
    pub detector: &'static str,
    /// Texts with it, and the same texts masked with only this entity active.
    pub examples: &'static [(&'static str, &'static str)],
    /// Texts that look like it and are left as they are with only this entity active.
    pub counter_examples: &'static [&'static str],
}

/// Self-served personal data, off by default: what most rows are.
const PERSONAL: Row = Row {
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

const FILES: [&[Row]; 15] = [
    card::ROWS,
    banking::ROWS,
    credentials::ROWS,
    identity::ROWS,
    contact::ROWS,
    date::ROWS,
    language::ROWS,
    network::ROWS,
    health::ROWS,
    vehicle::ROWS,
    reference::ROWS,
    national_americas::ROWS,
    national_europe::ROWS,
    national_asia_pacific::ROWS,
    national_india::ROWS,
];

static ROWS: [Row; Entity::ALL.len()] = {
    let mut rows = [PERSONAL; Entity::ALL.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = find(Entity::LABELS[at]);
        at += 1;
    }
    rows
};

const fn find(label: &str) -> Row {
    let mut file = 0;
    while file < FILES.len() {
        let mut at = 0;
        while at < FILES[file].len() {
            if same(FILES[file][at].label.as_bytes(), label.as_bytes()) {
                return FILES[file][at];
            }
            at += 1;
        }
        file += 1;
    }
    #[expect(clippy::panic, reason = "evaluated by the compiler only")]
    {
        panic!("an entity without a row")
    }
}

pub(crate) fn row(entity: Entity) -> &'static Row {
    &ROWS[entity.place()]
}
