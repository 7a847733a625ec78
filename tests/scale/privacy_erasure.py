"""The step of the privacy test that erases customers while the server is killed, and checks each receipt at once."""

import json
import pathlib
import subprocess
import sys
import time

from program import Failure, seeded
from privacy_world import REQUESTS

VERIFIER = pathlib.Path(__file__).resolve().parents[2] / "examples/verify_receipt.py"
TIME_LIMIT = 3600


def submit(world, caller, customer):
    """Requests the erasure of a customer, whatever happens to the answer, and returns the id of the request."""
    reference = f"CHG-{customer}"
    body = {"type": "erasure", "reference": reference,
            "subject": {"customerExternalId": world.customers.canary(customer, "customer")}}
    status, answer = caller.patient("POST", REQUESTS, body)
    if status != 202:
        raise Failure(f"a request is a {status}: {answer}")
    return answer["id"]


def erase_one(world, customer):
    """Erases one customer without a kill, and returns the seconds from the request to the receipt."""
    caller = world.caller()
    started = time.monotonic()
    request = submit(world, caller, customer)
    while caller.call("GET", f"{REQUESTS}/{request}/receipt")[0] != 200:
        if time.monotonic() - started > TIME_LIMIT:
            raise Failure(f"a request is not completed: {caller.json('GET', f'{REQUESTS}/{request}')}")
        time.sleep(0.02)
    took = time.monotonic() - started
    status, answer = caller.json("GET", f"{REQUESTS}/{request}")
    print(f"  one customer: {took:.2f} s, {answer['counts']}", flush=True)
    world.erased.add(customer)
    check_receipt(world, caller, request, customer)
    return took


def check_receipt(world, caller, request, customer):
    """A receipt is there: nothing of the customer may be readable any more. Returns false if the server went away."""
    status, receipt = caller.call("GET", f"{REQUESTS}/{request}/receipt")
    if status != 200:
        return False
    words, early = world.customers.canaries(customer), f"the receipt of {request} is there, but "
    left = world.readable(caller, customer)
    if left:
        world.violate(f"{early}the interface gives out {left}")
    for key, found in world.feed_words(world.day_keys(customer)).items():
        if words & set(found):
            world.violate(f"{early}{key} holds {words & set(found)}; all files: {sorted(world.day_keys(customer))[:40]}")
    if world.database.name == "sqlite" and world.database.size() < 100e6:
        for path in world.database.files():
            if words & set(world.scanner.file(path)):
                world.violate(f"{early}{path} holds {words & set(world.scanner.file(path))}")
    (world.folder / "receipts").mkdir(exist_ok=True)
    (world.folder / "receipts" / f"{request}.json").write_bytes(receipt)
    return True


class Erasures:
    """Erases many customers, and kills the server at random moments meanwhile."""

    def __init__(self, world, customers, kills, spread, seed):
        self.world, self.pending, self.kills, self.spread = world, list(customers), kills, spread
        self.exports, self.generator = [], seeded(seed, "exports", world.database.name)
        self.random, self.open, self.caller = seeded(seed, "erasure", world.database.name), {}, world.caller()

    def run(self):
        started = time.monotonic()
        for customer in self.pending:
            self.open[submit(self.world, self.caller, customer)] = customer
        self.world.erased.update(self.pending)
        self.next_kill = time.monotonic() + self.random.uniform(0, self.spread)
        while self.open:
            if time.monotonic() - started > TIME_LIMIT:
                raise Failure(f"not completed after {TIME_LIMIT} s: {self.states()}")
            if self.kills > 0 and time.monotonic() > self.next_kill:
                self.kill_and_start()
            self.look()
            self.export_beside()
            time.sleep(0.02)
        for export in self.exports:
            export.wait()

    def states(self):
        return [self.caller.json("GET", f"{REQUESTS}/{request}") for request in self.open]

    def look(self):
        """Checks the oldest open request, and those after it as long as they have receipts."""
        for request, customer in list(self.open.items()):
            if self.caller.call("GET", f"{REQUESTS}/{request}/receipt")[0] != 200:
                return
            if check_receipt(self.world, self.caller, request, customer):
                del self.open[request]

    def export_beside(self):
        """Now and then, an operator exports feeds at the same time."""
        self.exports = [export for export in self.exports if export.poll() is None]
        if not self.exports and self.generator.random() < 0.01:
            self.exports.append(self.world.program.start("feed", "export", FEED_EXPORT_AT="never"))

    def kill_and_start(self):
        self.world.kill()
        self.kills -= 1
        if self.exports and self.generator.random() < 0.5:
            self.exports[0].kill()
            self.exports[0].wait()
        self.world.watch.check(f"after kill {self.world.kills}")
        while self.kills > 0 and self.random.random() < 0.25:
            self.world.begin_start()
            time.sleep(self.random.uniform(0, 0.3))
            self.world.kill()
            self.kills -= 1
        self.world.start()
        self.next_kill = time.monotonic() + self.random.uniform(0, self.spread)


def verify_receipts(world):
    """Verifies the chain of all receipts with the program and with the verifier that shares nothing with it."""
    paths = list((world.folder / "receipts").glob("*.json"))
    paths.sort(key=lambda path: json.loads(path.read_bytes())["receipt"]["audit"]["sequence"])
    key, previous, digits = None, [], "0" * 64
    for path in paths:
        receipt = json.loads(path.read_bytes())
        key = key or receipt["key"]
        if not previous and receipt["receipt"]["previous"] != digits:
            raise Failure(f"the first receipt names a predecessor: {path}")
        world.program.run("privacy", "verify", path, "--key", key, *previous)
        checked = subprocess.run([sys.executable, str(VERIFIER), str(path), "--key", key, *previous],
                                 capture_output=True, text=True)
        if checked.returncode != 0:
            raise Failure(f"examples/verify_receipt.py refuses {path}: {checked.stderr}")
        previous = ["--previous", str(path)]
    print(f"  receipts verified by both verifiers: {len(paths)}", flush=True)
