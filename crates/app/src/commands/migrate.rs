//! `parlance migrate`.

use parlance_adapters_sql::MigrationReport;

use super::print;
use crate::{settings::Settings, wiring::Stores};

pub(crate) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let (stores, report) = Stores::open_or_create(settings).await?;
    stores.database.close().await?;
    print(&format!("{}\n", summary(&report)))
}

fn summary(MigrationReport { is_new, migrations, functions }: &MigrationReport) -> String {
    if *is_new {
        return format!("The schema is created; migrations: {}", migrations.len());
    }
    let installed = format!("installed functions and triggers: {}", functions.join(", "));
    match (migrations.is_empty(), functions.is_empty()) {
        (true, true) => "The schema is up to date.".to_owned(),
        (true, false) => format!("The schema is upgraded; {installed}"),
        (false, true) => format!("The schema is upgraded; new migrations: {}", migrations.join(", ")),
        (false, false) => format!("The schema is upgraded; new migrations: {}; {installed}", migrations.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_of_the_schema_are_named() {
        let unchanged = MigrationReport::default();
        assert_eq!(summary(&unchanged), "The schema is up to date.");
        let upgraded = MigrationReport { migrations: vec!["m0004_a", "m0005_b"], ..MigrationReport::default() };
        assert_eq!(summary(&upgraded), "The schema is upgraded; new migrations: m0004_a, m0005_b");
        let replaced = MigrationReport { functions: vec!["late_changes_v1"], ..MigrationReport::default() };
        assert_eq!(summary(&replaced), "The schema is upgraded; installed functions and triggers: late_changes_v1");
        assert_eq!(summary(&MigrationReport { is_new: true, ..upgraded }), "The schema is created; migrations: 2");
    }
}
