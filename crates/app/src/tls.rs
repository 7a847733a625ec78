//! TLS of the server: a certificate and its key, read from files and reloaded on demand.

use std::{
    path::Path,
    sync::{Arc, RwLock},
};

use anyhow::{Context, anyhow};
use parlance_domain::sync;
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

use crate::settings::{TlsFiles, describe_read_error};

/// The certificate that new connections get. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Certificate {
    files: TlsFiles,
    current: Arc<RwLock<Arc<CertifiedKey>>>,
}

impl Certificate {
    /// Reads the certificate and the key from their files.
    ///
    /// # Errors
    /// One line that names the setting of the unusable file.
    pub(crate) fn read(files: &TlsFiles) -> anyhow::Result<Self> {
        Ok(Self { files: files.clone(), current: Arc::new(RwLock::new(Arc::new(load_certified_key(files)?))) })
    }

    /// Reads the files again. If they cannot be used, the current certificate stays in use.
    ///
    /// # Errors
    /// Those of [`Certificate::read`].
    pub(crate) fn reload(&self) -> anyhow::Result<()> {
        let fresh = Arc::new(load_certified_key(&self.files)?);
        *sync::write(&self.current) = fresh;
        Ok(())
    }

    /// Builds the configuration of a server for TLS 1.2 and 1.3 with this certificate.
    ///
    /// # Errors
    /// If the cryptography provider does not support a TLS version.
    pub(crate) fn server_config(&self) -> anyhow::Result<ServerConfig> {
        let builder = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
        Ok(builder.with_no_client_auth().with_cert_resolver(Arc::new(self.clone())))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&sync::read(&self.current)))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Sets ring as the cryptography provider of the process. Libraries use it, such as those of Redis over TLS and of
/// buckets. Only the first call has an effect.
pub fn install_provider() {
    // Fails only if a provider is set already, as in tests that run several services.
    let _ = ring::default_provider().install_default();
}

/// Describes why a PEM file cannot be read. The text contains nothing from the file.
fn describe_pem_error(error: &pem::Error) -> String {
    if let pem::Error::Io(error) = error {
        return describe_read_error(error.kind());
    }
    let has_no_items = matches!(error, pem::Error::NoItemsFound);
    let description =
        if has_no_items { "it contains no certificate or key in PEM" } else { "its PEM is incomplete: copy it again" };
    description.to_owned()
}

fn load_certified_key(files: &TlsFiles) -> anyhow::Result<CertifiedKey> {
    let error_for = |name: &'static str, path: &Path| {
        let path = path.display().to_string();
        move |cause: String| anyhow!("{name}: {path} cannot be used: {cause}")
    };
    let certificate_error = error_for("tls_certificate_file", &files.certificate);
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(&files.certificate).and_then(Iterator::collect);
    let chain = chain.map_err(|error| certificate_error(describe_pem_error(&error)))?;
    if chain.is_empty() {
        return Err(certificate_error("it contains no certificate in PEM".to_owned()));
    }
    let key_error = error_for("tls_key_file", &files.key);
    let private_key =
        PrivateKeyDer::from_pem_file(&files.key).map_err(|error| key_error(describe_pem_error(&error)))?;
    CertifiedKey::from_der(chain, private_key, &provider())
        .map_err(|error| key_error(error.to_string()))
        .context("the certificate and the key do not match")
}
