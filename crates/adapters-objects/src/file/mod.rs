//! One file of a feed on its way into the store: rows become bytes, bytes are compressed, counted and digested, and
//! leave as soon as there are enough of them. What is held of a file does not grow with it.

mod columnar;
mod compressor;
mod early_flush;
mod json_lines;
mod table;
mod upload;

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use object_store::{ObjectStore, path::Path};
use parlance_domain::{
    error::StoreError,
    feed::{Column, FileForm, FileName, FileWriter, Format, Rows, Sha256Hex, WrittenFile},
};
use sha2::{Digest, Sha256};

use self::{
    columnar::ParquetEncoder, compressor::Compressor, json_lines::JsonLinesEncoder, table::CsvEncoder, upload::Upload,
};

/// Makes bytes of rows.
trait Encoder: Send {
    /// Adds the bytes of rows that are ready.
    fn rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError>;

    /// Adds what stands after the last row.
    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError>;
}

fn encoder(format: Format, columns: &'static [Column]) -> Result<Box<dyn Encoder>, StoreError> {
    Ok(match format {
        Format::JsonLines => Box::new(JsonLinesEncoder::new(columns)),
        Format::Csv => Box::new(CsvEncoder::new(columns)),
        Format::Parquet => Box::new(ParquetEncoder::new(columns)?),
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
    bytes: u64,
    encoded: Vec<u8>,
}

impl ObjectFile {
    /// At this path of a store, which is this file where the store is a directory.
    pub(crate) fn begin(
        store: Arc<dyn ObjectStore>,
        (path, file): (Path, Option<PathBuf>),
        name: FileName,
        form: &FileForm,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            name,
            encoder: encoder(form.format, form.columns)?,
            compressor: Compressor::new(form.compression)?,
            upload: Upload::new(store, path, file),
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
    async fn write(&mut self, rows: &dyn Rows) -> Result<(), StoreError> {
        self.rows += rows.count() as u64;
        self.encoder.rows(rows, &mut self.encoded)?;
        let ready = self.compressor.take(&mut self.encoded)?;
        self.send(ready).await
    }

    async fn finish(mut self: Box<Self>) -> Result<WrittenFile, StoreError> {
        self.encoder.end(&mut self.encoded)?;
        let last = self.compressor.end(&mut self.encoded)?;
        self.send(last).await?;
        let Self { name, upload, digest, rows, bytes, .. } = *self;
        upload.finish().await?;
        Ok(WrittenFile { name, rows, bytes, sha256: Sha256Hex::of(digest.finalize().into()) })
    }
}
