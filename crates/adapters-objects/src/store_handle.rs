//! Opening the store at an address, with the settings of its client.

use std::{path, sync::Arc, time::Duration};

use object_store::{
    ClientOptions, ObjectStore, RetryConfig, aws::AmazonS3Builder, azure::MicrosoftAzureBuilder,
    gcp::GoogleCloudStorageBuilder, local::LocalFileSystem, path::Path, signer::Signer,
};
use url::Url;

/// The time limit of one request to a bucket.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// The time limit for retries of a request after transient errors.
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a store could not be opened. The message does not contain the address, because it may hold a secret.
#[derive(Debug, thiserror::Error)]
pub enum StoreOpenError {
    /// The address is not a URL, or its scheme is not supported.
    #[error("must be the address of a store and begin with file://, s3://, gs:// or az://")]
    UnsupportedScheme,
    /// The scheme is supported, but the rest of the address or the client's settings are invalid.
    #[error("cannot be opened: {0}")]
    InvalidConfiguration(Box<str>),
}

/// An open store: the client, the signer of presigned URLs, and the base path.
pub(crate) struct StoreHandle {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) base: Path,
    /// The directory in the file system; `None` if the store is a bucket.
    pub(crate) directory: Option<path::PathBuf>,
}

fn configuration_error(error: &dyn std::error::Error) -> StoreOpenError {
    StoreOpenError::InvalidConfiguration(error.to_string().into())
}

impl StoreHandle {
    /// Opens the store at an address. The credentials of a bucket come from the environment variables of its vendor.
    pub(crate) fn open(address: &str) -> Result<Self, StoreOpenError> {
        if let Some(directory) = address.strip_prefix("file://") {
            return Self::open_directory(directory);
        }
        let url = Url::parse(address).map_err(|_| StoreOpenError::UnsupportedScheme)?;
        let base = Path::from_url_path(url.path()).map_err(|error| configuration_error(&error))?;
        let options = ClientOptions::new().with_timeout(REQUEST_TIMEOUT);
        let retry = RetryConfig { retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        match url.scheme() {
            "s3" | "s3a" => {
                // `with_client_options` replaces the options from the environment, so plain HTTP is allowed here again.
                let allow_http = std::env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
                let builder = AmazonS3Builder::from_env().with_url(address).with_retry(retry);
                let builder = builder.with_client_options(options.with_allow_http(allow_http));
                Ok(Self::from_bucket_client(
                    Arc::new(builder.build().map_err(|error| configuration_error(&error))?),
                    base,
                ))
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retry);
                let store = builder.with_client_options(options).build();
                Ok(Self::from_bucket_client(Arc::new(store.map_err(|error| configuration_error(&error))?), base))
            }
            "az" | "abfs" | "abfss" => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry);
                let store = builder.with_client_options(options).build();
                Ok(Self::from_bucket_client(Arc::new(store.map_err(|error| configuration_error(&error))?), base))
            }
            _ => Err(StoreOpenError::UnsupportedScheme),
        }
    }

    fn open_directory(directory: &str) -> Result<Self, StoreOpenError> {
        if directory.is_empty() {
            return Err(StoreOpenError::InvalidConfiguration(
                "the address has no directory; use file://feeds or file:///var/lib/feeds".into(),
            ));
        }
        let directory = path::absolute(directory).map_err(|error| configuration_error(&error))?;
        let base = Path::from_absolute_path(&directory).map_err(|error| configuration_error(&error))?;
        // The store begins at the root of the file system, so that the directory may be missing before the first write.
        let store: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new().with_fsync(true));
        Ok(Self { store, signer: None, base, directory: Some(directory) })
    }

    fn from_bucket_client<S: ObjectStore + Signer>(store: Arc<S>, base: Path) -> Self {
        Self { store: Arc::clone(&store) as _, signer: Some(store), base, directory: None }
    }
}
