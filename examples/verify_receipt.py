#!/usr/bin/env python3
"""Verifies the receipt of an erasure without any program of the service.

    pip install cryptography
    python3 verify_receipt.py FILE [--key FINGERPRINT] [--previous FILE]

Needs Python 3.9 or later. The exit code is 0 for a genuine receipt and 1 for any other file. The format is described in
docs/privacy-receipts.md. A receipt has exactly one valid text, its canonical JSON: the script writes what it has read in
that form, and refuses a file that differs from it.
"""

import argparse
import datetime
import hashlib
import json
import re
import sys
import unicodedata

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PURPOSE = b"parlance erasure receipt v1:"
FIRST = "0" * 64
MAX_BYTES = 131_072
MAX_NUMBER = 2**53 - 1
MAX_ENTRIES = 64

HEX_32 = re.compile(r"[0-9a-f]{64}")
HEX_64 = re.compile(r"[0-9a-f]{128}")
WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")
REQUEST = re.compile(r"[A-Z0-9]+")
TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3}|\d{6})Z", re.ASCII)
KINDS_WITH_SUBJECT = ("conversation", "customer")
KINDS = KINDS_WITH_SUBJECT + ("retention", "tenant")


class Refused(Exception):
    """Says in words why a file is refused."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def fields(value, names, where):
    """Checks that an object has exactly these fields."""
    require(isinstance(value, dict), f"{where} is not an object")
    require(set(value) == set(names), f"{where} must have exactly the fields {', '.join(names)}")


def matches(value, pattern, name):
    require(isinstance(value, str) and pattern.fullmatch(value), f"{name} does not have its form")


def number(value, name):
    # bool is a subtype of int in Python.
    require(type(value) is int and 0 <= value <= MAX_NUMBER, f"{name} must be a whole number from 0 to {MAX_NUMBER}")


def text(value, shortest, longest, name):
    require(isinstance(value, str) and shortest <= len(value) <= longest, f"{name} has the wrong length")
    require(all(unicodedata.category(letter) != "Cc" for letter in value), f"{name} has a control character")


def time(value, name):
    matches(value, TIME, name)
    second, fraction = TIME.fullmatch(value).groups()
    # Six digits are written only if the last three are not zero.
    require(len(fraction) == 3 or not fraction.endswith("000"), f"{name} is not in canonical form")
    try:
        datetime.datetime.fromisoformat(second)
    except ValueError:
        raise Refused(f"{name} is not a date and a time") from None


def entries(value, names, key, where):
    require(isinstance(value, list) and len(value) <= MAX_ENTRIES, f"{where} must be a list of at most {MAX_ENTRIES}")
    for entry in value:
        fields(entry, names, f"an entry of {where}")
        matches(entry[key], WORD, key)
    require(len({entry[key] for entry in value}) == len(value), f"{where} names a {key} twice")


def check_receipt(receipt):
    """Checks every field of a receipt."""
    names = ("audit", "completed_at", "counts", "kind", "not_covered", "previous", "reference", "request",
             "requested_at", "subject", "tenant", "version")
    fields(receipt, names, "the receipt")
    number(receipt["version"], "version")
    require(receipt["version"] == 1, "version must be 1: another version needs another verifier")
    fields(receipt["audit"], ("hash", "sequence"), "audit")
    matches(receipt["audit"]["hash"], HEX_32, "hash")
    number(receipt["audit"]["sequence"], "sequence")
    time(receipt["requested_at"], "requested_at")
    time(receipt["completed_at"], "completed_at")
    entries(receipt["counts"], ("count", "place"), "place", "counts")
    for entry in receipt["counts"]:
        number(entry["count"], "count")
    entries(receipt["not_covered"], ("code", "reason"), "code", "not_covered")
    for entry in receipt["not_covered"]:
        text(entry["reason"], 1, 400, "reason")
    matches(receipt["previous"], HEX_32, "previous")
    text(receipt["reference"], 0, 256, "reference")
    matches(receipt["request"], REQUEST, "request")
    matches(receipt["tenant"], TENANT, "tenant")
    require(receipt["kind"] in KINDS, f"kind must be one of {', '.join(KINDS)}")
    if receipt["kind"] in KINDS_WITH_SUBJECT:
        matches(receipt["subject"], HEX_32, "subject")
    else:
        require(receipt["subject"] is None, f"subject must be null in a receipt of the kind {receipt['kind']}")


def object_without_repeats(pairs):
    require(len({name for name, _ in pairs}) == len(pairs), "a field stands twice")
    return dict(pairs)


def no_number(_):
    raise Refused("a number has a fraction or an exponent, or is none")


def canonical(value):
    """The canonical JSON of a value: sorted keys, no white space, only the escapes that JSON requires."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def load(path):
    """Reads a file, and returns it with the bytes that its signature must cover."""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    require(len(data) <= MAX_BYTES, f"the file has more than {MAX_BYTES} bytes")
    try:
        content = data.decode("utf-8")
        document = json.loads(content, object_pairs_hook=object_without_repeats, parse_float=no_number,
                              parse_constant=no_number)
    except (ValueError, RecursionError):
        raise Refused("the file is not one JSON document in UTF-8") from None
    fields(document, ("key", "public_key", "receipt", "signature"), "the file")
    matches(document["key"], HEX_32, "key")
    matches(document["public_key"], HEX_32, "public_key")
    matches(document["signature"], HEX_64, "signature")
    check_receipt(document["receipt"])
    # One line feed may end the file.
    require(content in (canonical(document), canonical(document) + "\n"), "the file is not in canonical form")
    return document, PURPOSE + canonical(document["receipt"]).encode("utf-8")


def verify(path):
    """Reads a file and verifies its signature with the public key in it."""
    document, signed = load(path)
    public_key = bytes.fromhex(document["public_key"])
    require(hashlib.sha256(public_key).hexdigest() == document["key"], "key is not the fingerprint of public_key")
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(bytes.fromhex(document["signature"]), signed)
    except (InvalidSignature, ValueError):
        raise Refused("the signature is not one of this content by this key") from None
    return document, hashlib.sha256(signed).hexdigest()


def check_follows(receipt, previous, digest):
    require(receipt["tenant"] == previous["tenant"], "the previous receipt belongs to another tenant")
    require(receipt["previous"] == digest, "the receipt does not follow the previous one directly")
    later = receipt["audit"]["sequence"] > previous["audit"]["sequence"]
    require(later, "the position in the audit log is not after that of the previous receipt")


def main():
    parser = argparse.ArgumentParser(description="Verifies the receipt of an erasure.")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--key", metavar="FINGERPRINT", help="the fingerprint of the key that must have signed it")
    parser.add_argument("--previous", metavar="FILE", help="the receipt that must precede it directly")
    arguments = parser.parse_args()
    try:
        document, _ = verify(arguments.file)
        if arguments.key is not None:
            require(document["key"] == arguments.key.lower(), f"the receipt is signed by the key {document['key']}")
        if arguments.previous is not None:
            previous, digest = verify(arguments.previous)
            check_follows(document["receipt"], previous["receipt"], digest)
    except (Refused, OSError) as error:
        sys.exit(f"{arguments.file}: {error}")
    print(f"genuine, signed by the key {document['key']}")
    if arguments.key is None:
        print("This proves only that the file was not changed since that key signed it. Check whose it is with --key")


if __name__ == "__main__":
    main()
