"""Reads what `features` has written: rows of features, an index of messages, and words."""
import json

import numpy as np

ROW = np.dtype([("word", "<u4"), ("grams", "<u2", 8), ("kind", "u1"), ("digits", "u1"), ("case", "u1"), ("current", "u1"),
                ("label", "<i2"), ("pad", "<u2")])
LENGTHS = (16, 32, 48, 96)


class Messages:
    """Messages as arrays of equal length for each group of lengths. Of a longer message, the last pieces count."""

    def __init__(self, path):
        self.rows = np.fromfile(f"{path}.rows", ROW)
        index = [json.loads(line) for line in open(f"{path}.index")]
        self.ends = np.cumsum([entry["pieces"] for entry in index])
        self.starts = np.maximum(self.ends - LENGTHS[-1], self.ends - [entry["pieces"] for entry in index])
        self.negative = np.array([entry["negative"] for entry in index])
        kinds = sorted({tuple(entry["covered"]) for entry in index if entry["covered"]})
        self.covered = [None, *kinds]
        places = {kind: at + 1 for at, kind in enumerate(kinds)}
        self.cover = np.array([places[tuple(entry["covered"])] if entry["covered"] else 0 for entry in index])

    def __len__(self):
        return len(self.ends)

    def batches(self, chosen, size, order):
        """Batches of `size` messages of one group of lengths, in random order."""
        lengths, found, least = (self.ends - self.starts)[chosen], [], 0
        for length in LENGTHS:
            group = chosen[(lengths > least) & (lengths <= length)]
            order.shuffle(group)
            found += [(group[at:at + size], length) for at in range(0, len(group) - size + 1, size)]
            least = length
        order.shuffle(found)
        return found

    def arrays(self, messages, length):
        """The rows of these messages, zeros after the last."""
        out = np.zeros((len(messages), length), ROW)
        out["label"] = -1
        for at, message in enumerate(messages):
            rows = self.rows[self.starts[message]:self.ends[message]]
            out[at, :len(rows)] = rows
        return out


def vocabulary(path, glove, known_words):
    """The hashes of the known words, the vectors of these, and how many of them, the first ones, have a vector of their own."""
    words, vectors = glove
    place = {word: at for at, word in enumerate(words)}
    hashes, chosen, seen = [], [], set()
    counted = [line.rstrip("\n").split("\t") for line in open(f"{path}.words")]
    for value, word, count in sorted(counted, key=lambda entry: -int(entry[2])):
        if int(count) >= (6 if word in place else 20):
            hashes.append(int(value))
            chosen.append(place.get(word, -1))
            seen.add(int(value))
    own = len(hashes)
    for word in words:
        if len(hashes) >= known_words:
            break
        value = word_hash(word)
        if word.replace("'", "").isalpha() and value not in seen:
            hashes.append(value)
            chosen.append(place[word])
            seen.add(value)
    chosen = np.array(chosen)
    return np.array(hashes, np.uint32), np.where(chosen[:, None] >= 0, vectors[chosen], 0).astype(np.float32), own


def word_hash(word):
    """The hash of a word, as the crate has it."""
    value = 0x811C9DC5
    for byte in word.lower().encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return max(value, 1)
