"""The writers of the events test. Each repeats a write under one key until it is acknowledged, and only then makes the next
one, so that its writes have an order that every consumer must see."""

import threading
import time

from program import Caller, Failure, seeded

CONVERSATIONS = "/conversation/v1/conversations"
STAMP = "2026-01-31T09:30:00Z"
PATIENCE = 180


def conversation_body(external_id, step=None):
    metadata = {} if step is None else {"metadata": {"step": f"s{step}"}}
    return {"externalId": external_id, "customer": {"externalId": "customer"}, "timestamp": STAMP, **metadata}


def message_body(role):
    return {"text": "The parcel left the depot.", "sender": {"role": role, "externalId": role}, "timestamp": STAMP}


class Writer(threading.Thread):
    """Writes to the conversations of one tenant that are its own, over all replicas in turn."""

    def __init__(self, number, tenant, credential, ports, options, stop, folder):
        super().__init__(daemon=True)
        self.number, self.tenant, self.stop, self.options = number, tenant, stop, options
        self.callers = [Caller(port, credential, timeout=15) for port in ports]
        self.random, self.requests, self.events = seeded(options.seed, "writer", number), 0, 0
        self.acknowledged = open(folder / f"writer-{number}", "w")
        self.ids, self.steps, self.failure = {}, 0, None
        self.slowest = 0

    def run(self):
        try:
            for number in range(self.options.conversations):
                name = f"call-{self.number}-{number}"
                answer = self.write(CONVERSATIONS, conversation_body(name))
                self.ids[name] = answer["id"]
                self.record("created", answer["id"])
            while not self.stop.is_set():
                self.step()
                if self.options.pause:
                    time.sleep(self.options.pause)
        except Exception as error:  # reported by the main thread
            self.failure = error
        self.acknowledged.close()

    def step(self):
        """One write: an upsert, a message, or several messages at once."""
        name, kind = self.random.choice(list(self.ids)), self.random.random()
        conversation = self.ids[name]
        role = self.random.choice(("agent", "customer", "system"))
        if kind < 0.05:
            self.steps += 1
            self.write(CONVERSATIONS, conversation_body(name, self.steps))
            self.record("updated", conversation)
        elif kind < 0.4:
            answer = self.write(f"{CONVERSATIONS}/{conversation}/messages", message_body(role))
            self.record("message", answer["id"])
        else:
            body = {"messages": [message_body(role)] * self.random.randrange(2, self.options.batch + 1)}
            for message in self.write(f"{CONVERSATIONS}/{conversation}/messages/batch", body)["ids"]:
                self.record("message", message)

    def record(self, kind, reference):
        self.acknowledged.write(f"{kind} {reference}\n")
        self.events += 1

    def write(self, path, body):
        """Sends a request under one key until it is acknowledged."""
        self.requests += 1
        key, started = f"{self.number}-{self.requests}-{self.options.seed}", time.monotonic()
        while time.monotonic() - started < PATIENCE:
            status, answer = self.random.choice(self.callers).json("POST", path, body, idempotency_key=key)
            if status == 200 and answer:
                self.slowest = max(self.slowest, time.monotonic() - started)
                return answer
            if status not in (None, 200, 409, 429, 503):
                raise Failure(f"writer {self.number}: {path} is a {status}: {answer}")
            time.sleep(0.05)
        raise Failure(f"writer {self.number}: {path} is not acknowledged within {PATIENCE} s")
