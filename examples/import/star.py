"""Converts dialogues of the STAR data set (https://github.com/RasaHQ/STAR) into a file for `parlance import`.

    python3 star.py STAR/dialogues/*.json > star.jsonl

A dialogue becomes a conversation, its user the customer, and its wizard the agent.
"""

import datetime
import json
import sys

ROLES = {"User": "customer", "Wizard": "agent"}
SPOKEN = {"utter", "pick_suggestion"}


def time(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def conversation(dialogue):
    people = {"customer": dialogue["AnonymizedUserWorkerID"], "agent": dialogue["AnonymizedWizardWorkerID"]}
    messages = []
    for event in dialogue["Events"]:
        role = ROLES.get(event["Agent"])
        if role and event["Action"] in SPOKEN and event.get("Text"):
            sender = {"role": role, "externalId": people[role]}
            messages.append({"text": event["Text"], "sender": sender, "timestamp": time(event["UnixTime"])})
    if not messages:
        return None
    return {
        "externalId": f"star-{dialogue['DialogueID']}",
        "customer": {"externalId": people["customer"]},
        "agent": {"externalId": people["agent"]},
        "timestamp": messages[0]["timestamp"],
        "metadata": {"domains": ",".join(filter(None, dialogue["Scenario"]["Domains"]))},
        "messages": messages,
    }


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        converted = conversation(json.load(file))
    if converted:
        print(json.dumps(converted, ensure_ascii=False))
