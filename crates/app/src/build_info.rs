//! The version of the program, and the commit that it was built from.

use parlance_domain::time::{MICROS_PER_SECOND, Timestamp};

/// The version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first 12 digits of the commit; empty if the build did not know it.
const COMMIT: &str = env!("BUILD_COMMIT");

/// The date that the build was given; empty if the date comes from [`COMMIT_SECONDS`].
const COMMIT_DATE: &str = env!("BUILD_COMMIT_DATE");

/// The time of the commit in seconds since 1970; empty if the build did not know it.
const COMMIT_SECONDS: &str = env!("BUILD_COMMIT_SECONDS");

/// The first 12 digits of the commit, or `unknown`.
pub(crate) fn commit() -> &'static str {
    if COMMIT.is_empty() { "unknown" } else { COMMIT }
}

/// The date of the commit in UTC, such as `2026-01-31`. Returns `None` if the build did not know it.
pub(crate) fn commit_date() -> Option<String> {
    date_of(COMMIT_DATE, COMMIT_SECONDS)
}

/// The version, the commit and its date, such as `0.1.0 (abcdef123456 2026-01-31)`.
pub(crate) fn long_version() -> String {
    describe(COMMIT, commit_date())
}

fn describe(commit: &str, date: Option<String>) -> String {
    let commit = if commit.is_empty() { "unknown commit" } else { commit };
    let date = date.map(|date| format!(" {date}")).unwrap_or_default();
    format!("{VERSION} ({commit}{date})")
}

fn date_of(date: &str, seconds: &str) -> Option<String> {
    if !date.is_empty() {
        return Some(date.to_owned());
    }
    let time = Timestamp::from_micros(seconds.parse::<i64>().ok()?.checked_mul(MICROS_PER_SECOND)?).ok()?;
    time.to_string().split('T').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_date_replaces_the_date_of_the_commit() {
        assert_eq!(date_of("", "1795564800").as_deref(), Some("2026-11-25"));
        assert_eq!(date_of("2026-01-31", "1795564800").as_deref(), Some("2026-01-31"));
        assert_eq!(date_of("", ""), None);
    }

    #[test]
    fn an_unknown_commit_is_called_so() {
        assert_eq!(describe("", None), format!("{VERSION} (unknown commit)"));
        assert_eq!(describe("abcdef123456", date_of("2026-01-31", "")), format!("{VERSION} (abcdef123456 2026-01-31)"));
    }
}
