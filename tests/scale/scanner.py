"""A search for canaries in stored bytes, which shares nothing with `parlance privacy scan`.

It looks for the marker that all canaries begin with: in UTF-8, with escapes of JSON, in UTF-16, in base64 at any
alignment and in hexadecimal digits, also within gzip, Zstandard and the pages of Parquet. What follows is compared."""

import base64
import gzip
import io
import mmap
import re
import zlib
from collections import Counter

from canaries import MARKER

LETTERS = 8
PLAIN = MARKER.encode()
UTF8 = re.compile(PLAIN + rb"((?:[a-z]|\xc3\xa9|\\u00[eE]9|%%C3%%A9){%d})" % LETTERS)
UTF16 = [(encoding, MARKER.encode(encoding)) for encoding in ("utf-16-le", "utf-16-be")]
HEX = re.compile(PLAIN.hex().encode() + rb"[0-9a-fA-F]{%d}" % (2 * LETTERS + 2), re.IGNORECASE)
CHUNK, OVERLAP = 1 << 26, 64


def base64_parts():
    """What base64 makes of the marker at each alignment, without the characters that its neighbours change."""
    parts = []
    for before in range(3):
        text = base64.b64encode(bytes(before) + PLAIN)
        first, last = -(-before * 8 // 6), (before + len(PLAIN)) * 8 // 6
        parts.append((before, first, text[first:last]))
    return parts


BASE64 = base64_parts()


def spelled(found):
    """The word of a match in UTF-8."""
    text = re.sub(rb"\\u00[eE]9|%C3%A9", "é".encode(), found).decode()
    return MARKER + text[:LETTERS]


def positions(data, part):
    at = data.find(part)
    while at >= 0:
        yield at
        at = data.find(part, at + 1)


class Scanner:
    """Counts known canaries in bytes. `cut` counts markers that no known canary follows in UTF-8."""

    def __init__(self, words):
        self.words, self.cut = words, 0

    def known(self, text):
        return text[:len(MARKER) + LETTERS] if text[:len(MARKER) + LETTERS] in self.words else None

    def chunk(self, data, found):
        """Counts what stands in a chunk that may be a part of a file."""
        markers = data.count(PLAIN)
        if markers:
            for match in UTF8.finditer(data):
                if word := self.known(spelled(match.group(1))):
                    found[word] += 1
                    markers -= 1
            self.cut += markers
        for encoding, marker in UTF16:
            for at in positions(data, marker):
                text = data[at:at + 2 * (len(MARKER) + LETTERS)].decode(encoding, "replace")
                found[self.known(text)] += 1
        for match in HEX.finditer(data):
            text = bytes.fromhex(match.group().decode()).decode("utf-8", "ignore")
            found[self.known(text)] += 1
        for before, first, part in BASE64:
            for at in positions(data, part):
                start = at - first
                whole = data[max(0, start):start + 28].translate(bytes.maketrans(b"-_", b"+/"))
                try:
                    text = base64.b64decode(whole, validate=True)[before:].decode("utf-8", "ignore")
                except ValueError:
                    continue
                found[self.known(text)] += 1

    def bytes(self, data):
        """Counts the canaries in the bytes of a file, as they are and decompressed."""
        found = Counter()
        self.chunk(data, found)
        inner = decompressed(data)
        if inner is not None:
            self.chunk(inner, found)
        found.pop(None, None)
        return found

    def content(self, data):
        """Counts the canaries in what a reader of a file sees."""
        found, inner = Counter(), decompressed(data)
        self.chunk(data if inner is None else inner, found)
        found.pop(None, None)
        return found

    def file(self, path):
        """Counts the canaries in a file of any size."""
        size = path.stat().st_size
        if size == 0:
            return Counter()
        if size <= CHUNK:
            return self.bytes(path.read_bytes())
        found = Counter()
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
            for start in range(0, size, CHUNK):
                self.chunk(view[start:start + CHUNK + OVERLAP], found)
        found.pop(None, None)
        return found


def decompressed(data):
    """The content of a compressed file, which its first bytes tell; None if it is not compressed."""
    if data[:2] == b"\x1f\x8b":
        try:
            return gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            return zlib.decompressobj(47).decompress(data)
    if data[:4] == b"\x28\xb5\x2f\xfd":
        import zstandard
        return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True).read()
    if data[:4] == b"PAR1":
        return parquet_texts(data)
    return None


def parquet_texts(data):
    """All texts of a Parquet file, in lines. A file without its end has none that a reader finds."""
    if data[-4:] != b"PAR1":
        return b""
    import pyarrow
    import pyarrow.parquet
    table = pyarrow.parquet.read_table(io.BytesIO(data))
    columns = [column for column in table.columns if pyarrow.types.is_string(column.type)
               or pyarrow.types.is_large_string(column.type)]
    return "\n".join(text for column in columns for text in column.to_pylist() if text).encode()
