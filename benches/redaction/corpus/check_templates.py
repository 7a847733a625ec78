#!/usr/bin/env python3
"""Checks template lines and counts them by entity, style, language and kind.

check_templates.py FILE...
"""
import collections
import json
import pathlib
import re
import sys

import values

LANGUAGES = {"en", "es", "fr", "de", "pt", "it"}
STYLES = {"chat", "speech", "document"}
FILLINGS = set("amount time year weekday month count city company product number4 number6 number10 number16 percent brand".split())
SLOT = re.compile(r"\{([^{}]*)\}")
FORM = re.compile(r"^([A-Z_]+?)(?:\.(\d))?(!)?(?:\^([A-Za-z_]+))?(?::(\d)/(\d)|~(last4))?$")


def faults(template):
    """What is wrong with a parsed template, in words."""
    if not isinstance(template, dict) or set(template) - {"s", "l", "t", "k"}:
        return ["an object with the members s, l, t and k is needed"]
    if template.get("s") not in STYLES or template.get("l", "en") not in LANGUAGES or template.get("k", "negative") != "negative":
        return ["s, l or k has an unknown value"]
    messages = template.get("t")
    if not isinstance(messages, list) or not 1 <= len(messages) <= 8 or not all(re.match(r"[AC]: .", m, re.S) for m in messages):
        return ["t needs one to eight messages that begin with 'A: ' or 'C: '"]
    found, parts, with_value = [], collections.defaultdict(list), set()
    for number, message in enumerate(messages):
        for slot in SLOT.findall(message):
            if slot in FILLINGS:
                continue
            form = FORM.match(slot)
            if not form or form[1] not in values.ENTITIES:
                found.append(f"unknown slot {{{slot}}}")
                continue
            if form[3] and form[1] not in values.CHECKED:
                found.append(f"{form[1]} has no check digit: {{{slot}}}")
            if form[5]:
                parts[form[1], form[2], form[6]].append(int(form[5]))
            with_value.add(number)
    for (entity, _, count), order in parts.items():
        if order != list(range(1, int(count) + 1)):
            found.append(f"the parts of {entity} are not 1/{count} to {count}/{count} in order")
    if "k" in template and len(messages) - 1 in with_value:
        found.append("the last message of a negative has a value")
    if "k" not in template and not with_value:
        found.append("there is no value, although this is no negative")
    return found


def wording(template):
    """What two templates share if one only repeats the other."""
    return re.sub(r"\W+", " ", " ".join(template["t"]).lower())


def check(files):
    """The faults of files as lines of text, and the valid templates."""
    lines, seen, good = [], {}, []
    for file in files:
        for number, line in enumerate(pathlib.Path(file).read_text().splitlines(), 1):
            place = f"{file}:{number}"
            try:
                template = json.loads(line)
            except ValueError as error:
                lines.append(f"{place}: not JSON: {error}")
                continue
            wrong = faults(template)
            if not wrong and (first := seen.setdefault(wording(template), place)) != place:
                wrong = [f"the same words as {first}"]
            lines += [f"{place}: {one}" for one in wrong]
            good += [] if wrong else [template]
    return lines, good


def main():
    lines, good = check(sys.argv[1:])
    for line in lines[:60]:
        print(line)
    count = lambda of: dict(collections.Counter(map(of, good)).most_common())
    kind = lambda t: "negative" if "k" in t else "single" if len(t["t"]) == 1 else "dialogue"
    print(f"{len(good)} templates, {len(lines)} faults; styles {count(lambda t: t['s'])}; "
          f"languages {count(lambda t: t.get('l', 'en'))}; kinds {count(kind)}")
    slots = [form[1] for t in good for m in t["t"] for s in SLOT.findall(m) if (form := FORM.match(s))]
    print("by entity:", dict(collections.Counter(slots).most_common()))
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
