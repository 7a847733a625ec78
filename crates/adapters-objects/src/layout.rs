//! Where everything is:
//!
//! ```text
//! <tenant>/<FEED>/version=<v>/format=<f>/dt=YYYY-MM-DD/part-….jsonl.gz   a file that is shown
//!                                                     /_part-….jsonl.gz  a file that is not shown yet
//!                                                     /_manifest.json    what belongs to the day
//!                                                     /_SUCCESS          empty: the day is complete
//!                                                     /_progress.json    how far it has come
//! ```
//!
//! Names that begin with `_` or `.` are passed over by the tools that read such layouts. Each step of a path is a value
//! of the domain that cannot be more than one step.

use object_store::path::{Path, PathPart};
use parlance_domain::{
    access::TenantId,
    feed::{Day, FeedDay, FeedName, FeedTable, FeedVersion, FileName},
};

const DAY: &str = "dt=";
const HIDDEN: &str = "_";

/// Paths below the place where a store begins.
#[derive(Debug, Clone)]
pub(crate) struct Layout(pub(crate) Path);

impl Layout {
    pub(crate) fn tenant(&self, tenant: &TenantId) -> Path {
        self.0.clone().join(tenant.as_str())
    }

    pub(crate) fn feed(&self, tenant: &TenantId, feed: &FeedName) -> Path {
        self.tenant(tenant).join(feed.as_str())
    }

    pub(crate) fn version(&self, tenant: &TenantId, feed: &FeedName, version: &FeedVersion) -> Path {
        self.feed(tenant, feed).join(version.prefixed())
    }

    pub(crate) fn table(&self, tenant: &TenantId, table: &FeedTable) -> Path {
        self.version(tenant, &table.feed, &table.version).join(table.format.prefixed())
    }

    pub(crate) fn day(&self, tenant: &TenantId, day: &FeedDay) -> Path {
        self.table(tenant, &day.table).join(format!("{DAY}{}", day.day))
    }

    pub(crate) fn shown(&self, tenant: &TenantId, day: &FeedDay, file: &FileName) -> Path {
        self.day(tenant, day).join(file.as_str())
    }

    pub(crate) fn hidden(&self, tenant: &TenantId, day: &FeedDay, file: &FileName) -> Path {
        self.day(tenant, day).join(format!("{HIDDEN}{file}"))
    }

    pub(crate) fn manifest(&self, tenant: &TenantId, day: &FeedDay) -> Path {
        self.day(tenant, day).join("_manifest.json")
    }

    pub(crate) fn mark(&self, tenant: &TenantId, day: &FeedDay) -> Path {
        self.day(tenant, day).join("_SUCCESS")
    }

    pub(crate) fn progress(&self, tenant: &TenantId, day: &FeedDay) -> Path {
        self.day(tenant, day).join("_progress.json")
    }
}

/// The last step of a path.
pub(crate) fn last_step(path: &Path) -> String {
    path.parts().next_back().as_ref().map_or_else(String::new, |part: &PathPart<'_>| part.as_ref().to_owned())
}

/// The day of a folder, where it is one.
pub(crate) fn read_day(folder: &Path) -> Option<Day> {
    Day::parse(last_step(folder).strip_prefix(DAY)?).ok()
}

/// Whether this is a file of production that is not shown.
pub(crate) fn is_hidden_file(path: &Path) -> bool {
    last_step(path).starts_with("_part-")
}

#[cfg(test)]
mod tests {
    use parlance_domain::feed::FeedFormat;

    use super::*;

    fn day() -> FeedDay {
        let table = FeedTable {
            feed: FeedName::parse("messages").unwrap(),
            version: FeedVersion::parse("1").unwrap(),
            format: FeedFormat::parse("jsonl").unwrap(),
        };
        table.on(Day::parse("2026-01-31").unwrap())
    }

    #[test]
    fn a_day_has_the_folder_of_the_layout() {
        let (layout, tenant) = (Layout(Path::from("base")), TenantId::parse("acme").unwrap());
        let folder = "base/acme/messages/version=1/format=jsonl/dt=2026-01-31";
        assert_eq!(layout.day(&tenant, &day()).as_ref(), folder);
        assert_eq!(layout.mark(&tenant, &day()).as_ref(), format!("{folder}/_SUCCESS"));
        let file = FileName::parse("part-1.jsonl").unwrap();
        assert_eq!(layout.shown(&tenant, &day(), &file).as_ref(), format!("{folder}/part-1.jsonl"));
        assert!(is_hidden_file(&layout.hidden(&tenant, &day(), &file)));
    }

    #[test]
    fn a_folder_that_is_no_day_is_none() {
        assert_eq!(read_day(&Path::from("x/dt=2026-01-31")), Day::parse("2026-01-31").ok());
        for folder in ["x/2026-01-31", "x/dt=2026-02-30", "x/dt=2026-1-1", "x/dt=", "dt=2026-01-31/hr=00"] {
            assert_eq!(read_day(&Path::from(folder)), None, "{folder}");
        }
    }
}
