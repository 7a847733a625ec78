//! The error of an invalid setting.

/// An invalid setting: its name, its source, and the rule that it breaks. The error does not contain the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} (from {source_name}): {rule}")]
pub struct InvalidSetting {
    pub(crate) name: String,
    pub(crate) source_name: String,
    pub(crate) rule: String,
}

impl InvalidSetting {
    /// Leaves out errors that follow from an earlier one: a setting whose value or file is unusable counts as not set, so
    /// it may be reported as missing too.
    pub(super) fn without_consequences(all: Vec<Self>) -> Vec<Self> {
        let mut kept = Vec::<Self>::new();
        for invalid in all {
            let file = format!("{}_file", invalid.name);
            if !kept.iter().any(|earlier| earlier.name == invalid.name || earlier.name == file) {
                kept.push(invalid);
            }
        }
        kept
    }
}
