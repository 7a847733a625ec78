//! Opening the store at an address, with the settings of its client.

use std::{path, sync::Arc, time::Duration};

use object_store::{
    ClientConfigKey, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    azure::{AzureConfigKey, MicrosoftAzureBuilder},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    local::LocalFileSystem,
    path::Path,
    signer::Signer,
};
use url::Url;

/// The time limit of one request to a bucket.
const REQUEST_TIMEOUT: &str = "20 seconds";

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

// `with_client_options` would replace the client's settings from the environment, so the time limit is set by its key.

fn with_s3_timeout(builder: AmazonS3Builder) -> AmazonS3Builder {
    builder.with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), REQUEST_TIMEOUT)
}

fn with_google_timeout(builder: GoogleCloudStorageBuilder) -> GoogleCloudStorageBuilder {
    builder.with_config(GoogleConfigKey::Client(ClientConfigKey::Timeout), REQUEST_TIMEOUT)
}

fn with_azure_timeout(builder: MicrosoftAzureBuilder) -> MicrosoftAzureBuilder {
    builder.with_config(AzureConfigKey::Client(ClientConfigKey::Timeout), REQUEST_TIMEOUT)
}

impl StoreHandle {
    /// Opens the store at an address. The credentials of a bucket and the settings of its client, except the time limit
    /// of a request, come from the environment variables of its vendor.
    pub(crate) fn open(address: &str) -> Result<Self, StoreOpenError> {
        if let Some(directory) = address.strip_prefix("file://") {
            return Self::open_directory(directory);
        }
        let url = Url::parse(address).map_err(|_| StoreOpenError::UnsupportedScheme)?;
        let base = Path::from_url_path(url.path()).map_err(|error| configuration_error(&error))?;
        let retry = RetryConfig { retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        match url.scheme() {
            "s3" | "s3a" => {
                let builder = with_s3_timeout(AmazonS3Builder::from_env()).with_url(address).with_retry(retry);
                Ok(Self::from_bucket_client(
                    Arc::new(builder.build().map_err(|error| configuration_error(&error))?),
                    base,
                ))
            }
            "gs" => {
                let builder = with_google_timeout(GoogleCloudStorageBuilder::from_env());
                let store = builder.with_url(address).with_retry(retry).build();
                Ok(Self::from_bucket_client(Arc::new(store.map_err(|error| configuration_error(&error))?), base))
            }
            "az" | "abfs" | "abfss" => {
                let builder = with_azure_timeout(MicrosoftAzureBuilder::from_env());
                let store = builder.with_url(address).with_retry(retry).build();
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

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: &str = "http://proxy:3128";

    /// The settings of a client by the name of their variable, without the prefix of the vendor.
    const SETTINGS: [(&str, &str); 3] = [("allow_http", "yes"), ("proxy_url", PROXY), ("timeout", "1 second")];

    /// What the client of a bucket must have of [`SETTINGS`], as text that the library parses when the store is opened.
    fn expected() -> [Option<String>; 3] {
        ["yes", PROXY, REQUEST_TIMEOUT].map(|value| Some(value.to_owned()))
    }

    #[test]
    fn the_client_of_s3_keeps_the_settings_of_the_environment_except_the_timeout() {
        let keys = SETTINGS.map(|(name, value)| (format!("aws_{name}").parse().unwrap(), value));
        let set = keys.iter().fold(AmazonS3Builder::new(), |set, (key, value)| set.with_config(*key, *value));
        let set = with_s3_timeout(set);
        assert_eq!(keys.map(|(key, _)| set.get_config_value(&key)), expected());
    }

    #[test]
    fn the_client_of_google_keeps_the_settings_of_the_environment_except_the_timeout() {
        let keys = SETTINGS.map(|(name, value)| (format!("google_{name}").parse().unwrap(), value));
        let set = keys.iter().fold(GoogleCloudStorageBuilder::new(), |set, (key, value)| set.with_config(*key, *value));
        let set = with_google_timeout(set);
        assert_eq!(keys.map(|(key, _)| set.get_config_value(&key)), expected());
    }

    #[test]
    fn the_client_of_azure_keeps_the_settings_of_the_environment_except_the_timeout() {
        let keys = SETTINGS.map(|(name, value)| (format!("azure_{name}").parse().unwrap(), value));
        let set = keys.iter().fold(MicrosoftAzureBuilder::new(), |set, (key, value)| set.with_config(*key, *value));
        let set = with_azure_timeout(set);
        assert_eq!(keys.map(|(key, _)| set.get_config_value(&key)), expected());
    }
}
