//! The file of an import: its name, its format, and its bytes.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use anyhow::{Context, bail};

use clap::ValueEnum;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// One conversation a line, with its messages
    Jsonl,
    /// One message a line, with a header
    Csv,
}

/// The bytes that are read at once.
const READ_BYTES: usize = 64 * 1024;

/// What some programs write before a text to mark it as UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An open file, or the standard input.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) format: Format,
    /// The size of the file, if it has one.
    pub(super) size: Option<u64>,
    pub(super) input: BufReader<Box<dyn Read + Send>>,
}

impl Source {
    /// Opens a file, and skips its byte order mark.
    pub(super) fn open(path: &Path, format: Option<Format>) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let Some(format) = format.or_else(|| format_of_name(path)) else {
            bail!("{name}: the format is unknown: add --format jsonl or --format csv");
        };
        let (file, size) = open_input(path).with_context(|| name.clone())?;
        let mut input = BufReader::with_capacity(READ_BYTES, file);
        skip_mark(&mut input).with_context(|| name.clone())?;
        Ok(Self { name, format, size, input })
    }
}

fn format_of_name(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        "csv" => Some(Format::Csv),
        _ => None,
    }
}

fn open_input(path: &Path) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok((Box::new(file), metadata.is_file().then_some(metadata.len())))
}

fn skip_mark(input: &mut impl BufRead) -> io::Result<()> {
    if input.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    Ok(())
}
