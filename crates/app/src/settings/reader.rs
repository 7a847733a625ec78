//! Reads one setting after the other, and keeps each that cannot be used.

use parlance_domain::access::Quota;
use zeroize::Zeroizing;

use super::{
    Sources, Timeouts, TlsFiles, WrongSetting,
    values::{read_milliseconds, read_patience, read_positive},
};

pub(super) struct Reader<'sources> {
    pub(super) sources: &'sources Sources,
    pub(super) wrong: &'sources mut Vec<WrongSetting>,
}

impl Reader<'_> {
    pub(super) fn read<T>(&mut self, name: &str, parse: fn(&str) -> Result<T, &'static str>) -> Option<T> {
        let (value, source_name) = self.sources.value(name);
        // It may be a secret, of which the parsed value has a copy.
        parse(&Zeroizing::new(value))
            .map_err(|rule| self.wrong.push(WrongSetting { name: name.to_owned(), source_name, rule: rule.to_owned() }))
            .ok()
    }

    pub(super) fn quota(&mut self) -> Option<Quota> {
        let per_second = self.read("rate_limit_per_second", read_positive);
        let burst = self.read("rate_limit_burst", read_positive);
        Some(Quota { per_second: per_second?, burst: burst? })
    }

    pub(super) fn timeouts(&mut self) -> Option<Timeouts> {
        let header = self.read("header_timeout_seconds", read_patience);
        let body = self.read("body_timeout_seconds", read_patience);
        let request = self.read("request_timeout_ms", read_milliseconds);
        let idle = self.read("idle_timeout_seconds", read_patience);
        Some(Timeouts { header: header?, body: body?, request: request?, idle: idle? })
    }

    /// Both files, or neither.
    pub(super) fn tls(&mut self) -> Option<TlsFiles> {
        let [(certificate, certificate_source), (key, key_source)] =
            ["tls_certificate_file", "tls_key_file"].map(|name| self.sources.value(name));
        let missing = |name: &str, source_name| WrongSetting {
            name: name.to_owned(),
            source_name,
            rule: "is missing: TLS needs a certificate and its key".to_owned(),
        };
        match (certificate.is_empty(), key.is_empty()) {
            (false, false) => return Some(TlsFiles { certificate: certificate.into(), key: key.into() }),
            (true, true) => {}
            (false, true) => self.wrong.push(missing("tls_key_file", key_source)),
            (true, false) => self.wrong.push(missing("tls_certificate_file", certificate_source)),
        }
        None
    }
}
