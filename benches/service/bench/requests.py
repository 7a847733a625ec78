"""What is sent: the requests of each workload, as files that wrk reads."""

import json
import random
from concurrent.futures import ThreadPoolExecutor

CONVERSATIONS = 1_000
MESSAGES_EACH = 50
VARIETY = 5_000
BATCH = 300
PATH = "/conversation/v1/conversations"

# Seconds of the day. Messages arrive in the order of their time, as they do where people talk: each is the newest of its
# conversation. What the lists begin with came first, then what fills the database, then what is measured.
BEFORE, NOW = 40_000, 80_000


def texts(root):
    """Texts of about 120 bytes, some with data that is masked, in an order that is the same in every run."""
    lines = (root / "benches/service/messages.txt").read_text().splitlines()
    choose = random.Random(1)
    return [choose.choice(lines) for _ in range(VARIETY)]


def conversation(name):
    return {
        "externalId": name,
        "agent": {"externalId": "agent-3", "name": "Grace"},
        "customer": {"externalId": "customer-7", "name": "Ada"},
        "metadata": {"channel": "phone"},
        "timestamp": "2026-01-31T09:30:00Z",
    }


def message(text, moment):
    sender = {"role": "customer", "externalId": "customer-7"}
    return {"text": text, "sender": sender, "timestamp": f"2026-01-31T{moment // 3600:02}:{moment // 60 % 60:02}:{moment % 60:02}Z"}


def load(server, root, conversations=CONVERSATIONS):
    """Fills a service through its interface, and gives the ids of its conversations."""
    said = texts(root)

    def fill(number):
        made = server.call("POST", PATH, conversation(f"call-{number}"))["id"]
        for place in range(MESSAGES_EACH):
            text = said[(number * MESSAGES_EACH + place) % len(said)]
            server.call("POST", f"{PATH}/{made}/messages", message(text, place))
        return made

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(fill, range(conversations)))


def lines_of(name, ids, root):
    """The requests of a workload. `@@` stands for a number that no other request has."""
    choose = random.Random(2)
    if name == "W1":
        return [post(f"{PATH}/{choose.choice(ids)}/messages", message(text, NOW)) for text in texts(root)]
    if name == "W2":
        names = [f"call-{choose.randrange(len(ids))}" if number % 2 else "new-@@" for number in range(VARIETY)]
        return [post(PATH, conversation(name)) for name in names]
    if name == "W3":
        return [get(f"{PATH}/{choose.choice(ids)}/messages?limit={MESSAGES_EACH}") for _ in range(VARIETY)]
    if name == "W4":
        return [get(f"{PATH}/{choose.choice(ids)}") for _ in range(VARIETY)]
    if name == "W5":
        reads = lines_of("W3", ids, root)[: VARIETY * 2 // 5] + lines_of("W4", ids, root)[: VARIETY * 2 // 5]
        mixed = reads + lines_of("W1", ids, root)[: VARIETY // 5]
        choose.shuffle(mixed)
        return mixed
    raise ValueError(name)


def batches(ids, root):
    """Requests that each add a batch of messages to a conversation."""
    said, choose = texts(root), random.Random(3)

    def batch():
        messages = [message(choose.choice(said), BEFORE) for _ in range(BATCH)]
        return {"messages": messages}

    return [post(f"{PATH}/{one}/messages/batch", batch()) for one in ids]


def post(path, body):
    return f"POST\t{path}\t{json.dumps(body, ensure_ascii=False)}"


def get(path):
    return f"GET\t{path}\t"
