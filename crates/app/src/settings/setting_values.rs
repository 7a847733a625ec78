//! The values of settings with their sources.

use std::collections::BTreeMap;

use super::source::Source;

/// Values by the names of their settings. Each value has its source.
pub(super) type SettingValues = BTreeMap<String, (String, Source)>;
