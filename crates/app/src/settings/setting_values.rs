//! The values of settings with their sources.

use std::collections::BTreeMap;

/// Values by the names of their settings. Each value has the name of its source.
pub(super) type SettingValues = BTreeMap<String, (String, String)>;
