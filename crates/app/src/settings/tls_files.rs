//! The settings of the files of TLS.

use std::path::PathBuf;

use super::{invalid_setting::InvalidSetting, reader::Reader};

/// The files of TLS, both in PEM format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate and its chain.
    pub certificate: PathBuf,
    /// The private key of the certificate.
    pub key: PathBuf,
}

impl Reader<'_> {
    /// Reads the two files of TLS. Both or neither must be set.
    pub(super) fn tls(&mut self) -> Option<TlsFiles> {
        let [(certificate, certificate_source), (key, key_source)] =
            ["tls_certificate_file", "tls_key_file"].map(|name| self.sources.value(name));
        let missing = |name: &str, source_name| InvalidSetting {
            name: name.to_owned(),
            source_name,
            rule: "is missing: TLS needs a certificate and its key".to_owned(),
        };
        match (certificate.is_empty(), key.is_empty()) {
            (false, false) => return Some(TlsFiles { certificate: certificate.into(), key: key.into() }),
            (true, true) => {}
            (false, true) => self.invalid.push(missing("tls_key_file", key_source)),
            (true, false) => self.invalid.push(missing("tls_certificate_file", certificate_source)),
        }
        None
    }
}
