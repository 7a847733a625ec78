"""The world of the privacy test: a database with customers, feeds of their days, and a server."""

import datetime
import os
import time
from urllib.parse import quote

from canaries import KINDS
from feed_stores import FeedWatch
from program import Caller, Failure, Program, Server, free_port
from scanner import Scanner

CONVERSATIONS = "/conversation/v1/conversations"
TRANSCRIPT = "/conversation/v1/conversation/messages"
REQUESTS = "/privacy/v1/requests"


class World:
    """Everything that the steps of the test share."""

    def __init__(self, binary, folder, database, store, customers):
        self.folder, self.database, self.store, self.customers = folder, database, store, customers
        later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=12)
        self.key, self.ledger = folder / "master.key", folder / "ledger"
        self.program = Program(binary, folder, DATABASE_URL=database.url, MASTER_KEY_FILE=self.key,
                               LEDGER_URL=f"file://{self.ledger}", FEED_EXPORT_AT=later.strftime("%H:%M"),
                               REQUEST_TIMEOUT_MS=30_000, **store.settings)
        self.port, self.watch, self.kills = free_port(), FeedWatch(store), 0
        self.scanner = Scanner(customers.words)
        self.credential = self.server = None
        self.erased, self.retired, self.times = set(), set(), {}
        self.start_seconds, self.restore_seconds, self.violations = 0.5, 1, []

    def violate(self, text):
        """Keeps a promise that does not hold, and goes on, so that one run finds more than one."""
        self.violations.append(text)
        print(f"  VIOLATED after {self.kills} kills: {text[:1500]}", flush=True)

    def day(self, age):
        return self.customers.today - datetime.timedelta(days=age)

    def timed(self, name, work, *arguments):
        started = time.monotonic()
        result = work(*arguments)
        self.times[name] = time.monotonic() - started
        print(f"  {name}: {self.times[name]:.1f} s", flush=True)
        return result

    def prepare(self):
        """Imports the customers on days of the past, writes the feeds of these days, and makes a copy."""
        self.key.touch(0o600)
        self.key.write_bytes(os.urandom(32))
        self.program.run("migrate")
        self.credential = self.program.create_credential()
        history = self.folder / "history.jsonl"
        self.messages = self.customers.write(history)
        self.timed("import", lambda: self.program.run("import", history, "--tenant", "acme", "--feed-day", "client-time"))
        history.unlink()
        # Only messages can be imported into days of the past. Retention and the feed of conversations need those too.
        backdate = "UPDATE conversations SET created_at = started_at, updated_at = started_at"
        self.timed("backdating", self.database.execute, backdate)
        self.timed("first feeds", lambda: self.program.run("feed", "export"))
        self.watch.check("after the first export")
        self.timed("backup", self.database.backup, self.program, self.folder / "copy")
        size = sum(self.store.keys().values())
        print(f"  {self.messages} messages, database {self.database.size() / 1e6:.0f} MB, feeds {size / 1e6:.0f} MB, "
              f"{len(self.watch.filled)} days with files in all feeds and formats", flush=True)

    def start(self, **more):
        """Starts a server as after a kill, and waits until it listens."""
        self.begin_start(**more)
        return self.server.wait()

    def begin_start(self, **more):
        self.database.expire_leases()
        self.server = Server(self.program, self.port, **more)

    def kill(self):
        self.server.kill()
        self.kills += 1

    def caller(self):
        return Caller(self.port, self.credential)

    def lost_words(self):
        """The canaries that must be gone."""
        lost = set(self.retired)
        for customer in self.erased:
            lost |= self.customers.canaries(customer)
            lost.add(self.customers.canary((customer - 1) % self.customers.count, "elsewhere"))
        return lost

    def kept_words(self):
        return set(self.customers.words) - self.lost_words()

    def conversations_of(self, caller, customer):
        """What the service lists of a customer, as text."""
        name = self.customers.canary(customer, "customer")
        status, listed = caller.json("GET", f"{CONVERSATIONS}?limit=100&customerExternalId={name}")
        if status != 200:
            raise Failure(f"the conversations of a customer are a {status}: {listed}")
        return str(listed["items"])

    def transcript(self, caller, customer, conversation):
        external = quote(self.customers.external_id(customer, conversation))
        status, text = caller.call("GET", f"{TRANSCRIPT}?externalId={external}&format=txt")
        if status not in (200, 404):
            raise Failure(f"a transcript is a {status}: {text[:300]}")
        return text.decode() if status == 200 else ""

    def readable(self, caller, customer):
        """The canaries of a customer that the interface gives out."""
        texts = [self.conversations_of(caller, customer)]
        homes = {self.customers.home(customer, kind) for kind in KINDS}
        texts += [self.transcript(caller, *home) for home in sorted(homes)]
        everything = "\n".join(texts)
        return {word for word in self.customers.canaries(customer) if word in everything}

    def feed_words(self, keys):
        """How often each canary stands in each of these files."""
        found = {}
        for key in keys:
            data = self.store.read(key)
            if data is not None:
                found[key] = self.scanner.bytes(data)
        return found

    def day_keys(self, customer):
        """All files of the days on which a customer wrote, also those that no reader sees."""
        ages = {self.customers.age(customer, number) for number in range(self.customers.conversations)}
        ages.add(self.customers.age((customer + 1) % self.customers.count, 5))
        dates = {f"dt={self.day(age)}" for age in ages}
        return [key for key in self.store.keys() if any(f"/{date}/" in key for date in dates)]

    def words_by_day(self):
        """How often each canary stands in the listed files of each day, format and feed."""
        days = {}
        for key in self.watch.listed_files():
            for word, count in self.scanner.content(self.store.read(key)).items():
                day = (key.rpartition("/")[0], word)
                days[day] = days.get(day, 0) + count
        return days
