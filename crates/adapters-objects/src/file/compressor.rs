//! The compressor of the text formats.

use std::io::Write;

use flate2::write::GzEncoder;
use parlance_domain::{error::StoreError, feed::Compression};

use crate::error::encoding_error;

/// The compression level, a fast one. Both libraries support it.
const LEVEL: u32 = 3;

pub(super) enum Compressor {
    None,
    Gzip(GzEncoder<Vec<u8>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Finished,
}

impl Compressor {
    pub(super) fn new(compression: Compression) -> Result<Self, StoreError> {
        Ok(match compression {
            Compression::None => Self::None,
            Compression::Gzip => Self::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::new(LEVEL))),
            Compression::Zstd => {
                let level = i32::try_from(LEVEL).unwrap_or_default();
                Self::Zstd(zstd::stream::write::Encoder::new(Vec::new(), level).map_err(encoding_error)?)
            }
        })
    }

    /// Compresses and clears `plain`. Returns the compressed bytes that are ready.
    pub(super) fn compress(&mut self, plain: &mut Vec<u8>) -> Result<Vec<u8>, StoreError> {
        let ready = match self {
            Self::None => return Ok(std::mem::replace(plain, Vec::with_capacity(plain.len()))),
            Self::Gzip(encoder) => {
                encoder.write_all(plain).map_err(encoding_error)?;
                std::mem::take(encoder.get_mut())
            }
            Self::Zstd(encoder) => {
                encoder.write_all(plain).map_err(encoding_error)?;
                std::mem::take(encoder.get_mut())
            }
            Self::Finished => Vec::new(),
        };
        plain.clear();
        Ok(ready)
    }

    /// Compresses and clears `plain`, and finishes the stream. Returns all remaining bytes.
    pub(super) fn finish(&mut self, plain: &mut Vec<u8>) -> Result<Vec<u8>, StoreError> {
        let mut ready = self.compress(plain)?;
        let rest = match std::mem::replace(self, Self::Finished) {
            Self::None | Self::Finished => Vec::new(),
            Self::Gzip(encoder) => encoder.finish().map_err(encoding_error)?,
            Self::Zstd(encoder) => encoder.finish().map_err(encoding_error)?,
        };
        ready.extend_from_slice(&rest);
        Ok(ready)
    }
}
