//! Reads settings one by one and collects the invalid ones.

use std::fmt::Display;

use parlance_domain::access::Quota;
use zeroize::Zeroizing;

use super::{choices, invalid_setting::InvalidSetting, sources::Sources, values::read_positive};

pub(super) struct Reader<'sources> {
    pub(super) sources: &'sources Sources,
    pub(super) invalid: &'sources mut Vec<InvalidSetting>,
}

impl Reader<'_> {
    pub(super) fn read<T, E: Display>(&mut self, name: &str, parse: fn(&str) -> Result<T, E>) -> Option<T> {
        let (value, source_name) = self.sources.value(name);
        // The value may be a secret. The parsed value has its own copy.
        let value = Zeroizing::new(value);
        parse(&value)
            .map_err(|rule| {
                let rule = format!("{rule}{}", choices::suggestion(name, &value));
                self.invalid.push(InvalidSetting { name: name.to_owned(), source_name, rule });
            })
            .ok()
    }

    pub(super) fn quota(&mut self) -> Option<Quota> {
        let per_second = self.read("rate_limit_per_second", read_positive);
        let burst = self.read("rate_limit_burst", read_positive);
        Some(Quota { per_second: per_second?, burst: burst? })
    }
}
