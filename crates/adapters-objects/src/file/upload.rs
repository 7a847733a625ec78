//! Bytes on their way into the store, in pieces.

use std::sync::Arc;

use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, path::Path};
use parlance_domain::error::StoreError;

use crate::error::failed;

/// How many bytes leave at once. Buckets take no less than 5 MiB, but for the last piece.
const PIECE: usize = 8 * 1024 * 1024;

/// An object that is found only once it is whole.
pub(super) struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    waiting: Vec<u8>,
    pieces: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    pub(super) fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { store, path, waiting: Vec::new(), pieces: None }
    }

    pub(super) async fn push(&mut self, bytes: Vec<u8>) -> Result<(), StoreError> {
        if self.waiting.is_empty() {
            self.waiting = bytes;
        } else {
            self.waiting.extend_from_slice(&bytes);
        }
        if self.waiting.len() >= PIECE { self.send().await } else { Ok(()) }
    }

    async fn send(&mut self) -> Result<(), StoreError> {
        let piece = PutPayload::from(std::mem::take(&mut self.waiting));
        let pieces = match &mut self.pieces {
            Some(pieces) => pieces,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(failed)?),
        };
        pieces.put_part(piece).await.map_err(failed)
    }

    pub(super) async fn finish(mut self) -> Result<(), StoreError> {
        if self.pieces.is_some() && !self.waiting.is_empty() {
            self.send().await?;
        }
        match self.pieces {
            Some(mut pieces) => pieces.complete().await.map(|_| ()).map_err(failed),
            None => self.store.put(&self.path, self.waiting.into()).await.map(|_| ()).map_err(failed),
        }
    }
}
