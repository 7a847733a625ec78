//! Bounds the bytes of a file that are in memory as lines.

use std::sync::Arc;

use parlance_domain::limits::IMPORT_BUFFER_BYTES;
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
};

/// The room for lines. Clones share it.
#[derive(Clone)]
pub(super) struct LineBudget {
    room: Arc<Semaphore>,
    runtime: Handle,
}

impl LineBudget {
    /// Room for [`IMPORT_BUFFER_BYTES`]. Threads wait for room by this runtime.
    pub(super) fn new(runtime: Handle) -> Self {
        Self { room: Arc::new(Semaphore::new(IMPORT_BUFFER_BYTES)), runtime }
    }

    /// Blocks the thread until there is room for lines. `None` if the import has ended.
    pub(super) fn take(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let bytes = u32::try_from(bytes.min(IMPORT_BUFFER_BYTES as u64)).unwrap_or(u32::MAX);
        self.runtime.block_on(Arc::clone(&self.room).acquire_many_owned(bytes)).ok()
    }
}
