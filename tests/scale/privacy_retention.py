"""The step of the privacy test in which a retention rule erases a part, while the server is killed."""

import datetime
import time

from program import Failure, seeded

RETENTION = "/privacy/v1/retention"


def retire_with_kills(world, kills, spread, seed):
    """Lets retention erase the conversations of one kind that are older than half of the days. Returns the canaries of
    conversations that were about to become so old meanwhile."""
    days = world.customers.days // 2
    world.start()
    caller = world.caller()
    expected, unsure = expectation(world, days)
    rules = [{"metadata": {"tier": "brief"}, "days": days}]
    status, preview = caller.patient("POST", f"{RETENTION}/preview", {"rules": rules}, seconds=300)
    if status != 200 or not len(expected) <= preview["conversations"] <= len(expected) + len(unsure):
        raise Failure(f"the preview counts otherwise than {len(expected)} and {len(unsure)}: {preview}")
    status, answer = caller.patient("PUT", RETENTION, {"rules": rules, "previewToken": preview["previewToken"]})
    if status != 200:
        raise Failure(f"the rules are a {status}: {answer}")
    generator = seeded(seed, "retention", world.database.name)
    for _ in range(kills):
        time.sleep(generator.uniform(0, spread) * generator.random())
        world.kill()
        world.watch.check("after a kill during retention")
        world.start()
    wait_until_retired(world, unsure)
    stop_and_check_ledger(world)
    agents = [(customer, number) for customer, number in expected + list(unsure) if number == 4]
    words = {pair: world.customers.canary(pair[0], "agent") for pair in agents}
    world.retired |= {words[pair] for pair in expected if pair in words}
    print(f"  retention erased {len(expected)} conversations", flush=True)
    return {words[pair] for pair in unsure if pair in words}


def expectation(world, days):
    """The conversations that the rule is for, and those that become so old within hours, with the moment at which they do."""
    now = datetime.datetime.now(datetime.UTC)
    over, unsure = [], {}
    for customer in set(range(world.customers.count)) - world.erased:
        for number in range(world.customers.conversations):
            if not world.customers.is_brief(number):
                continue
            line = world.customers.line(customer, number)
            last = datetime.datetime.fromisoformat(max(message["timestamp"] for message in line["messages"]))
            left = last + datetime.timedelta(days=days) - now
            if left < datetime.timedelta():
                over.append((customer, number))
            elif left < datetime.timedelta(hours=3):
                unsure[customer, number] = now + left
    return over, unsure


def wait_until_retired(world, unsure):
    """Waits until the preview of the same rules has nothing left to erase but what became so old after the run had passed it.
    The next daily run erases that."""
    deadline, caller, before = time.monotonic() + 600, world.caller(), None
    _, stored = caller.patient("GET", RETENTION)
    while True:
        _, preview = caller.patient("POST", f"{RETENTION}/preview", {"rules": stored["rules"]}, seconds=300)
        left, now = preview["conversations"], datetime.datetime.now(datetime.UTC)
        late = sum(moment <= now for moment in unsure.values())
        if left == 0 or left == before and left <= late:
            return
        if time.monotonic() > deadline:
            raise Failure(f"retention has left {left} conversations, of which {late} became so old during the test")
        before = left
        time.sleep(2)


def erased_ids(caller):
    """Every erased conversation that the service lists."""
    ids, after = set(), None
    while True:
        more = f"&after={after}" if after else ""
        _, page = caller.patient("GET", f"/privacy/v1/erasures?limit=1000{more}")
        if not page["erasures"]:
            return ids
        ids.update(entry["conversationId"] for entry in page["erasures"])
        after = page["nextCursor"]


def stop_and_check_ledger(world):
    """Stops the server as an operator does before a restore. The ledger then has everything that the server lists as erased,
    because a restore brings back what it lacks. The next start writes what is missing."""
    listed = erased_ids(world.caller())
    world.server.stop()
    written = ledger_bytes(world)
    missing = [entry for entry in listed if entry.encode() not in written]
    if missing:
        world.violate(f"the ledger lacks {len(missing)} of {len(listed)} erasures after a stop, such as {missing[:3]}")
    world.start()
    written = ledger_bytes(world)
    missing = [entry for entry in listed if entry.encode() not in written]
    if missing:
        world.violate(f"the ledger lacks {len(missing)} of {len(listed)} erasures after the next start")


def ledger_bytes(world):
    return b"".join(path.read_bytes() for path in world.ledger.rglob("*.jsonl"))
