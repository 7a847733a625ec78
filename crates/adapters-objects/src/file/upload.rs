//! The upload of a file in chunks: one chunk is sent while the next is encoded.

use std::{path::PathBuf, sync::Arc};

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, Result, path::Path};
use parlance_domain::error::{StoreError, StoreErrorKind};
use tokio::task::JoinHandle;

use super::early_flush::EarlyFlush;
use crate::error::store_error;

/// The chunk size for a bucket. Buckets require at least 5 MiB, except for the last chunk.
const BUCKET_CHUNK_BYTES: usize = 8 * 1024 * 1024;

/// The chunk size for a directory, where any size is allowed. Small chunks allow early reuse of their memory.
const DIRECTORY_CHUNK_BYTES: usize = 1024 * 1024;

/// The maximum size of one buffer of a chunk. For larger buffers, the system may search for a large contiguous region
/// of free memory. This took up to ten times as long as the copy itself.
const MAX_BUFFER_BYTES: usize = 64 * 1024;

/// The upload of one object. Readers see the object only when it is complete.
pub(super) struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    chunk_bytes: usize,
    pending: Vec<Bytes>,
    pending_bytes: usize,
    multipart: Option<Box<dyn MultipartUpload>>,
    in_flight: Option<JoinHandle<Result<()>>>,
    flush: Option<EarlyFlush>,
}

impl Upload {
    /// Uploads to a path of the store. `local_path` is the same path in the file system; `None` for a bucket.
    pub(super) fn new(store: Arc<dyn ObjectStore>, path: Path, local_path: Option<PathBuf>) -> Self {
        let chunk_bytes = if local_path.is_some() { DIRECTORY_CHUNK_BYTES } else { BUCKET_CHUNK_BYTES };
        let (pending, flush) = (Vec::new(), local_path.map(EarlyFlush::new));
        Self { store, path, chunk_bytes, pending, pending_bytes: 0, multipart: None, in_flight: None, flush }
    }

    pub(super) async fn push(&mut self, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.pending_bytes += bytes.len();
        let mut rest = Bytes::from(bytes);
        while rest.len() > MAX_BUFFER_BYTES {
            self.pending.push(rest.split_to(MAX_BUFFER_BYTES));
        }
        if !rest.is_empty() {
            self.pending.push(rest);
        }
        if self.pending_bytes >= self.chunk_bytes { self.send_chunk().await } else { Ok(()) }
    }

    async fn send_chunk(&mut self) -> Result<(), StoreError> {
        self.await_in_flight().await?;
        let chunk = self.take_pending();
        let bytes = chunk.content_length();
        let multipart = match &mut self.multipart {
            Some(multipart) => multipart,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(store_error)?),
        };
        self.in_flight = Some(tokio::spawn(multipart.put_part(chunk)));
        if let Some(flush) = &mut self.flush {
            flush.record_written(bytes);
        }
        Ok(())
    }

    /// Waits for the chunk in flight.
    async fn await_in_flight(&mut self) -> Result<(), StoreError> {
        let Some(in_flight) = self.in_flight.take() else { return Ok(()) };
        let sent = in_flight.await.map_err(|error| StoreError::new(StoreErrorKind::Unavailable, error))?;
        sent.map_err(store_error)
    }

    fn take_pending(&mut self) -> PutPayload {
        self.pending_bytes = 0;
        std::mem::take(&mut self.pending).into_iter().collect()
    }

    pub(super) async fn finish(mut self) -> Result<(), StoreError> {
        if self.multipart.is_some() && self.pending_bytes > 0 {
            self.send_chunk().await?;
        }
        self.await_in_flight().await?;
        let last = self.take_pending();
        match self.multipart {
            Some(mut multipart) => multipart.complete().await.map(|_| ()).map_err(store_error),
            None => self.store.put(&self.path, last).await.map(|_| ()).map_err(store_error),
        }
    }
}
