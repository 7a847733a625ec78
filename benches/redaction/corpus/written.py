"""Typed forms of values, for chat and document."""
from spoken_words import ALPHABETS, AS_IN, NATO
from values_core import fill
from values_filling import MONTHS

LOWER_CODE_RATE = 0.18   # letters of a code in lower case, chat
LOWER_NAME_RATE = 0.25   # a name or address in lower case, chat
UPPER_NAME_RATE = 0.04
SHORT_MONTHS = {"en": [m[:3] for m in MONTHS["en"]]}


def digits_text(value, rng):
    return fill(rng.choice(value.layouts), value.raw)


def date_text(p, rng, lang, chat):
    """A date in one of the usual written forms of the language."""
    y, m, d = p["y"], p["m"], p["d"]
    name = MONTHS[lang][m - 1]
    if lang != "en":
        long = {"es": f"{d} de {name}" + (f" de {y}" if y else ""), "pt": f"{d} de {name}" + (f" de {y}" if y else ""),
                "de": f"{d}. {name}" + (f" {y}" if y else "")}.get(lang, f"{d} {name}" + (f" {y}" if y else ""))
        if not y:
            return rng.choice([long, f"{d:02d}.{m:02d}." if lang == "de" else f"{d:02d}/{m:02d}", long])
        sep = "." if lang == "de" else rng.choice("//-.")
        return rng.choice([long, f"{d:02d}{sep}{m:02d}{sep}{y}", f"{d:02d}{sep}{m:02d}{sep}{y}", f"{d}{sep}{m}{sep}{y % 100:02d}", f"{y}-{m:02d}-{d:02d}"])
    short = SHORT_MONTHS["en"][m - 1]
    suffix = "th" if 10 < d < 20 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
    if not y:
        return rng.choice([f"{name} {d}", f"{d} {name}", f"{short} {d}{suffix}", f"{m}/{d}", f"{d}{suffix} of {name}", f"{name} {d}{suffix}"])
    a, b = rng.choice([(m, d), (m, d), (d, m)])
    forms = [f"{a:02d}/{b:02d}/{y}", f"{a}/{b}/{y}", f"{a}/{b}/{y % 100:02d}", f"{a:02d}-{b:02d}-{y}", f"{y}-{m:02d}-{d:02d}", f"{name} {d}, {y}", f"{d} {name} {y}", f"{short} {d}, {y}",
             f"{d}{suffix} {name} {y}", f"{short}. {d} {y}", f"{d:02d}.{m:02d}.{y}", f"{d}-{short}-{y}", f"{name} {d}{suffix}, {y}", f"{name} {d} {y}"]
    if p.get("birth") and chat:
        forms += [f"{m:02d}{d:02d}{y}", f"{a:02d} {b:02d} {y}", f"{a:02d}{b:02d}{y % 100:02d}"]
    return rng.choice(forms)


def expiry_text(p, rng, lang, chat):
    m, y = p["month"], p["year"]
    forms = [f"{m:02d}/{y % 100}"] * 5 + [f"{m:02d}/{y}", f"{m}/{y % 100}", f"{m:02d}-{y % 100}", f"{MONTHS[lang][m - 1]} {y}", f"{m:02d} / {y % 100}"]
    if chat:
        forms += [f"{m:02d}{y % 100}", f"{m:02d} {y % 100}", f"{m}-{y}"]
    return rng.choice(forms)


def name_text(p, rng, view):
    first, last = p["first"], p["last"]
    if view == "first":
        return first
    if view == "last":
        return last
    given = f"{first} {p['middle']}".strip() if rng.random() < 0.8 else first
    return f"{last}, {given}" if view == "lastfirst" else f"{given} {last}"


def geo_text(p, rng):
    n = p["places"]
    lat, lon = p["lat"], p["lon"]
    if rng.random() < 0.2:
        return f"{abs(lat):.{n}f}° {'N' if lat > 0 else 'S'}, {abs(lon):.{n}f}° {'E' if lon > 0 else 'W'}"
    return f"{lat:.{n}f}" + rng.choice([", ", ",", " ", ", "]) + f"{lon:.{n}f}"


def spelled_text(raw, rng, lang):
    """Letter by letter as typed: `S-M-I-T-H`, `s m i t h`, `b as in bravo`."""
    raw = "".join(c for c in raw if not c.isspace())
    if rng.random() < 0.35 and len(raw) <= 12:
        out = []
        for c in raw:
            low = c.lower()
            if "a" <= low <= "z" and rng.random() < 0.7:
                word = (NATO if lang == "en" and rng.random() < 0.6 else ALPHABETS[lang])[ord(low) - 97]
                out.append(f"{c} {rng.choice(AS_IN[lang])} {word}")
            else:
                out.append(c)
        return ", ".join(out) if rng.random() < 0.4 else " ".join(out)
    return rng.choice(["-", " ", " ", " - ", "."]).join(rng.choice([raw, raw.lower(), raw.upper()]))


def compact(value, view=None):
    """The characters of a value that can be spelled."""
    if value.kind == "name":
        return value.pieces["first"] if view == "first" else value.pieces["last"] if view == "last" else value.pieces["first"] + value.pieces["last"]
    return value.raw


def render(value, rng, lang, style, view=None):
    """(text, tags): a value as people type it; view: first, last, lastfirst, spelled, last4."""
    chat, tags = style == "chat", set(value.tags)
    if view == "spelled":
        return spelled_text(compact(value), rng, lang), tags | {"spelled"}
    if view == "last4":
        return "".join(c for c in value.raw if c.isdigit())[-4:], {"last4"}
    kind, p = value.kind, value.pieces
    if kind == "digits":
        text = digits_text(value, rng)
    elif kind == "code":
        text = digits_text(value, rng)
        if rng.random() < (LOWER_CODE_RATE if chat else 0.02):
            text = text.lower()
    elif kind == "date":
        text = date_text(p, rng, lang, chat)
        text = text.lower() if chat and rng.random() < 0.3 else text
    elif kind == "expiry":
        text = expiry_text(p, rng, lang, chat)
    elif kind in ("name", "address", "words"):
        text = name_text(p, rng, view) if kind == "name" else value.raw
        r = rng.random()
        if chat and r < LOWER_NAME_RATE or p.get("profanity") and r < 0.7:
            text = text.lower()
        elif r > 1 - UPPER_NAME_RATE:
            text = text.upper()
        elif p.get("profanity"):
            text = rng.choice([text, text.upper(), text[0] + "*" + text[2:] if chat and len(text) > 3 and r > 0.9 else text])
    elif kind == "geo":
        text = geo_text(p, rng)
    elif kind == "email":
        text = value.raw
        r = rng.random()
        text = text.capitalize() if r < 0.05 else text.upper() if r < 0.07 else text.replace("@", " @ ") if chat and r < 0.09 else text
    else:
        text = value.raw
    return text, tags


def filling(kind, data, rng, lang, style):
    """A harmless slot as typed."""
    if kind == "amount":
        whole, cents = data
        text = f"{whole:,}" if whole > 999 and rng.random() < 0.6 else str(whole)
        if lang != "en":
            text = text.replace(",", ".") + (f",{cents:02d}" if cents else "")
            return text + rng.choice([" €", " euros" if lang in ("es", "fr", "pt") else " Euro" if lang == "de" else " euro", "€"])
        text += f".{cents:02d}" if cents else ""
        return rng.choice(["$", "$", "$", "£"]) + text if rng.random() < 0.85 else text + rng.choice([" dollars", " bucks", " USD"])
    if kind == "time":
        h, m = data
        if lang != "en":
            return rng.choice([f"{h + 6}:{m:02d}", f"{h + 6}h{m:02d}" if lang in ("fr", "pt") else f"{h + 6}:{m:02d}"])
        return rng.choice([f"{h}:{m:02d}", f"{h}:{m:02d} {rng.choice(['am', 'pm', 'PM'])}", f"{h}{rng.choice(['am', 'pm'])}"])
    if kind == "percent":
        return f"{data}%" if lang in ("en", "it", "pt") or style == "chat" else f"{data} %"
    if kind == "word" and style == "chat" and rng.random() < 0.2:
        return data.lower()
    return str(data)
