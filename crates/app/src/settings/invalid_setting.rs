//! The error of an invalid setting.

/// An invalid setting: its name, its source, and the rule that it breaks. The error does not contain the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} (from {source_name}): {rule}")]
pub struct InvalidSetting {
    pub(crate) name: String,
    pub(crate) source_name: String,
    pub(crate) rule: String,
}
