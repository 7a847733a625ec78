"""Values as a speech recogniser writes what was said."""
import re

import spoken_words as w
from spoken_digits import DIGIT_FORMAT_RATE, say_digits, say_number_run
from values_filling import MONTHS
from written import compact, date_text, digits_text, expiry_text, geo_text, name_text

NATO_RATE = 0.12        # a spelled letter as a bare NATO word
AS_IN_RATE = 0.15       # a spelled letter with "as in"
FILLER_RATE = 0.03      # between two spelled letters
ABBREVIATIONS = {"st": "street", "ave": "avenue", "rd": "road", "dr": "drive", "ln": "lane", "blvd": "boulevard", "ct": "court", "pkwy": "parkway", "apt": "apartment",
                 "ste": "suite", "n": "north", "s": "south", "ne": "northeast", "nw": "northwest", "po": "p o", "gpo": "g p o", "avda": "avenida", "bahnhofstr": "bahnhofstraße",
                 "rosenstr": "rosenstraße", "og": "obergeschoss", "apto": "apartamento"}
COMMON_TLDS = {"com", "net", "org", "app", "shop", "info"}


def say_letter(c, rng, lang, plain):
    """One letter: `b`, `b as in bravo` or `bravo`."""
    low = c.lower()
    if not "a" <= low <= "z":
        return low
    i, r = ord(low) - 97, rng.random()
    if not plain and lang == "en" and r < NATO_RATE:
        return w.NATO[i]
    if not plain and r < NATO_RATE + AS_IN_RATE:
        word = (w.NATO if lang == "en" and rng.random() < 0.6 else w.ALPHABETS[lang])[i]
        return f"{low} {rng.choice(w.AS_IN[lang])} {word}"
    return low


def say_mark(c, rng, lang):
    return rng.choice(w.MARK_WORDS[lang].get(c, [c])) if not c.isspace() else ""


def spell(text, rng, lang, capitals=False):
    """Letters one by one, runs of digits as digit words, marks by name."""
    plain, nato, out = rng.random() < 0.5, lang == "en" and rng.random() < 0.12, []
    for run in re.findall(r"\d+|\s+|.", text):
        if run.isdigit():
            out.append(say_number_run(run, rng, lang))
        elif run.isalpha():
            letter = w.NATO[ord(run.lower()) - 97] if nato and "a" <= run.lower() <= "z" else say_letter(run, rng, lang, plain)
            out.append((rng.choice(w.CAPITAL[lang]) + " " if capitals and run.isupper() and rng.random() < 0.5 else "") + letter)
        elif not run.isspace():
            out.append(say_mark(run, rng, lang))
        if rng.random() < FILLER_RATE / 2:
            out.append(rng.choice(w.FILLERS[lang]))
    while out and out[-1] in w.FILLERS[lang]:
        out.pop()
    return " ".join(out)


def say_code(value, rng, lang):
    """Letters and digits: spelled, or formatted as recognisers do."""
    if rng.random() < DIGIT_FORMAT_RATE:
        text = digits_text(value, rng)
        return (text if rng.random() < 0.7 else " ".join(text.replace(" ", ""))), {"digits_written"}
    text = spell(value.raw, rng, lang)
    if value.pieces.get("mac") and rng.random() < 0.6:
        pairs = [value.raw[i:i + 2] for i in range(0, 12, 2)]
        text = (" " + say_mark(":", rng, lang) + " ").join(spell(x, rng, lang) for x in pairs)
    if rng.random() < 0.03 and lang == "en":
        words = text.split()
        i = rng.randrange(1, max(2, len(words) - 1))
        if len(words[i]) == 1 or words[i] in w.COUNTS:
            text = " ".join(words[:i] + [rng.choice([c for c in "bdptmns" if c != words[i]]), rng.choice(w.SORRY[lang])] + words[i:])
            return text, {"correction"}
    return text, set()


def say_date(p, rng, lang):
    if rng.random() < 0.12:
        return date_text(p, rng, lang, False).lower(), {"digits_written"}
    y, m, d = p["y"], p["m"], p["d"]
    name = MONTHS[lang][m - 1].lower()
    year = w.year_words(y, lang, rng) if y else ""
    if lang == "en":
        if y and rng.random() < 0.2:
            year = w.cardinal(y % 100, "en") if y % 100 > 9 else "oh " + w.UNITS["en"][y % 100]
        day, plain = w.ordinal(d, "en"), w.cardinal(d, "en")
        forms = [f"{name} {day}", f"the {day} of {name}", f"{day} of {name}", f"{name} {plain}", f"{day} {name}", f"{name} the {day}"]
        if y:
            number = [("oh " if n < 10 and rng.random() < 0.5 else "") + w.cardinal(n, "en") for n in (m, d)]
            forms += [" ".join(number), " ".join(number), f"{number[0]} slash {number[1]} slash"]
        return f"{rng.choice(forms)} {year}".strip(), set()
    day = w.cardinal(d, lang) if d > 1 else w.ordinal(1, lang)
    if lang == "de":
        day = rng.choice([w.ordinal(d, "de") + "r", w.ordinal(d, "de") + "n"])
        name = rng.choice([name, name, w.ordinal(m, "de") + "r"])
    link = " de " if lang in ("es", "pt") else " "
    return f"{day}{link}{name}{link if y else ''}{year}".strip(), set()


def say_expiry(p, rng, lang):
    m, y = p["month"], p["year"]
    if rng.random() < 0.15:
        return expiry_text(p, rng, lang, False).lower(), {"digits_written"}
    month = rng.choice([MONTHS[lang][m - 1].lower(), w.cardinal(m, lang), (("oh " if lang == "en" else w.UNITS[lang][0] + " ") if m < 10 else "") + w.cardinal(m, lang)])
    year = rng.choice([w.year_words(y, lang, rng), w.cardinal(y % 100, lang), w.cardinal(y % 100, lang)])
    slash = " slash " if lang == "en" and rng.random() < 0.15 else " "
    return month + slash + year, set()


def say_secret(value, rng, lang):
    """A password or login: words as words, digits in words, marks by name, capitals at times."""
    if value.pieces.get("phrase"):
        return " ".join(t for k, t in value.pieces["parts"] if k == "word"), set()
    if rng.random() < 0.12:
        return value.raw, {"digits_written"}
    with_capitals, out = rng.random() < 0.45, []
    for kind, text in value.pieces["parts"]:
        if kind == "word":
            capital = with_capitals and text[0].isupper()
            word = text.lower() if len(text) > 1 and rng.random() < 0.9 else spell(text, rng, lang)
            out.append((rng.choice(w.CAPITAL[lang]) + " " + (text[0].lower() + " " if rng.random() < 0.3 and len(text) > 1 else "") if capital else "") + word)
        elif kind == "digits":
            if len(text) == 4 and text[:2] in ("19", "20") and rng.random() < 0.5:
                out.append(w.year_words(int(text), lang, rng))
            else:
                out.append(text if rng.random() < 0.15 else say_number_run(text, rng, lang))
        else:
            out.append(say_mark(text, rng, lang))
    return " ".join(x for x in out if x), set()


def say_host(host, rng, lang):
    out = []
    for i, label in enumerate(host.split(".")):
        known = i == 0 or label in COMMON_TLDS
        out.append(label.replace("-", f" {say_mark('-', rng, lang)} ") if known or rng.random() < 0.3 else " ".join(label))
    if rng.random() < 0.06:
        out[0] = spell(host.split(".")[0], rng, lang)
    return f" {say_mark('.', rng, lang)} ".join(out)


def say_email(p, rng, lang, spelled):
    if not spelled and rng.random() < 0.15:
        return rng.choice([p["local"] + "@" + p["host"], p["local"].replace(".", " dot ") + " at " + p["host"] if lang == "en" else p["local"] + "@" + p["host"]]), {"digits_written"}
    out = []
    for run in re.findall(r"[a-z]+|\d+|.", p["local"]):
        if run.isalpha():
            out.append(spell(run, rng, lang) if spelled or rng.random() < 0.15 else run)
        else:
            out.append(say_number_run(run, rng, lang) if run.isdigit() else say_mark(run, rng, lang))
    return f"{' '.join(out)} {w.MARK_WORDS[lang]['@'][0]} {say_host(p['host'], rng, lang)}", {"spelled"} if spelled else set()


def say_address(text, rng, lang):
    out = []
    for token in re.findall(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:['-][^\W\d_]+)*|[#/-]|º", text):
        low = token.lower()
        if re.fullmatch(r"\d+[a-z]+", low):
            out.append(w.ordinal(int(low[:-2]), "en"))
        elif low.isdigit():
            n = int(low)
            if rng.random() < DIGIT_FORMAT_RATE:
                out.append(low)
            elif lang == "en" and 100 < n < 10000 and n % 100 and rng.random() < 0.75:
                h, r = divmod(n, 100)
                out.append(w.cardinal(h, "en") + (" oh " + w.UNITS["en"][r] if r < 10 else " " + w.cardinal(r, "en")))
            else:
                out.append(w.cardinal(n, lang) if n < 10000 else say_number_run(low, rng, lang))
        elif low in "#/-º":
            out.append({"#": "number", "/": rng.choice(["slash", ""]), "º": "", "-": ""}[low])
        else:
            out.append(ABBREVIATIONS.get(low, low))
    return " ".join(x for x in out if x)


def say_url(p, rng, lang):
    text = ("w w w " + say_mark(".", rng, lang) + " " if p["www"] else "") + say_host(p["host"], rng, lang)
    for run in re.findall(r"[a-zA-Z]+|\d+|.", p["path"]):
        known = run.isalpha() and run.lower() == run and len(run) > 3 or run in ("de", "id", "faq")
        text += " " + (run if known else say_number_run(run, rng, lang) if run.isdigit() else spell(run, rng, lang) if run.isalpha() else say_mark(run, rng, lang))
    return text


def say_geo(p, rng, lang):
    def one(v):
        whole, part = f"{abs(v):.{p['places']}f}".split(".")
        point = {"en": "point", "es": "punto", "fr": "virgule", "de": "komma", "pt": "vírgula", "it": "virgola"}[lang]
        minus = {"es": "menos", "fr": "moins", "pt": "menos", "it": "meno"}.get(lang, "minus")
        return (minus + " " if v < 0 else "") + f"{w.cardinal(int(whole), lang)} {point} " + " ".join(w.UNITS[lang][int(d)] for d in part)
    if rng.random() < 0.15:
        return geo_text(p, rng), {"digits_written"}
    return one(p["lat"]) + " " + one(p["lon"]), set()


def say_ip(raw, rng, lang):
    if ":" in raw:
        return spell(raw.replace("::", ":" * 2), rng, lang)
    out = []
    for run in re.findall(r"\d+|.", raw):
        if run.isdigit():
            out.append(" ".join(w.UNITS[lang][int(d)] for d in run) if rng.random() < 0.5 else
                       w.cardinal(int(run[0]), lang) + " " + w.cardinal(int(run[1:]), lang) if len(run) == 3 and run[1] != "0" and lang == "en" else w.cardinal(int(run), lang))
        else:
            out.append(say_mark(run, rng, lang))
    return " ".join(out)


def render(value, rng, lang, view=None):
    """(text, tags): a value as a recogniser writes it; view as in written.render."""
    kind, p, tags = value.kind, value.pieces, set(value.tags) - {"odd_groups"}
    more = set()
    if view == "last4":
        four = "".join(c for c in value.raw if c.isdigit())[-4:]
        return (four if rng.random() < DIGIT_FORMAT_RATE else say_number_run(four, rng, lang)), {"last4"}
    if kind == "email":
        text, more = say_email(p, rng, lang, view == "spelled")
    elif view == "spelled":
        text, more = spell(compact(value), rng, lang, kind == "secret"), {"spelled"}
        if kind == "name" and p["first"] and rng.random() < 0.4:
            text = spell(p["first"], rng, lang) + " " + spell(p["last"], rng, lang)
    elif kind == "digits":
        text, more = say_digits(value, rng, lang)
    elif kind == "code":
        text, more = say_code(value, rng, lang)
    elif kind == "date":
        text, more = say_date(p, rng, lang)
    elif kind == "expiry":
        text, more = say_expiry(p, rng, lang)
    elif kind == "secret":
        text, more = say_secret(value, rng, lang)
    elif kind == "name":
        text = name_text(p, rng, view).replace(",", "").replace(".", "")
        text = text if rng.random() < 0.12 else text.lower()
    elif kind == "address":
        text = say_address(value.raw, rng, lang)
    elif kind == "words":
        text = value.raw.lower()
    elif kind == "age":
        text = value.raw if rng.random() < DIGIT_FORMAT_RATE else w.cardinal(p["n"], lang)
    elif kind == "url":
        text = value.raw if rng.random() < 0.15 else say_url(p, rng, lang)
    elif kind == "geo":
        text, more = say_geo(p, rng, lang)
    elif kind == "ip":
        text = value.raw if rng.random() < 0.15 else say_ip(value.raw, rng, lang)
    elif kind == "block":
        text = "begin private key " + spell(p["body"][:24], rng, lang, True)
    else:  # token: keys, wallets, tracks
        text = value.raw if rng.random() < 0.5 else spell(value.raw[:32], rng, lang, True)
    return text, tags | more


def filling(kind, data, rng, lang):
    """A harmless slot as said."""
    if kind == "amount":
        whole, cents = data
        unit = {"en": "dollars", "es": "euros", "fr": "euros", "de": "euro", "pt": "euros", "it": "euro"}[lang]
        if rng.random() < 0.15:
            return (f"${whole}" + (f".{cents:02d}" if cents else "")) if lang == "en" else f"{whole} {unit}"
        return w.cardinal(whole, lang) + " " + unit + (" " + {"en": "and ", "es": "con ", "pt": "e ", "it": "e "}.get(lang, "") + w.cardinal(cents, lang)
                                                       + (rng.choice([" cents", ""]) if lang == "en" else "") if cents else "")
    if kind == "time":
        h, m = data
        if lang != "en":
            hour = {"es": "las {}", "fr": "{} heures", "de": "{} uhr", "pt": "{} horas", "it": "le {}"}[lang].format(w.cardinal(h, lang))
            return hour + (" " + {"es": "y ", "it": "e ", "pt": "e "}.get(lang, "") + w.cardinal(m, lang) if m else "")
        if m == 30 and rng.random() < 0.4:
            return "half past " + w.cardinal(h, "en")
        tail = rng.choice([" a m", " p m", " pm", "", " in the morning"])
        return w.cardinal(h, "en") + ("" if m == 0 else " oh " + w.cardinal(m, "en") if m < 10 else " " + w.cardinal(m, "en")) + (tail or (" o'clock" if m == 0 else ""))
    if kind == "year":
        return str(data) if rng.random() < 0.2 else w.year_words(data, lang, rng)
    if kind == "count":
        return str(data) if rng.random() < 0.15 else w.cardinal(data, lang)
    if kind == "percent":
        return w.cardinal(data, lang) + " " + {"en": "percent", "es": "por ciento", "fr": "pour cent", "de": "prozent", "pt": "por cento", "it": "per cento"}[lang]
    if kind == "number":
        return data if rng.random() < 0.2 else say_number_run(data, rng, lang)
    return str(data).lower()
