//! The removal of deleted bytes in memory, where nothing keeps them.

use async_trait::async_trait;
use parlance_domain::{error::StoreError, privacy::DeletedByteStore};

use crate::memory::MemoryStore;

#[async_trait]
impl DeletedByteStore for MemoryStore {
    async fn remove_deleted_bytes(&self) -> Result<bool, StoreError> {
        Ok(true)
    }
}
