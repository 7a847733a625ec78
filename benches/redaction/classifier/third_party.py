"""Writes the licensed third-party training data of the token classifier: third_party.py FOLDER OUT.

FOLDER has MANIFEST.json, presidio_research_*.jsonl (MIT), multidogo_*.jsonl (CDLA-Permissive-1.0) and star_*.jsonl (MIT). Each
record names the entities that it covers: those that its source labels, and secrets, of which these sources have no others.
Messages whose value nothing in the message names are left out, because only a guess could find them.
"""
import json
import pathlib
import sys

SECRETS = ["CREDIT_CARD_NUMBER", "CVV", "PASSWORD", "PIN", "SSN", "ONE_TIME_PASSCODE"]
SOURCES = [
    "presidio_research_v2", "presidio_research_large", "multidogo_finance", "multidogo_insurance", "multidogo_airline",
    "multidogo_software", "multidogo_fastfood", "multidogo_media", "star_bank", "star_other",
]
RENAMED = {"CLAIM_NUMBER": "POLICY_NUMBER", "EMAIL_MANGLED": "EMAIL"}


def usable(source, record):
    """Whether the labels of a record are sure."""
    named = {tag.removeprefix("cue:") for tag in record.get("tags", []) if tag.startswith("cue:")}
    if source.startswith("multidogo"):
        return all(span["label"] in named for span in record["spans"])
    return "ambiguous" not in record.get("tags", [])


def main():
    folder, out = pathlib.Path(sys.argv[1]), open(sys.argv[2], "w")
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    for source in SOURCES:
        covered = manifest[source]["covered"]
        covered = sorted({RENAMED.get(label, label) for label in covered if isinstance(covered, list)} | set(SECRETS))
        for line in open(folder / f"{source}.jsonl"):
            record = json.loads(line)
            if not usable(source, record):
                continue
            spans = [{**span, "label": RENAMED.get(span["label"], span["label"])} for span in record["spans"]]
            spans = [span for span in spans if span["label"] in covered]
            print(json.dumps({"id": record["id"], "text": record["text"], "context": record.get("context") or [],
                              "spans": spans, "covered": covered}, ensure_ascii=False), file=out)


main()
