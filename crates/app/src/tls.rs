//! TLS of the server itself: a certificate with its key, read from files, and read anew on demand.

use std::{
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use anyhow::{Context, anyhow};
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};

use crate::settings::{TlsFiles, unreadable};

/// The certificate that new connections are shown. Cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct Certificate {
    files: TlsFiles,
    shown: Arc<RwLock<Arc<CertifiedKey>>>,
}

impl Certificate {
    /// Reads the files.
    ///
    /// # Errors
    /// One line that names the setting whose file cannot be used.
    pub(crate) fn read(files: &TlsFiles) -> anyhow::Result<Self> {
        Ok(Self { files: files.clone(), shown: Arc::new(RwLock::new(Arc::new(certified_key(files)?))) })
    }

    /// Reads the files anew. Where they cannot be used, what was shown is shown on.
    ///
    /// # Errors
    /// As [`Certificate::read`].
    pub(crate) fn reload(&self) -> anyhow::Result<()> {
        let fresh = Arc::new(certified_key(&self.files)?);
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    /// A server's side of TLS 1.2 and 1.3 that shows this certificate.
    ///
    /// # Errors
    /// Where the cryptography lacks a version of TLS.
    pub(crate) fn server_config(&self) -> anyhow::Result<ServerConfig> {
        let builder = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
        Ok(builder.with_no_client_auth().with_cert_resolver(Arc::new(self.clone())))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.shown.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Makes ring the cryptography of every library that asks the process for one, as those of a Redis over TLS and of a
/// bucket do. Only the first call does anything.
pub fn install_provider() {
    // Fails only where there is one already, as in tests that run several services.
    let _ = ring::default_provider().install_default();
}

/// Why a file of PEM cannot be read. Nothing of the file is repeated.
fn unreadable_pem(error: &pem::Error) -> String {
    if let pem::Error::Io(error) = error {
        return unreadable(error.kind());
    }
    let nothing = matches!(error, pem::Error::NoItemsFound);
    let words = if nothing { "it holds no certificate or key in PEM" } else { "it is not whole PEM: copy it anew" };
    words.to_owned()
}

fn certified_key(files: &TlsFiles) -> anyhow::Result<CertifiedKey> {
    let unusable = |name: &'static str, path: &Path| {
        let path = path.display().to_string();
        move |cause: String| anyhow!("{name}: {path} cannot be used: {cause}")
    };
    let certificate = unusable("tls_certificate_file", &files.certificate);
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(&files.certificate).and_then(Iterator::collect);
    let chain = chain.map_err(|error| certificate(unreadable_pem(&error)))?;
    if chain.is_empty() {
        return Err(certificate("it holds no certificate in PEM".to_owned()));
    }
    let key = unusable("tls_key_file", &files.key);
    let private = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| key(unreadable_pem(&error)))?;
    CertifiedKey::from_der(chain, private, &provider())
        .map_err(|error| key(error.to_string()))
        .context("the certificate and its key do not go together")
}
