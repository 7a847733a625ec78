#!/usr/bin/env python3
"""Fills templates of contact-centre messages with values: JSON Lines of labelled messages.

generate.py --templates FILE... --seed N --per-template K --out FILE
"""
import argparse
import dataclasses
import json
import os
import random
import re

import noise
import questions
import spoken
import values
import values_core
import values_filling
import written
from spoken_words import MARK_WORDS, digit_tail

SLOT = re.compile(r"\{([^{}]*)\}")
FORM = re.compile(r"^([A-Z_]+?)(?:\.(\d))?(!)?(?:\^([A-Za-z_]+))?(?::(\d)/(\d)|~(last4))?$")
# a wrong value is the right one of the same template misread; digits before this place stay
MISREAD = {"CREDIT_CARD_NUMBER": 2, "IBAN": 2, "BANK_ROUTING_NUMBER": 2, "VIN": 9, "IN_GSTIN": 2, "IMEI": 2, "US_DEA_NUMBER": 2,
           **dict.fromkeys(["CA_SIN", "AU_TFN", "UK_NHS_NUMBER", "US_NPI", "IN_AADHAAR", "AU_ABN", "AU_MEDICARE"], 1)}
VIEWS = {"first", "last", "full", "lastfirst", "spelled"}
SURNAME = re.compile(r"surname|last name|family name|apellido|nom de famille|nachname|sobrenome|apelido|cognome", re.I)
NUMBERS = r"\b(?:(three|3|tres|trois|drei|três|tre)|(four|4|cuatro|quatre|vier|quatro|quattro)|(six|6))"
COUNT_WORDS = re.compile(NUMBERS + r"(?:[ -](?:digit|number|cifra|dígito|n[uú]mero|chiffre|stellig|ziffer|numeri)| (?:on|at|from) the (?:back|front))", re.I)
BRANDS = {"amex": r"\bamex\b|american express", "mastercard": r"\bmaster ?card", "discover": r"\bdiscover card", "diners": r"\bdiners", "visa": r"\bvisa\b(?! appl| off)",
          "maestro": r"\bmaestro"}


class Filler:
    """The values of one filled template: the same slot is the same value."""

    def __init__(self, template, rng, uid):
        self.rng, self.uid = rng, uid
        self.lang, self.style = template.get("l", "en"), template["s"]
        found = COUNT_WORDS.search(" ".join(template["t"]))
        self.size = next((n for n, g in zip((3, 4, 6), found.groups()) if g), None) if found else None
        self.values, self.parts, self.person = {}, {}, None
        words = " ".join(template["t"])
        brands = [b for b, cue in BRANDS.items() if re.search(cue, words, re.I)]
        self.brand = brands[0] if len(brands) == 1 else "16" if re.search(r"\b(16|sixteen)[ -](digit|number)", words, re.I) else None
        self.surname = bool(SURNAME.search(" ".join(template["t"])))

    def value(self, entity, index, wrong, variant, no_track, parts=0):
        """(key, value) of a slot; what the words say of a card's brand or a number's length is kept."""
        key = (entity, index, wrong, None if variant in VIEWS else variant)
        if key not in self.values and wrong and entity in MISREAD:
            right = self.value(entity, index, False, variant, True, parts)[1]
            raw = values_core.spoil(self.rng, right.raw, values.CHECKS[entity], MISREAD[entity])
            self.values[key] = dataclasses.replace(right, raw=raw, tags=right.tags | {"wrong_check"})
        if key not in self.values:
            hint = key[3]
            if entity == "CREDIT_CARD_NUMBER":
                hint = self.brand if index == "1" and self.brand else "16" if parts in (2, 4, 8) else None
            while True:
                v = values.make(entity, self.rng, self.lang, hint, wrong, self.person if self.rng.random() < 0.6 else None)
                sized = entity not in ("CVV", "PIN") or not self.size or len(v.raw) == self.size or (entity, self.size) in (("CVV", 6), ("PIN", 3))
                if sized and not (no_track and "track" in v.tags):
                    break
            if entity == "PERSON_NAME" and self.person is None:
                self.person = v
            self.values[key] = v
        return key, self.values[key]

    def render(self, value, view=None):
        if view == "spelled" and value.kind == "name" and self.surname:
            value = values_core.Value("name", value.pieces["last"], [], {"first": "", "middle": "", "last": value.pieces["last"]})
        if self.style == "speech":
            return spoken.render(value, self.rng, self.lang, view)
        return written.render(value, self.rng, self.lang, self.style, view)

    def part_texts(self, key, value, n, view):
        """(texts, characters that may stay at the end of each, tags) of a value said in n parts."""
        if (key, n) in self.parts:
            return self.parts[key, n]
        entity, keeps, tags = key[0], [0] * n, set(value.tags) - {"odd_groups"}
        if value.kind in ("digits", "code") and len(value.raw) >= n:
            sizes = next((s for s in [[len(g) for g in re.findall("#+", x)] for x in value.layouts] if len(s) == n), None)
            if sizes is None:
                q, r = divmod(len(value.raw), n)
                sizes = [q + (i < r) for i in range(n)]
            texts, at, later = [], 0, len(value.raw)
            for i, size in enumerate(sizes):
                piece = values_core.Value(value.kind, value.raw[at:at + size], ["#" * size])
                at, later = at + size, later - size
                text, more = self.render(piece, "spelled" if view == "spelled" else None)
                texts.append(text.strip())
                tags |= more
                keeps[i] = digit_tail(text, max(0, 4 - later)) if entity in values.LAST_FOUR and later < 4 else 0
        else:
            text, more = self.render(value, view)
            tags |= more
            tokens = text.split()
            if len(tokens) < n:
                tokens = re.findall(r"[@.]?[^@.\s]+", text)
            if len(tokens) < n:
                tokens = list(text.replace(" ", ""))
            joint = " " if " " in text else ""
            texts = [joint.join(tokens[i * len(tokens) // n:(i + 1) * len(tokens) // n]) or tokens[-1] for i in range(n)]
        self.parts[key, n] = (texts, keeps, tags)
        return self.parts[key, n]

    def slot(self, body):
        """(text, span or None, tags) for the inside of a pair of braces."""
        if body in values_filling.SLOTS:
            kind, data = values_filling.make(body, self.rng, self.lang)
            if body == "brand":
                self.brand = next((b for b, cue in BRANDS.items() if re.search(cue, data, re.I)), self.brand)
            if self.style == "speech":
                return spoken.filling(kind, data, self.rng, self.lang), None, set()
            return written.filling(kind, data, self.rng, self.lang, self.style), None, set()
        form = FORM.match(body)
        if not form or form[1] not in values.MAKERS:
            raise ValueError(f"unknown slot {{{body}}}")
        entity, index, wrong, variant, part, of, last4 = form.groups()
        key, value = self.value(entity, index or "1", bool(wrong), variant, bool(part or last4 or variant == "spelled" or self.style == "speech"), int(of or 0))
        view = variant if variant in VIEWS else None
        if part:
            texts, keeps, tags = self.part_texts(key, value, int(of), view)
            text, keep = texts[int(part) - 1], keeps[int(part) - 1]
        else:
            text, tags = self.render(value, "last4" if last4 else view)
            text = text.strip()
            keep = self.keep(entity, text, last4)
        span = {"label": entity, "value_id": f"{self.uid}/{entity}.{index or 1}{'!' if wrong else ''}{'^' + key[3] if key[3] else ''}"}
        if keep:
            span["keep"] = keep
        if tags:
            span["tags"] = sorted(tags)
        if part:
            span["part"] = f"{part}/{of}"
        return text, span, tags

    def keep(self, entity, text, last4):
        """How many letters and digits at the end of the value its own mask may leave visible."""
        if last4:
            return sum(c.isalnum() for c in text) if entity == "CREDIT_CARD_NUMBER" else 0
        if entity in values.LAST_FOUR:
            return digit_tail(text)
        if entity == "EMAIL":
            at = max([text.find("@")] + [text.lower().rfind(f" {x} ") for x in MARK_WORDS[self.lang]["@"] + ["at"]])
            return sum(c.isalnum() for c in text[at:]) if at >= 0 else 0
        return 0


def message(filler, text, agent):
    """(text, spans, tags) of one message."""
    pieces, tags, at = [], set(), 0
    for m in SLOT.finditer(text):
        pieces.append((text[at:m.start()], None, True))
        filled, span, more = filler.slot(m.group(1))
        pieces.append((filled, span, False))
        tags |= more
        at = m.end()
    pieces.append((text[at:], None, True))
    pieces = [p for p in pieces if p[0]]
    if filler.style == "chat":
        pieces = noise.noisy(pieces, filler.rng, agent)
    out, spans = "", []
    for piece, span, _ in pieces:
        if span is not None:
            spans.append({"start": len(out), "end": len(out) + len(piece), **span})
        out += piece
    return out, spans, tags


def records(template, rng, uid):
    """The records of one filling of a template."""
    filler = Filler(template, rng, uid)
    roles = [t[0] for t in template["t"]]
    built = [message(filler, t[3:], t[0] == "A") for t in template["t"]]
    holders = {}
    for i, (_, spans, _) in enumerate(built):
        for s in spans:
            if "part" in s:
                holders.setdefault(s["value_id"], set()).add(i)
    for i, (text, spans, tags) in enumerate(built):
        negative = template.get("k") == "negative" and i == len(built) - 1
        if not spans and not negative:
            continue
        before = built[i - 1][0] if i and roles[i - 1] == "A" else ""
        asked = questions.asks(before) if before else []
        tags, labels = set(tags), {s["label"] for s in spans}
        if negative:
            kind = "negative"
            tags |= ({"after_question"} if before else set()) | {f"asks:{a}" for a in asked[:2]}
        elif any(len(holders.get(s["value_id"], ())) > 1 for s in spans):
            kind = "split"
        elif roles[i] == "C" and before and (questions.is_question(before) or labels & set(asked)):
            kind = "answer"
        else:
            kind = "statement"
        if roles[i] == "A":
            tags.add("agent")
        yield {"id": f"{uid}:m{i + 1}", "text": text, "spans": spans, "context": [b[0] for b in built[:i]], "roles": roles[:i + 1], "style": template["s"],
               "lang": template.get("l", "en"), "kind": kind, "tags": sorted(tags)}


def generate(paths, seed, per_template):
    """All records of template files, in order; a filling depends on the seed and the template's own text only."""
    seen = set()
    for path in paths:
        stem = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as lines:
            for n, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                template = json.loads(line)
                for k in range(per_template):
                    rng = random.Random(f"{seed}|{k}|{json.dumps(template, sort_keys=True, ensure_ascii=False)}")
                    for record in records(template, rng, f"{stem}:{n}:{k}"):
                        key = (record["text"], tuple(record["context"]))
                        if key not in seen:
                            seen.add(key)
                            yield record


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--templates", nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-template", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    count = 0
    with open(args.out, "w", encoding="utf-8", newline="\n") as out:
        for record in generate(args.templates, args.seed, args.per_template):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    print(f"{count} records in {args.out}")


if __name__ == "__main__":
    main()
