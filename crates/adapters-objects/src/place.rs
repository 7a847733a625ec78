//! Opening a store: which one an address names, and with what settings.

use std::{path, sync::Arc, time::Duration};

use object_store::{
    ClientOptions, ObjectStore, RetryConfig, aws::AmazonS3Builder, azure::MicrosoftAzureBuilder,
    gcp::GoogleCloudStorageBuilder, local::LocalFileSystem, path::Path, signer::Signer,
};
use url::Url;

/// How long a bucket may take to answer one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a request is tried again that failed in a way that passes.
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a store could not be opened. The address is not repeated, for it may hold a secret.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address names no store that is supported.
    #[error("is not the address of a store: it must begin with file://, s3://, gs:// or az://")]
    UnknownKind,
    /// The address is of a known kind, but what it names cannot be a store.
    #[error("cannot be opened: {0}")]
    Refused(Box<str>),
}

/// An open store: where it keeps objects, what signs addresses in it, and where in it the feeds begin.
pub(crate) struct Place {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) base: Path,
    /// The directory, where it is one.
    pub(crate) directory: Option<path::PathBuf>,
}

fn refused(error: &dyn std::error::Error) -> OpenError {
    OpenError::Refused(error.to_string().into())
}

impl Place {
    /// What an address names. Credentials of a bucket come from the variables that its vendor's own tools read.
    pub(crate) fn open(address: &str) -> Result<Self, OpenError> {
        if let Some(directory) = address.strip_prefix("file://") {
            return Self::directory(directory);
        }
        let url = Url::parse(address).map_err(|_| OpenError::UnknownKind)?;
        let base = Path::from_url_path(url.path()).map_err(|error| refused(&error))?;
        let options = ClientOptions::new().with_timeout(REQUEST_TIMEOUT);
        let retry = RetryConfig { retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        match url.scheme() {
            "s3" | "s3a" => {
                // What the environment says of plain HTTP, as a server beside this one may need, stays.
                let plain = std::env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
                let builder = AmazonS3Builder::from_env().with_url(address).with_retry(retry);
                let builder = builder.with_client_options(options.with_allow_http(plain));
                Ok(Self::bucket(Arc::new(builder.build().map_err(|error| refused(&error))?), base))
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retry);
                let store = builder.with_client_options(options).build();
                Ok(Self::bucket(Arc::new(store.map_err(|error| refused(&error))?), base))
            }
            "az" | "abfs" | "abfss" => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry);
                let store = builder.with_client_options(options).build();
                Ok(Self::bucket(Arc::new(store.map_err(|error| refused(&error))?), base))
            }
            _ => Err(OpenError::UnknownKind),
        }
    }

    fn directory(directory: &str) -> Result<Self, OpenError> {
        if directory.is_empty() {
            return Err(OpenError::Refused("names no directory, as file://feeds or file:///var/lib/feeds do".into()));
        }
        let directory = path::absolute(directory).map_err(|error| refused(&error))?;
        let base = Path::from_absolute_path(&directory).map_err(|error| refused(&error))?;
        // From the root of the file system, so that the directory need not be there before something is written to it.
        let store: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new().with_fsync(true));
        Ok(Self { store, signer: None, base, directory: Some(directory) })
    }

    fn bucket<S: ObjectStore + Signer>(store: Arc<S>, base: Path) -> Self {
        Self { store: Arc::clone(&store) as _, signer: Some(store), base, directory: None }
    }
}
