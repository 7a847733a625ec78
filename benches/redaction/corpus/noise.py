"""Noise of typed chat: only template words change, never a value or a filled slot.

A message is a list of (text, span) pieces; pieces whose span is None and that came from the template are noised.
"""
import re

TYPO_RATE = 0.012          # of words with four or more letters
LOWER_RATE = 0.22          # messages all in lower case
UPPER_RATE = 0.015         # messages all in capitals
DROP_END_RATE = 0.30       # final full stop or question mark missing
DROP_INNER_RATE = 0.10     # each comma, full stop or apostrophe missing in a careless message
CARELESS_RATE = 0.35       # messages whose inner punctuation is careless
EMOJI_RATE = 0.03          # an emoji at the end
EXTRA_SPACE_RATE = 0.015   # messages with one doubled space
AGENT_SHARE = 0.2          # agents make so much of the noise of customers
EMOJI = ["🙂", "😊", "🙏", "😡", "👍", "😅", "😭", "🤦", "❤️", "🙄"]
NEAR = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wqerrtyuioasdfghjkzxcvbn"[:24] + "bn"))


def typo(word, rng):
    """A word with two letters swapped, one doubled, missing or hit beside."""
    i = rng.randrange(1, len(word) - 1)
    kind = rng.random()
    if kind < 0.35:
        return word[:i] + word[i + 1] + word[i] + word[i + 2:]
    if kind < 0.6:
        return word[:i] + word[i + 1:]
    if kind < 0.8:
        return word[:i] + word[i] + word[i:]
    return word[:i] + NEAR.get(word[i], word[i]) + word[i + 1:]


def noisy(pieces, rng, agent=False):
    """The pieces of one chat message with noise; a piece is (text, span or None, from_template)."""
    share = AGENT_SHARE if agent else 1.0
    case = rng.random()
    change = str.lower if case < LOWER_RATE * share else str.upper if case > 1 - UPPER_RATE * share else str
    careless = rng.random() < CARELESS_RATE * share
    drop_end = rng.random() < DROP_END_RATE * share
    out = []
    for text, span, mine in pieces:
        if mine:
            text = re.sub(r"[^\W\d_]{4,}", lambda m: typo(m.group(), rng) if rng.random() < TYPO_RATE * share else m.group(), text)
            if careless:
                text = re.sub(r"(?<=\w)[,.'](?=\s|\w|$)", lambda m: "" if rng.random() < DROP_INNER_RATE * 3 and m.group() != "." or
                              rng.random() < DROP_INNER_RATE and m.end() == len(m.string) else m.group(), text)
            text = change(text)
        out.append((text, span, mine))
    if drop_end and out and out[-1][2] and len(out[-1][0].strip()) > 1:
        out[-1] = (re.sub(r"[.?!]$", "", out[-1][0]), None, True)
    if rng.random() < EXTRA_SPACE_RATE * share and out and out[0][2]:
        out[0] = (out[0][0].replace(" ", "  ", 1), None, True)
    if rng.random() < EMOJI_RATE * share:
        out.append((" " + rng.choice(EMOJI), None, True))
    return out
