#!/usr/bin/env python3
"""Scores a redaction command on labelled messages.

score.py --data FILE... [--json OUT] [--show LABEL|negatives] [--entities LABEL,LABEL | --defaults] -- COMMAND [ARG ...]

The command reads JSON Lines {"text", "context", "entities"?} and writes {"text": masked, "spans": [{"start", "end", "label"}]} a line,
with "earlier": [{"message", "start", "end", "label"}] where it masks messages of the context ("message" is the index there).
"""
import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

from aligning import visible
from spoken_words import COUNTS
from values import ENTITIES

DEFAULTS = ["CREDIT_CARD_NUMBER", "CVV", "PASSWORD", "PIN", "SSN"]
SAME = {"DATE": "DOB", "ACCOUNT_NUMBER": "BANK_ACCOUNT_NUMBER"}
TAGS = ("wrong_check", "spelled", "digits_written", "filler", "correction", "homophone", "odd_groups", "track", "phrase", "last4", "agent")
SHOWN = 40


def same(a, b):
    return SAME.get(a, a) == SAME.get(b, b)


def overlaps(a, b):
    return a["start"] < b["end"] and b["start"] < a["end"]


def digit_count(text):
    """Digits of a text, digit words counted."""
    return sum(sum(c.isdigit() for c in x) or COUNTS.get(x.strip(".,").lower(), 0) for x in text.split())


def run(command, records, entities):
    """The answers of the command, one a record."""
    request = [{"text": r["text"], "context": r["context"], **({"entities": entities} if entities else {})} for r in records]
    data = "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in request)
    done = subprocess.run(command, input=data.encode(), stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8").split("\n")
    answers = [json.loads(x) for x in lines if x.strip()]
    if done.returncode or len(answers) != len(records):
        sys.exit(f"the command ended with {done.returncode} and {len(answers)} answers for {len(records)} records")
    return answers


def masked_later(records, answers):
    """For each record, the ranges that the answers to later messages of the same conversation mask in it."""
    later = [[] for _ in records]
    places = {}
    for number, (record, answer) in enumerate(zip(records, answers)):
        conversation, _, message = record["id"].rpartition(":m")
        places[conversation, message] = number
        for e in answer.get("earlier", []):
            target = places.get((conversation, str(e["message"] + 1)))
            if target is not None:
                later[target].append((e["start"], e["end"]))
    return later


def leftover(record, span, seen):
    """Letters and digits of a value that are visible but may not be."""
    places = [i for i in range(span["start"], span["end"]) if record["text"][i].isalnum()]
    kept = span.get("keep", 0)
    number = re.search(r"\d{12,19}", record["text"][span["start"]:span["end"]]) if "track" in span.get("tags", []) else None
    if number:  # the format code before the card number is no data, and the last four digits stand before the rest of the track
        first, after = span["start"] + number.start(), span["start"] + number.end()
        return sum(seen[i] for i in places if i >= first and not after - 4 <= i < after)
    return sum(seen[i] for i in (places[:-kept] if kept else places))


def nothing_to_hide(record, span):
    return sum(c.isalnum() for c in record["text"][span["start"]:span["end"]]) <= span.get("keep", 0)


class Tally:
    """All figures of one run."""

    def __init__(self, labels):
        self.labels, self.show = set(labels), defaultdict(lambda: ([], []))
        self.value = defaultdict(Counter)      # label -> n, hidden, finally_hidden, own, wrong
        self.groups = defaultdict(Counter)     # (kind of group, name) -> n, hidden, finally_hidden, own, wrong
        self.span = defaultdict(Counter)       # label -> spans, right, wrong_entity, false_alarm
        self.mixed = Counter()                 # (label of the span, label of the value)
        self.negative = defaultdict(Counter)   # entity asked for -> records, changed
        self.words, self.negative_words, self.false, self.negative_false = 0, 0, 0, 0
        self.changed = []

    def add(self, record, answer, later=()):
        """Counts a record; `later` are the ranges that later messages mask in it."""
        text, spans = record["text"], answer["spans"]
        seen = visible(text, answer["text"], spans)
        seen_finally = [s and not any(a <= i < b for a, b in later) for i, s in enumerate(seen)] if later else seen
        n_words = len(text.split())
        self.words += n_words
        for want in record["spans"]:
            if want["label"] in self.labels and not nothing_to_hide(record, want):
                self._value(record, want, spans, (seen, seen_finally), answer["text"])
        false = [got for got in spans if self._span(record, got)]
        self.false += len(false)
        if record["kind"] == "negative":
            self._negative(record, answer, seen, false, n_words)

    def _value(self, record, want, spans, seen, masked):
        over = [g for g in spans if overlaps(g, want)]
        own = any(same(g["label"], want["label"]) for g in over)
        hidden, finally_hidden = (int(leftover(record, want, s) == 0) for s in seen)
        row = Counter(n=1, hidden=hidden, finally_hidden=finally_hidden, own=int(own), wrong=int(bool(over) and not own))
        self.value[want["label"]].update(row)
        names = [("style", record["style"]), ("kind", record["kind"]), ("lang", record["lang"]), ("all", "all")]
        for pair in names + [("tag", t) for t in want.get("tags", []) + (["agent"] if "agent" in record["tags"] else []) if t in TAGS]:
            self.groups[pair].update(row)
        if not row["finally_hidden"]:
            self.show[want["label"]][0].append((record, want, masked))

    def _span(self, record, got):
        """Counts a span; True for a false alarm."""
        label = got["label"]
        row = self.span[label]
        row["spans"] += 1
        over = [w for w in record["spans"] if overlaps(got, w)]
        by_definition = label == "NUMERIC_SEQUENCE" and (over or digit_count(record["text"][got["start"]:got["end"]]) >= 5)
        if by_definition or any(same(w["label"], label) for w in over):
            row["right"] += 1
        elif over:
            row["wrong_entity"] += 1
            self.mixed[label, over[0]["label"]] += 1
        else:
            row["false_alarm"] += 1
            self.show[label][1].append((record, got, None))
            return True
        return False

    def _negative(self, record, answer, seen, false, n_words):
        self.negative_words += n_words
        self.negative_false += len(false)
        allowed = [s for s in answer["spans"] if s["label"] == "NUMERIC_SEQUENCE" and s not in false]
        lost = any(c.isalnum() and not seen[i] and not any(s["start"] <= i < s["end"] for s in allowed) for i, c in enumerate(record["text"]))
        asked = [t[5:] for t in record["tags"] if t.startswith("asks:")]
        groups = ["all", "after_question" if "after_question" in record["tags"] else "other"] + asked[:1]
        for g in groups + ["style " + record["style"], "lang " + record["lang"]]:
            self.negative[g].update(records=1, changed=int(lost))
        if lost:
            self.changed.append((record, None, answer["text"]))

    def figures(self):
        """Everything as plain dictionaries."""
        return {"entities": {k: {**{f: v[f] for f in ("n", "hidden", "finally_hidden", "own", "wrong")}, **{f: self.span[k][f] for f in ("spans", "right", "wrong_entity", "false_alarm")}}
                             for k in sorted(set(self.value) | set(self.span)) for v in [self.value[k]]},
                "totals": {f"{a}:{b}": dict(c) for (a, b), c in sorted(self.groups.items())},
                "negatives": {k: dict(v) for k, v in sorted(self.negative.items())},
                "false_per_10000_words": round(1e4 * self.false / max(1, self.words), 2),
                "false_per_10000_words_of_negatives": round(1e4 * self.negative_false / max(1, self.negative_words), 2),
                "words": self.words, "mixed_up": [[a, b, n] for (a, b), n in self.mixed.most_common(40)]}


def share(part, whole):
    return f"{100 * part / whole:6.1f}" if whole else "     -"


def table(result):
    print(f"{'entity':24}{'n':>7} {'at once%':>8} {'in the end%':>11} {'own%':>6} {'wrong%':>6} {'spans':>7} {'right%':>6} {'other':>6} {'false':>6}")
    for name, r in result["entities"].items():
        print(f"{name:24}{r['n']:7} {share(r['hidden'], r['n']):>8} {share(r['finally_hidden'], r['n']):>11} {share(r['own'], r['n'])} {share(r['wrong'], r['n'])} {r['spans']:7} {share(r['right'], r['spans'])} "
              f"{r['wrong_entity']:6} {r['false_alarm']:6}")
    print(f"\n{'group':24}{'n':>7} {'at once%':>8} {'in the end%':>11} {'own%':>6} {'wrong%':>6}")
    for name, r in result["totals"].items():
        print(f"{name:24}{r['n']:7} {share(r['hidden'], r['n']):>8} {share(r['finally_hidden'], r['n']):>11} {share(r['own'], r['n'])} {share(r['wrong'], r['n'])}")
    print(f"\n{'negatives':24}{'records':>7} {'lose a word%':>12}")
    for name, r in result["negatives"].items():
        print(f"{name:24}{r['records']:7} {share(r['changed'], r['records']):>12}")
    print(f"\nfalse maskings per 10,000 words: {result['false_per_10000_words']} (negatives only: {result['false_per_10000_words_of_negatives']})")
    if result["mixed_up"]:
        print("mixed up most (found as, is): " + ", ".join(f"{a}<-{b} {n}" for a, b, n in result["mixed_up"][:10]))


def excerpt(record, span, masked):
    text = record["text"].replace("\n", "⏎")
    before = record["context"][-1][-70:].replace("\n", "⏎") if record["context"] else ""
    if span:
        a, b = span["start"], span["end"]
        text = text[max(0, a - 60):a] + "⟦" + text[a:b][:90] + "⟧" + text[b:b + 40]
    line = f"  {record['id']} {record['style']}/{record['lang']} ({before}) {text[:220]}"
    return line + (f"\n      -> {masked.replace(chr(10), '⏎')[:160]}" if masked is not None else "")


def main():
    args = sys.argv[1:]
    if "--" not in args:
        sys.exit(__doc__)
    cut = args.index("--")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--json")
    parser.add_argument("--show")
    parser.add_argument("--entities")
    parser.add_argument("--defaults", action="store_true", help="the command runs with its defaults; only these five entities are scored")
    options, command = parser.parse_args(args[:cut]), args[cut + 1:]
    active = None if options.defaults else options.entities.split(",") if options.entities else ENTITIES
    unknown = set(active or []) - set(ENTITIES)
    if unknown or not command:
        sys.exit(f"unknown entities: {sorted(unknown)}" if unknown else "no command")
    records = []
    for path in options.data:
        with open(path, encoding="utf-8") as lines:
            records += [json.loads(line) for line in lines if line.strip()]
    tally = Tally(active or DEFAULTS)
    answers = run(command, records, active)
    for record, answer, later in zip(records, answers, masked_later(records, answers)):
        tally.add(record, answer, later)
    result = tally.figures()
    table(result)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(result, out, indent=1)
            out.write("\n")
    if options.show == "negatives":
        print("\nnegatives that lose a word:", len(tally.changed))
        print("\n".join(excerpt(*x) for x in tally.changed[:SHOWN]))
    elif options.show:
        for title, rows in zip(("misses", "false alarms"), tally.show[options.show]):
            print(f"\n{options.show} {title}: {len(rows)}")
            print("\n".join(excerpt(*x) for x in rows[:SHOWN]))


if __name__ == "__main__":
    main()
