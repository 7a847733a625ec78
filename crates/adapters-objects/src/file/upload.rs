//! Bytes on their way into the store, in pieces: one leaves while the next is made.

use std::{path::PathBuf, sync::Arc};

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, Result, path::Path};
use parlance_domain::error::{StoreError, StoreErrorKind};
use tokio::task::JoinHandle;

use super::early_flush::EarlyFlush;
use crate::error::failed;

/// How many bytes leave at once for a bucket. Buckets take no less than 5 MiB, but for the last piece.
const PIECE: usize = 8 * 1024 * 1024;

/// How many bytes leave at once for a directory, which takes any number: few, so that their memory is used again soon.
const PIECE_OF_A_DIRECTORY: usize = 1024 * 1024;

/// How many bytes of a piece a file is given at once. More can make the system look for a large run of free memory to
/// hold them, which took up to ten times as long as the copying.
const WRITTEN_AT_ONCE: usize = 64 * 1024;

/// An object that is found only once it is whole.
pub(super) struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    /// How many bytes leave at once.
    piece: usize,
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
    pieces: Option<Box<dyn MultipartUpload>>,
    leaving: Option<JoinHandle<Result<()>>>,
    flush: Option<EarlyFlush>,
}

impl Upload {
    /// To this path of a store, which is this file where the store is a directory.
    pub(super) fn new(store: Arc<dyn ObjectStore>, path: Path, file: Option<PathBuf>) -> Self {
        let piece = if file.is_some() { PIECE_OF_A_DIRECTORY } else { PIECE };
        let (waiting, flush) = (Vec::new(), file.map(EarlyFlush::of));
        Self { store, path, piece, waiting, waiting_bytes: 0, pieces: None, leaving: None, flush }
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
        if self.waiting_bytes >= self.piece { self.send().await } else { Ok(()) }
    }

    async fn send(&mut self) -> Result<(), StoreError> {
        self.arrive().await?;
        let piece = self.take();
        let bytes = piece.content_length();
        let pieces = match &mut self.pieces {
            Some(pieces) => pieces,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(failed)?),
        };
        self.leaving = Some(tokio::spawn(pieces.put_part(piece)));
        if let Some(flush) = &mut self.flush {
            flush.after(bytes);
        }
        Ok(())
    }

    /// Waits for the piece that is leaving.
    async fn arrive(&mut self) -> Result<(), StoreError> {
        let Some(leaving) = self.leaving.take() else { return Ok(()) };
        let left = leaving.await.map_err(|lost| StoreError::new(StoreErrorKind::Unavailable, lost))?;
        left.map_err(failed)
    }

    fn take(&mut self) -> PutPayload {
        self.waiting_bytes = 0;
        std::mem::take(&mut self.waiting).into_iter().collect()
    }

    pub(super) async fn finish(mut self) -> Result<(), StoreError> {
        if self.pieces.is_some() && self.waiting_bytes > 0 {
            self.send().await?;
        }
        self.arrive().await?;
        let last = self.take();
        match self.pieces {
            Some(mut pieces) => pieces.complete().await.map(|_| ()).map_err(failed),
            None => self.store.put(&self.path, last).await.map(|_| ()).map_err(failed),
        }
    }
}
