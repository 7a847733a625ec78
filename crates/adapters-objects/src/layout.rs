//! The paths of feeds in a store:
//!
//! ```text
//! <tenant>/<FEED>/version=<v>/format=<f>/dt=YYYY-MM-DD/part-….jsonl.gz   a published file
//!                                                     /_part-….jsonl.gz  an unpublished file
//!                                                     /_manifest.json    the manifest of the period
//!                                                     /_SUCCESS          empty; marks the period as complete
//!                                                     /_progress.json    the checkpoint of an export
//!                                                     /hr=HH/…           the same for an hour of the day
//!                                       /_manifests.lock                 locked while a manifest is replaced
//! ```
//!
//! Tools that read such layouts skip names that begin with `_` or `.`. Each segment of a path is a validated value of
//! the domain, which cannot contain a separator.

use object_store::path::{Path, PathPart};
use parlance_domain::{
    access::TenantId,
    feed::{Dataset, Day, FeedName, FeedPeriod, FeedVersion, FileName, Hour},
};

const DAY_PREFIX: &str = "dt=";
const HIDDEN_PREFIX: &str = "_";

/// The paths below the base path of a store.
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

    pub(crate) fn dataset(&self, tenant: &TenantId, dataset: &Dataset) -> Path {
        self.version(tenant, &dataset.feed, &dataset.version).join(dataset.format.prefixed())
    }

    pub(crate) fn period(&self, tenant: &TenantId, period: &FeedPeriod) -> Path {
        let day = self.dataset(tenant, &period.dataset).join(format!("{DAY_PREFIX}{}", period.interval.day));
        period.interval.hour.into_iter().fold(day, |day, hour| day.join(hour.prefixed()))
    }

    pub(crate) fn published_file(&self, tenant: &TenantId, period: &FeedPeriod, file: &FileName) -> Path {
        self.period(tenant, period).join(file.as_str())
    }

    pub(crate) fn hidden_file(&self, tenant: &TenantId, period: &FeedPeriod, file: &FileName) -> Path {
        self.period(tenant, period).join(format!("{HIDDEN_PREFIX}{file}"))
    }

    pub(crate) fn manifest(&self, tenant: &TenantId, period: &FeedPeriod) -> Path {
        self.period(tenant, period).join("_manifest.json")
    }

    /// The file that a process locks while it replaces a manifest of the dataset, if the store is a directory.
    pub(crate) fn manifest_lock(&self, tenant: &TenantId, dataset: &Dataset) -> Path {
        self.dataset(tenant, dataset).join("_manifests.lock")
    }

    pub(crate) fn success_marker(&self, tenant: &TenantId, period: &FeedPeriod) -> Path {
        self.period(tenant, period).join("_SUCCESS")
    }

    pub(crate) fn checkpoint(&self, tenant: &TenantId, period: &FeedPeriod) -> Path {
        self.period(tenant, period).join("_progress.json")
    }
}

/// The last segment of a path.
pub(crate) fn last_segment(path: &Path) -> String {
    path.parts().next_back().as_ref().map_or_else(String::new, |segment: &PathPart<'_>| segment.as_ref().to_owned())
}

/// The day of a directory; `None` if its name is not that of a day.
pub(crate) fn parse_day(directory: &Path) -> Option<Day> {
    Day::parse(last_segment(directory).strip_prefix(DAY_PREFIX)?).ok()
}

/// The hour of a directory; `None` if its name is not that of an hour.
pub(crate) fn parse_hour(directory: &Path) -> Option<Hour> {
    let name = last_segment(directory);
    Hour::parse(&name).ok().filter(|hour| hour.prefixed() == name)
}

/// Whether the path is that of an unpublished file.
pub(crate) fn is_hidden_file(path: &Path) -> bool {
    last_segment(path).starts_with("_part-")
}

#[cfg(test)]
pub(crate) mod tests {
    use parlance_domain::feed::FeedFormat;

    use super::*;

    pub(crate) fn period() -> FeedPeriod {
        let dataset = Dataset {
            feed: FeedName::parse("messages").unwrap(),
            version: FeedVersion::parse("1").unwrap(),
            format: FeedFormat::parse("jsonl").unwrap(),
        };
        dataset.period(Day::parse("2026-01-31").unwrap())
    }

    #[test]
    fn paths_of_a_period_follow_the_layout() {
        let (layout, tenant) = (Layout(Path::from("base")), TenantId::parse("acme").unwrap());
        let directory = "base/acme/messages/version=1/format=jsonl/dt=2026-01-31";
        assert_eq!(layout.period(&tenant, &period()).as_ref(), directory);
        assert_eq!(layout.success_marker(&tenant, &period()).as_ref(), format!("{directory}/_SUCCESS"));
        let file = FileName::parse("part-1.jsonl").unwrap();
        assert_eq!(layout.published_file(&tenant, &period(), &file).as_ref(), format!("{directory}/part-1.jsonl"));
        assert!(is_hidden_file(&layout.hidden_file(&tenant, &period(), &file)));
        let hour = period().hour(Hour::parse("07").unwrap());
        assert_eq!(layout.manifest(&tenant, &hour).as_ref(), format!("{directory}/hr=07/_manifest.json"));
    }

    #[test]
    fn a_directory_whose_name_is_not_an_hour_has_no_hour() {
        assert_eq!(parse_hour(&Path::from("dt=2026-01-31/hr=07")), Hour::parse("07").ok());
        for directory in ["x/07", "x/hr=7", "x/hr=24", "x/hour=07", "hr=07/x"] {
            assert_eq!(parse_hour(&Path::from(directory)), None, "{directory}");
        }
    }

    #[test]
    fn a_directory_whose_name_is_not_a_day_has_no_day() {
        assert_eq!(parse_day(&Path::from("x/dt=2026-01-31")), Day::parse("2026-01-31").ok());
        for directory in ["x/2026-01-31", "x/dt=2026-02-30", "x/dt=2026-1-1", "x/dt=", "dt=2026-01-31/hr=00"] {
            assert_eq!(parse_day(&Path::from(directory)), None, "{directory}");
        }
    }
}
