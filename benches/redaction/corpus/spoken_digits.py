"""Runs of digits as said: single digits, pairs, double and triple, fillers, corrections, homophones."""
import spoken_words as w
from values_core import fill

DIGIT_FORMAT_RATE = 0.2   # the recogniser writes digits
FILLER_RATE = 0.05        # a filler between two groups
CORRECTION_RATE = 0.04    # a group is said wrong, then right
HOMOPHONE_RATE = 0.04     # one digit of the value is a homophone (en)
DOUBLE_RATE = 0.35        # a repeat is "double x" (en)
MARK_WORD_RATE = 0.05     # the separator is said ("dash")


def one(d, rng, lang, oh):
    return ("oh" if oh else "zero") if d == "0" and lang == "en" else w.UNITS[lang][int(d)]


def singles(raw, rng, lang, oh, doubles):
    out, i = [], 0
    while i < len(raw):
        run = 1
        while i + run < len(raw) and raw[i + run] == raw[i]:
            run += 1
        if doubles and run >= 2 and rng.random() < DOUBLE_RATE * 2:
            n = 3 if run >= 3 else 2
            out += ["triple" if n == 3 else "double", one(raw[i], rng, lang, oh)]
            i += n
        else:
            out.append(one(raw[i], rng, lang, oh))
            i += 1
    return " ".join(out)


def pairs(raw, rng, lang, oh):
    """`4111` as forty one eleven, `05` as oh five; a left-over digit alone, in front or behind."""
    out, i = [], 0
    if len(raw) % 2 and rng.random() < 0.5:
        out, i = [one(raw[0], rng, lang, oh)], 1
    while i < len(raw):
        two = raw[i:i + 2]
        if len(two) == 1:
            out.append(one(two, rng, lang, oh))
        elif two[0] == "0":
            out.append(one("0", rng, lang, oh) + " " + one(two[1], rng, lang, oh))
        else:
            out.append(w.cardinal(int(two), lang))
        i += 2
    return " ".join(out)


def group_words(raw, rng, lang, manner, oh, doubles):
    if lang == "en" and len(raw) in (3, 4) and raw.endswith("00") and raw[0] != "0" and raw[-3] != "0" and rng.random() < 0.5:
        return w.cardinal(int(raw[:-2]), "en") + " hundred"
    if lang == "en" and len(raw) == 4 and raw.endswith("000") and raw[0] != "0" and rng.random() < 0.5:
        return w.cardinal(int(raw[0]), "en") + " thousand"
    if manner == "pairs" or manner == "mixed" and rng.random() < 0.4:
        if lang != "en" and len(raw) == 3 and raw[0] != "0" and rng.random() < 0.5:
            return w.cardinal(int(raw), lang)
        return pairs(raw, rng, lang, oh)
    return singles(raw, rng, lang, oh, doubles)


def _manner(rng, lang):
    table = {"singles": 60, "mixed": 22, "pairs": 18} if lang == "en" else {"singles": 50, "mixed": 20, "pairs": 30}
    return rng.choices(list(table), list(table.values()))[0]


def say_number_run(raw, rng, lang):
    """A bare run of digits in words."""
    return group_words(raw, rng, lang, _manner(rng, lang), lang == "en" and rng.random() < 0.5, lang == "en")


def split_groups(layout, raw):
    """The groups of a layout, as (digits, separator behind)."""
    out, it, current = [], iter(raw), ""
    for c in layout:
        if c == "#":
            current += next(it)
        elif current:
            out.append((current, c))
            current = ""
    return out + [(current, "")] if current else out


def homophone(text, rng):
    words = text.split()
    places = [i for i, x in enumerate(words) if x in w.HOMOPHONES]
    if not places or len(words) < 4:
        return text, set()
    i = rng.choice(places)
    words[i] = rng.choice(w.HOMOPHONES[words[i]])
    return " ".join(words), {"homophone"}


def say_digits(value, rng, lang):
    """(text, tags) of a number value."""
    raw, tags = value.raw, set()
    layout = rng.choice(value.layouts)
    if rng.random() < DIGIT_FORMAT_RATE:
        return fill(layout, raw), {"digits_written"}
    groups = split_groups(layout, raw)
    if len(groups) == 1 and len(raw) > 5:
        sizes = value.pieces.get("sizes") or [rng.choice([3, 4, 4])] * (len(raw) // 3 + 1)
        groups, i = [], 0
        for n in sizes:
            if raw[i:i + n]:
                groups.append((raw[i:i + n], " "))
            i += n
    manner, oh, doubles = _manner(rng, lang), lang == "en" and rng.random() < 0.5, lang == "en" and rng.random() < 0.6
    say_marks, out = rng.random() < MARK_WORD_RATE, []
    correct = rng.randrange(len(groups)) if rng.random() < CORRECTION_RATE and len(raw) > 3 else -1
    if value.pieces.get("plus") and rng.random() < 0.6:
        out.append(w.MARK_WORDS[lang]["+"][0])
    for i, (digits, sep) in enumerate(groups):
        if i == correct and digits:
            wrong = digits[:-1] + rng.choice("0123456789".replace(digits[-1], ""))
            out += [group_words(wrong, rng, lang, "singles", oh, False), rng.choice(w.SORRY[lang])]
            tags.add("correction")
        out.append(group_words(digits, rng, lang, manner, oh, doubles))
        if i + 1 < len(groups):
            if say_marks and sep in w.MARK_WORDS[lang]:
                out.append(rng.choice(w.MARK_WORDS[lang][sep]))
            if rng.random() < FILLER_RATE:
                out.append(rng.choice(w.FILLERS[lang]))
                tags.add("filler")
    text = " ".join(out)
    if lang == "en" and rng.random() < HOMOPHONE_RATE:
        text, more = homophone(text, rng)
        tags |= more
    return text, tags
