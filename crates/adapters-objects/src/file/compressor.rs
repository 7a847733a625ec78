//! Compression of the text formats.

use std::io::Write;

use flate2::write::GzEncoder;
use parlance_domain::{error::StoreError, feed::Compression};

use crate::error::not_encoded;

/// A level that is quick for what it saves, as both libraries have it.
const LEVEL: u32 = 3;

pub(super) enum Compressor {
    None,
    Gzip(GzEncoder<Vec<u8>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Ended,
}

impl Compressor {
    pub(super) fn new(compression: Compression) -> Result<Self, StoreError> {
        Ok(match compression {
            Compression::None => Self::None,
            Compression::Gzip => Self::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::new(LEVEL))),
            Compression::Zstd => {
                let level = i32::try_from(LEVEL).unwrap_or_default();
                Self::Zstd(zstd::stream::write::Encoder::new(Vec::new(), level).map_err(not_encoded)?)
            }
        })
    }

    /// Takes all of `plain`, and gives what of its compressed form is ready.
    pub(super) fn take(&mut self, plain: &mut Vec<u8>) -> Result<Vec<u8>, StoreError> {
        let ready = match self {
            Self::None => return Ok(std::mem::replace(plain, Vec::with_capacity(plain.len()))),
            Self::Gzip(encoder) => {
                encoder.write_all(plain).map_err(not_encoded)?;
                std::mem::take(encoder.get_mut())
            }
            Self::Zstd(encoder) => {
                encoder.write_all(plain).map_err(not_encoded)?;
                std::mem::take(encoder.get_mut())
            }
            Self::Ended => Vec::new(),
        };
        plain.clear();
        Ok(ready)
    }

    /// Takes all of `plain`, and gives the rest of its compressed form.
    pub(super) fn end(&mut self, plain: &mut Vec<u8>) -> Result<Vec<u8>, StoreError> {
        let mut ready = self.take(plain)?;
        let rest = match std::mem::replace(self, Self::Ended) {
            Self::None | Self::Ended => Vec::new(),
            Self::Gzip(encoder) => encoder.finish().map_err(not_encoded)?,
            Self::Zstd(encoder) => encoder.finish().map_err(not_encoded)?,
        };
        ready.extend_from_slice(&rest);
        Ok(ready)
    }
}
