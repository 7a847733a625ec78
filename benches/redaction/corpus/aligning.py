"""Which characters of a text are still visible in its masked form."""
import difflib


def merged(spans):
    """Spans joined where they touch or overlap: sorted (start, end) pairs."""
    out = []
    for start, end in sorted((s["start"], s["end"]) for s in spans):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def _same(old, new):
    return [o == n or not o.isalnum() for o, n in zip(old, new)]


def _by_spans(text, masked, spans):
    """Visibility where the text outside of the spans is unchanged and a span keeps its length or becomes eight asterisks; else None."""
    blocks = merged(spans)
    gaps = [text[a:b] for a, b in zip([0] + [b[1] for b in blocks], [b[0] for b in blocks] + [len(text)])]
    tried = set()

    def walk(i, at):
        if (i, at) in tried or not masked.startswith(gaps[i], at):
            return None
        tried.add((i, at))
        at += len(gaps[i])
        if i == len(blocks):
            return [] if at == len(masked) else None
        old = text[blocks[i][0]:blocks[i][1]]
        for size in dict.fromkeys([len(old), 8, *range(8, 4 * len(old) + 9)]):
            if at + size > len(masked):
                continue
            new = masked[at:at + size]
            if size != len(old) and not set(new) <= set("* "):
                if size == 8 or "*" not in new:
                    continue
            rest = walk(i + 1, at + size)
            if rest is not None:
                return [_same(old, new) if size == len(old) else _loose(old, new)] + rest
        return None

    parts = walk(0, 0)
    if parts is None:
        return None
    out, at = [], 0
    for (start, end), part in zip(blocks, parts):
        out += [True] * (start - at) + part
        at = end
    return out + [True] * (len(text) - at)


def _loose(old, new):
    """Visibility by the longest common pieces, where lengths differ."""
    out = [not c.isalnum() for c in old]
    for a, _, n in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for i in range(a, a + n):
            out[i] = True
    return out


def visible(text, masked, spans):
    """A list of booleans, one a character of text: True where it still stands in masked."""
    if text == masked:
        return [True] * len(text)
    if len(text) == len(masked):
        direct = _same(text, masked)
        if all(m == "*" or same for m, same in zip(masked, direct)):
            return direct
    good = all(0 <= s["start"] < s["end"] <= len(text) for s in spans)
    return (good and _by_spans(text, masked, spans)) or _loose(text, masked)
