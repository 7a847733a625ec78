//! Bytes on their way into the store, in pieces.

use std::sync::Arc;

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, path::Path};
use parlance_domain::error::StoreError;

use crate::error::failed;

/// How many bytes leave at once. Buckets take no less than 5 MiB, but for the last piece.
const PIECE: usize = 8 * 1024 * 1024;

/// How many bytes of a piece a file is given at once. More can make the system look for a large run of free memory to
/// hold them, which took up to ten times as long as the copying.
const WRITTEN_AT_ONCE: usize = 64 * 1024;

/// An object that is found only once it is whole.
pub(super) struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
    pieces: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    pub(super) fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { store, path, waiting: Vec::new(), waiting_bytes: 0, pieces: None }
    }

    pub(super) async fn push(&mut self, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.waiting_bytes += bytes.len();
        let mut rest = Bytes::from(bytes);
        while rest.len() > WRITTEN_AT_ONCE {
            self.waiting.push(rest.split_to(WRITTEN_AT_ONCE));
        }
        if !rest.is_empty() {
            self.waiting.push(rest);
        }
        if self.waiting_bytes >= PIECE { self.send().await } else { Ok(()) }
    }

    async fn send(&mut self) -> Result<(), StoreError> {
        let piece = self.take();
        let pieces = match &mut self.pieces {
            Some(pieces) => pieces,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(failed)?),
        };
        pieces.put_part(piece).await.map_err(failed)
    }

    fn take(&mut self) -> PutPayload {
        self.waiting_bytes = 0;
        std::mem::take(&mut self.waiting).into_iter().collect()
    }

    pub(super) async fn finish(mut self) -> Result<(), StoreError> {
        if self.pieces.is_some() && self.waiting_bytes > 0 {
            self.send().await?;
        }
        let last = self.take();
        match self.pieces {
            Some(mut pieces) => pieces.complete().await.map(|_| ()).map_err(failed),
            None => self.store.put(&self.path, last).await.map(|_| ()).map_err(failed),
        }
    }
}
