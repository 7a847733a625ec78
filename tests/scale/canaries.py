"""The customers of the privacy test: their conversations as a file for the import, and their unusual words, the canaries.

Each customer has ten canaries, in texts, a name, metadata and identifiers. A canary is a marker and four syllables, so
that it is found fast and no rule of the redaction masks it. One canary of a customer is a word with an accent."""

import datetime
import json

MARKER = "zuqvo"
CONSONANTS, VOWELS = "bdfgklmnprstvzhjcwxq", "aeiou"
KINDS = ("customer", "name", "metadata", "conversation", "accent", "text", "system", "agent", "long", "elsewhere")
MESSAGES = 20
SPREAD_DAYS = 10
FILLER = ("The parcel left the depot on the second van.", "Could you look at the order again?", "It was paid in spring.",
          "Our garden chairs came without the cushions.", "I will call the branch and ask for a date.")


def word(number, accent=False):
    """The canary with this number."""
    mixed, syllables = number * 61_803_397 % 100_000_000, ""
    for _ in range(4):
        mixed, rest = divmod(mixed, 100)
        syllables += CONSONANTS[rest // 5] + VOWELS[rest % 5]
    return MARKER + (syllables[:-1] + "é" if accent else syllables)


class Customers:
    """What is stored of `count` customers with `messages` messages each, on the days up to yesterday."""

    def __init__(self, count, messages, days):
        self.count, self.days = count, days
        self.conversations = max(6, messages // MESSAGES)
        self.today = datetime.datetime.now(datetime.UTC).date()
        self.words = {}
        for customer in range(count):
            for place, kind in enumerate(KINDS):
                self.words[word(customer * len(KINDS) + place, kind == "accent")] = (customer, kind)
        if len(self.words) != count * len(KINDS):
            raise ValueError("two canaries are equal")

    def canary(self, customer, kind):
        return word(customer * len(KINDS) + KINDS.index(kind), kind == "accent")

    def canaries(self, customer):
        return {self.canary(customer, kind) for kind in KINDS}

    def external_id(self, customer, conversation):
        return self.canary(customer, "conversation") if conversation == 0 else f"call-{customer}-{conversation}"

    def age(self, customer, conversation):
        """How many days ago a conversation was."""
        spread = min(SPREAD_DAYS, self.days)
        return 1 + (customer * 7 + conversation % spread) % self.days

    def is_brief(self, conversation):
        """Whether the retention rule of the test is for this conversation."""
        return conversation % 5 == 4

    def text(self, customer, conversation, number):
        """The text of a message and the role of its sender."""
        role = ("agent", "customer")[number % 2]
        if number == 9 and conversation == 1:
            return f"We wrote {self.canary(customer, 'accent')} on the box.", "customer"
        if number == 7 and conversation == 0:
            return f"My word is {self.canary(customer, 'text')} for that.", "customer"
        if number == 8 and conversation == 2:
            return f"Queue {self.canary(customer, 'system')} was chosen", "system"
        if number == 10 and conversation == 4:
            return f"You said {self.canary(customer, 'agent')}, did you?", "agent"
        if number == 6 and conversation == 3:
            return f"{' '.join(FILLER * 12)} {self.canary(customer, 'long')} {' '.join(FILLER * 12)}", "customer"
        return f"{FILLER[(customer + number) % len(FILLER)]} Step {conversation} of {number}.", role

    def line(self, customer, conversation):
        """A conversation as a line of the file."""
        day = self.today - datetime.timedelta(days=self.age(customer, conversation))
        start = datetime.datetime.combine(day, datetime.time(8, conversation % 60, customer % 60))
        who = self.canary(customer, "customer")
        metadata = {"tier": "brief" if self.is_brief(conversation) else "full"}
        if conversation == 0:
            metadata["note"] = self.canary(customer, "metadata")
        messages = []
        for number in range(MESSAGES):
            text, role = self.text(customer, conversation, number)
            sender = who if role == "customer" else f"{role}-{customer % 40}"
            messages.append(self.message(start, number, text, role, sender))
        if conversation == 5:  # a message of another customer
            guest = (customer - 1) % self.count
            text = f"Here speaks {self.canary(guest, 'elsewhere')} now."
            messages.append(self.message(start, MESSAGES, text, "customer", self.canary(guest, "customer")))
        return {"externalId": self.external_id(customer, conversation),
                "customer": {"externalId": who, "name": f"Ada {self.canary(customer, 'name')}"},
                "timestamp": start.isoformat() + "Z", "metadata": metadata, "messages": messages}

    @staticmethod
    def message(start, number, text, role, sender):
        at = (start + datetime.timedelta(seconds=30 * number)).isoformat() + "Z"
        return {"text": text, "sender": {"role": role, "externalId": sender}, "timestamp": at}

    def write(self, path):
        """Writes the file for the import, and returns the number of its messages."""
        count = 0
        with open(path, "w", encoding="utf-8") as file:
            for conversation in range(self.conversations):
                for customer in range(self.count):
                    line = self.line(customer, conversation)
                    count += len(line["messages"])
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return count

    def home(self, customer, kind):
        """The conversation, as customer and number, in which a canary stands."""
        return {"accent": (customer, 1), "system": (customer, 2), "agent": (customer, 4), "long": (customer, 3),
                "elsewhere": ((customer + 1) % self.count, 5)}.get(kind, (customer, 0))
