//! All settings with their values and sources, without secrets.

use super::{
    invalid_setting::InvalidSetting,
    masking,
    source::Source,
    sources::Sources,
    table::{SETTINGS, Setting, Unset},
};

/// A setting with its value.
#[derive(Debug)]
pub(crate) struct ListedSetting {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its value.
    pub(crate) value: ListedValue,
    /// Where the value comes from.
    pub(crate) source: Source,
    /// Whether the value may be or contain a secret.
    pub(crate) is_secret: bool,
    /// The rule that the value breaks, if it is invalid.
    pub(crate) broken_rule: Option<String>,
}

/// The value of a setting, without secrets.
#[derive(Debug)]
pub(crate) enum ListedValue {
    /// A value.
    Text(String),
    /// No value. The text describes the effect, in Markdown.
    Unset(&'static str),
}

impl Sources {
    /// Lists all settings in the order of the help. `invalid` holds the errors of the settings that were read.
    pub(crate) fn list(&self, invalid: &[InvalidSetting]) -> Vec<ListedSetting> {
        SETTINGS.iter().map(|setting| self.list_one(setting, invalid)).collect()
    }

    fn list_one(&self, setting: &'static Setting, invalid: &[InvalidSetting]) -> ListedSetting {
        let invalid = invalid.iter().find(|invalid| invalid.name == setting.name);
        let value = zeroize::Zeroizing::new(self.value(setting.name).0);
        let value = match setting.unset {
            Unset::Means(effect) if value.is_empty() => ListedValue::Unset(effect),
            Unset::Means(_) | Unset::Default(_) => ListedValue::Text(masking::mask(setting, &value, invalid.is_none())),
        };
        ListedSetting {
            name: setting.name,
            value,
            source: self.source(setting.name).clone(),
            is_secret: masking::is_secret(setting),
            broken_rule: invalid.map(|invalid| invalid.rule.clone()),
        }
    }

    /// Whether a source sets the setting with this name.
    pub(crate) fn sets(&self, name: &str) -> bool {
        *self.source(name) != Source::Default
    }
}
