//! The authorities whose certificates are accepted: those that the system trusts, and those of a file.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use rustls::{
    ClientConfig,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::Verifier;

/// Authorities besides those of the system, which are read when they are needed for the first time.
#[derive(Clone, Default)]
pub struct Authorities {
    added: Vec<CertificateDer<'static>>,
    config: Arc<OnceLock<Option<Arc<ClientConfig>>>>,
}

/// The file of authorities cannot be used. The text contains nothing from the file.
#[derive(Debug, thiserror::Error)]
#[error("cannot be used: it must contain certificates in PEM")]
pub struct InvalidAuthorities;

impl std::fmt::Debug for Authorities {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authorities").field("added", &self.added.len()).finish_non_exhaustive()
    }
}

impl Authorities {
    /// Reads the certificates of a file in PEM.
    ///
    /// # Errors
    /// [`InvalidAuthorities`] if the file cannot be read, contains no certificate, or one that cannot be used.
    pub fn read(file: &Path) -> Result<Self, InvalidAuthorities> {
        let certificates = CertificateDer::pem_file_iter(file).map_err(|_| InvalidAuthorities)?;
        let added: Vec<_> = certificates.collect::<Result<_, _>>().map_err(|_| InvalidAuthorities)?;
        let mut store = rustls::RootCertStore::empty();
        let is_usable = added.iter().all(|certificate| store.add(certificate.clone()).is_ok());
        if added.is_empty() || !is_usable {
            return Err(InvalidAuthorities);
        }
        Ok(Self { added, config: Arc::default() })
    }

    /// The configuration of TLS. `None` if the system has no authorities and no file names one.
    pub(crate) fn client_config(&self) -> Option<Arc<ClientConfig>> {
        self.config.get_or_init(|| build(self.added.clone())).clone()
    }
}

fn build(added: Vec<CertificateDer<'static>>) -> Option<Arc<ClientConfig>> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(added, Arc::clone(&provider)).ok()?;
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().ok()?;
    // The verifier is that of the system, and checks certificates like the default one.
    let config = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth();
    Some(Arc::new(config))
}
