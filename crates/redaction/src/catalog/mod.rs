//! The catalogue of entities: name, description, detection and mask of each predefined kind of sensitive data.

mod banking;
mod card;
mod contact;
mod credentials;
mod date;
mod health;
mod identity;
mod language;
mod markdown;
mod national_americas;
mod national_asia_pacific;
mod national_europe;
mod national_india;
mod network;
mod reference;
mod row;
mod vehicle;

use crate::entity::{Entity, const_bytes_eq};
pub use markdown::catalogue_page;
use row::PERSONAL_DEFAULTS;
pub use row::{Activity, CatalogRow, Control, Group, Mask};

const ROWS_BY_TOPIC: [&[CatalogRow]; 15] = [
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

static ROWS: [CatalogRow; Entity::ALL.len()] = {
    let mut rows = [PERSONAL_DEFAULTS; Entity::ALL.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = find_row(Entity::LABELS[at]);
        at += 1;
    }
    rows
};

const fn find_row(label: &str) -> CatalogRow {
    let mut topic = 0;
    while topic < ROWS_BY_TOPIC.len() {
        let mut at = 0;
        while at < ROWS_BY_TOPIC[topic].len() {
            if const_bytes_eq(ROWS_BY_TOPIC[topic][at].label.as_bytes(), label.as_bytes()) {
                return ROWS_BY_TOPIC[topic][at];
            }
            at += 1;
        }
        topic += 1;
    }
    #[expect(clippy::panic, reason = "only the compiler evaluates this")]
    {
        panic!("this entity has no catalogue row")
    }
}

impl Entity {
    /// The catalogue's row for this entity.
    #[must_use]
    pub fn row(self) -> &'static CatalogRow {
        &ROWS[self.index()]
    }
}
