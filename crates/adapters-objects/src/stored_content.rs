//! The content of stored files without their compression, for searches through all bytes.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

use flate2::read::MultiGzDecoder;
use parquet::{
    errors::ParquetError,
    file::reader::{FileReader, RowGroupReader, SerializedFileReader},
};

/// The bytes from which [`StoredEncoding::detect`] tells an encoding.
pub const SIGNATURE_BYTES: usize = 4;

/// An encoding that hides the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredEncoding {
    /// Gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
    /// Parquet, whose pages are compressed.
    Parquet,
}

impl StoredEncoding {
    /// The encoding of a file that begins with these bytes; `None` if its bytes are its content. The name of a file does
    /// not matter.
    #[must_use]
    pub fn detect(beginning: &[u8]) -> Option<Self> {
        match beginning {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // The second is a skippable frame, with which a file may begin (RFC 8878, section 3.1.2).
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            _ => None,
        }
    }

    /// Writes the content of a file to `out`, in bounded memory. The content of a Parquet file is the bytes of its pages
    /// in the order of the file; a page is in memory as a whole.
    ///
    /// # Errors
    /// The file cannot be read or decoded to its end, or the error of `out`.
    pub fn decode(self, mut file: File, out: &mut dyn Write) -> io::Result<()> {
        file.seek(SeekFrom::Start(0))?;
        match self {
            Self::Gzip => copy(MultiGzDecoder::new(file), out),
            Self::Zstd => copy(zstd::stream::read::Decoder::new(file)?, out),
            Self::Parquet => copy_pages(file, out),
        }
    }
}

fn copy(mut content: impl Read, out: &mut dyn Write) -> io::Result<()> {
    io::copy(&mut content, out).map(|_| ())
}

fn copy_pages(file: File, out: &mut dyn Write) -> io::Result<()> {
    let reader = SerializedFileReader::new(file).map_err(decoding_error)?;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(decoding_error)?;
        copy_group(group.as_ref(), out)?;
    }
    Ok(())
}

fn copy_group(group: &dyn RowGroupReader, out: &mut dyn Write) -> io::Result<()> {
    for column in 0..group.num_columns() {
        let mut pages = group.get_column_page_reader(column).map_err(decoding_error)?;
        while let Some(page) = pages.get_next_page().map_err(decoding_error)? {
            out.write_all(page.buffer())?;
        }
    }
    Ok(())
}

fn decoding_error(error: ParquetError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn decoded(content: &[u8]) -> io::Result<Vec<u8>> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, content).unwrap();
        let mut out = Vec::new();
        StoredEncoding::detect(content).unwrap().decode(File::open(path)?, &mut out).map(|()| out)
    }

    #[test]
    fn all_members_of_a_compressed_file_are_decoded() {
        assert_eq!(decoded(&[gzip("one "), gzip("two")].concat()).unwrap(), b"one two");
        let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        assert_eq!(decoded(&[zstd("one "), zstd("two")].concat()).unwrap(), b"one two");
    }

    #[test]
    fn a_zstandard_file_that_begins_with_a_skippable_frame_is_decoded() {
        for first in [0x50, 0x5f] {
            let skippable = [first, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'a', b'b', b'c'];
            let content = [&skippable[..], &zstd::encode_all(&b"text"[..], 1).unwrap()].concat();
            assert_eq!(decoded(&content).unwrap(), b"text");
        }
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let whole = gzip("some text that is long enough");
        assert!(decoded(&whole[..whole.len() - 9]).is_err());
        assert!(decoded(b"PAR1 without an end").is_err());
        assert!(decoded(&[0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]).is_err());
    }

    #[test]
    fn other_files_have_no_encoding() {
        for beginning in [&b""[..], b"{\"a\"", b"SQLi", &[0x1f]] {
            assert_eq!(StoredEncoding::detect(beginning), None);
        }
    }
}
