//! All files of a tenant in the store of feeds, whichever program wrote them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use futures_util::TryStreamExt;
use parlance_domain::{access::TenantId, error::StoreError};
use tokio::task::spawn_blocking;

use crate::{
    ObjectFeeds,
    error::{file_error, store_error},
};

/// The number of files of the tenant.
pub(crate) async fn count(feeds: &ObjectFeeds, tenant: &TenantId) -> Result<u64, StoreError> {
    match feeds.local_path(&feeds.layout.tenant(tenant)) {
        Some(directory) => in_directory(directory, count_below).await,
        None => Ok(listed(feeds, tenant).await?.len() as u64),
    }
}

/// Removes the files of the tenant, and their directories. Returns the number of files.
pub(crate) async fn remove(feeds: &ObjectFeeds, tenant: &TenantId) -> Result<u64, StoreError> {
    if let Some(directory) = feeds.local_path(&feeds.layout.tenant(tenant)) {
        return in_directory(directory, remove_below).await;
    }
    let objects = listed(feeds, tenant).await?;
    let count = objects.len() as u64;
    feeds.delete(objects).await?;
    Ok(count)
}

async fn listed(feeds: &ObjectFeeds, tenant: &TenantId) -> Result<Vec<object_store::path::Path>, StoreError> {
    let objects = feeds.objects.list(Some(&feeds.layout.tenant(tenant)));
    objects.map_ok(|object| object.location).try_collect().await.map_err(store_error)
}

/// Works on a directory, which may not exist, on a thread that may block.
async fn in_directory(directory: PathBuf, work: fn(&Path) -> io::Result<u64>) -> Result<u64, StoreError> {
    let done = spawn_blocking(move || if directory.exists() { work(&directory) } else { Ok(0) }).await;
    done.map_err(io::Error::other).and_then(|count| count).map_err(file_error)
}

fn count_below(directory: &Path) -> io::Result<u64> {
    let mut count = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        count += if entry.file_type()?.is_dir() { count_below(&entry.path())? } else { 1 };
    }
    Ok(count)
}

fn remove_below(directory: &Path) -> io::Result<u64> {
    let count = count_below(directory)?;
    fs::remove_dir_all(directory)?;
    Ok(count)
}
