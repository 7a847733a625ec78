//! The writer of one file of a feed. It encodes and compresses rows, counts and digests the bytes, and uploads them in
//! chunks. Its memory does not grow with the file.

mod compressor;
mod csv_encoder;
mod early_flush;
mod encoder;
mod json_lines_encoder;
mod parquet_encoder;
mod upload;

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use object_store::{ObjectStore, path::Path};
use parlance_domain::{
    error::StoreError,
    feed::{Column, FileEncoding, FileFormat, FileName, FileWriter, Rows, Sha256Hex, WrittenFile},
};
use sha2::{Digest, Sha256};

use self::{
    compressor::Compressor, csv_encoder::CsvEncoder, encoder::Encoder, json_lines_encoder::JsonLinesEncoder,
    parquet_encoder::ParquetEncoder, upload::Upload,
};

fn encoder(format: FileFormat, columns: &'static [Column]) -> Result<Box<dyn Encoder>, StoreError> {
    Ok(match format {
        FileFormat::JsonLines => Box::new(JsonLinesEncoder::new(columns)),
        FileFormat::Csv => Box::new(CsvEncoder::new(columns)),
        FileFormat::Parquet => Box::new(ParquetEncoder::new(columns)?),
    })
}

/// A file that is being written.
pub(crate) struct ObjectFile {
    name: FileName,
    encoder: Box<dyn Encoder>,
    compressor: Compressor,
    upload: Upload,
    digest: Sha256,
    rows: u64,
    /// Compressed bytes so far.
    bytes: u64,
    /// Encoded bytes that are not compressed yet.
    encoded: Vec<u8>,
}

impl ObjectFile {
    /// Starts a file at a path of the store. `local_path` is the same path in the file system; `None` for a bucket.
    pub(crate) fn create(
        store: Arc<dyn ObjectStore>,
        (path, local_path): (Path, Option<PathBuf>),
        name: FileName,
        encoding: &FileEncoding,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            name,
            encoder: encoder(encoding.format, encoding.columns)?,
            compressor: Compressor::new(encoding.compression)?,
            upload: Upload::new(store, path, local_path),
            digest: Sha256::new(),
            rows: 0,
            bytes: 0,
            encoded: Vec::new(),
        })
    }

    async fn send(&mut self, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.digest.update(&bytes);
        self.bytes += bytes.len() as u64;
        self.upload.push(bytes).await
    }
}

#[async_trait]
impl FileWriter for ObjectFile {
    #[tracing::instrument(level = "debug", name = "objects.file.write", skip_all)]
    async fn write(&mut self, rows: &dyn Rows) -> Result<(), StoreError> {
        self.rows += rows.count() as u64;
        self.encoder.encode_rows(rows, &mut self.encoded)?;
        let ready = self.compressor.compress(&mut self.encoded)?;
        self.send(ready).await
    }

    #[tracing::instrument(level = "debug", name = "objects.file.finish", skip_all)]
    async fn finish(mut self: Box<Self>) -> Result<WrittenFile, StoreError> {
        self.encoder.finish(&mut self.encoded)?;
        let last = self.compressor.finish(&mut self.encoded)?;
        self.send(last).await?;
        let Self { name, upload, digest, rows, bytes, .. } = *self;
        upload.finish().await?;
        Ok(WrittenFile { path: name.into(), rows, bytes, sha256: Sha256Hex::from_digest(digest.finalize().into()) })
    }
}
