"""What a value is, and small helpers that all values_*.py share."""
from dataclasses import dataclass, field
import string

DIGITS = string.digits
UPPER = string.ascii_uppercase
LOWER = string.ascii_lowercase
ALNUM = DIGITS + UPPER
SAFE = "ABCDEFGHJKLMNPRSTUVWXYZ"  # letters that people do not mistake for digits
LANGS = ("en", "es", "fr", "de", "pt", "it")


@dataclass
class Value:
    """A value before it is written or spoken.

    kind: digits, code (letters may be lower-cased), token (exact case), words, name, date, expiry, age, secret,
          email, url, ip, address, geo, block.
    raw: the compact form.  layouts: written forms, `#` stands for the next character of raw.
    pieces: what the renderers of a kind need (date fields, parts of a name, pieces of a password).
    """
    kind: str
    raw: str
    layouts: list = field(default_factory=list)
    pieces: dict = field(default_factory=dict)
    tags: set = field(default_factory=set)


def digits(rng, n, first=DIGITS):
    return rng.choice(first) + "".join(rng.choice(DIGITS) for _ in range(n - 1))


def pick(rng, alphabet, n):
    return "".join(rng.choice(alphabet) for _ in range(n))


def like(rng, shape):
    """Random text of a shape: 9 a digit, A a letter, X a letter or digit, other characters themselves."""
    table = {"9": DIGITS, "A": UPPER, "X": ALNUM, "a": LOWER}
    return "".join(rng.choice(table[c]) if c in table else c for c in shape)


def shaped(sizes, sep):
    return sep.join("#" * n for n in sizes)


def weighted(rng, table):
    """One key of a {key: weight} table."""
    return rng.choices(list(table), list(table.values()))[0]


def number(raw, *layouts):
    return Value("digits", raw, list(layouts) or ["#" * len(raw)])


def code(raw, *layouts):
    return Value("code", raw, list(layouts) or ["#" * len(raw)])


def fill(layout, raw):
    """The layout with its `#` replaced by the characters of raw, in order."""
    it = iter(raw)
    return "".join(next(it) if c == "#" else c for c in layout)


def spoil(rng, raw, ok, keep=0):
    """raw with one digit changed (after the first `keep` characters) so that the check fails."""
    places = [i for i, c in enumerate(raw) if c.isdigit() and i >= keep]
    for _ in range(200):
        i = rng.choice(places)
        new = raw[:i] + rng.choice(DIGITS.replace(raw[i], "")) + raw[i + 1:]
        if not ok(new):
            return new
    raise ValueError(raw)
