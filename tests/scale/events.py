#!/usr/bin/env python3
"""Writes many events while servers are killed, the database is paused and a transaction stays open, and checks what each
consumer received.

Twelve writers write for four tenants. Each tenant has a consumer that polls, one that reads the stream, and a webhook.
Over PostgreSQL there are two replicas, over SQLite one server. At the end every consumer must have every acknowledged
write: by poll and stream none twice and none out of order within a tenant, by webhook in order within a conversation.
Needs Python 3.11; PostgreSQL for its part."""

import argparse
import multiprocessing
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import time

import events_checks as checks
import events_consumers as consumers
from databases import Postgres, Sqlite
from events_chaos import Chaos
from events_writers import CONVERSATIONS, Writer, conversation_body
from program import Caller, Failure, Program, Server, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRITERS = 12
TENANTS = ("north", "south", "east", "west")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", default=["postgres", "sqlite"])
    parser.add_argument("--short", action="store_true", help="a smoke test of less than a minute")
    parser.add_argument("--events", type=int, default=1_000_000, help="the least number of events")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--spread", type=float, default=6, help="the most seconds between two kills")
    parser.add_argument("--pauses", type=int, default=3, help="how often the database is paused")
    parser.add_argument("--held", type=float, default=10, help="for how many seconds a transaction stays open")
    parser.add_argument("--conversations", type=int, default=20, help="of each writer")
    parser.add_argument("--batch", type=int, default=40, help="the most messages of a request")
    parser.add_argument("--pause", type=float, default=0, help="seconds between two writes of a writer")
    parser.add_argument("--patience", type=float, default=300, help="the seconds in which a consumer must go on")
    parser.add_argument("--consumers", default="poll,stream,webhook", help="the kinds of consumers")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/parlance")
    parser.add_argument("--folder", type=pathlib.Path, help="keeps the data in this folder")
    options = parser.parse_args()
    if options.short:
        options.events, options.kills, options.spread, options.pauses, options.held = 500, 3, 1.5, 1, 2
        options.pause, options.batch = 0.2, 4
    return options


class World:
    """The servers over one database, the credentials of the tenants and their consumers."""

    def __init__(self, options, folder, database):
        self.options, self.folder, self.database = options, folder, database
        key = folder / "master.key"
        key.touch(0o600)
        key.write_bytes(bytes(range(32)))
        self.program = Program(options.program, folder, DATABASE_URL=database.url, MASTER_KEY_FILE=key,
                               FEED_EXPORT_AT="never", WEBHOOK_ALLOW="127.0.0.0/8", MAX_CONNECTIONS_PER_ADDRESS=0)
        self.program.run("migrate")
        self.ports = [free_port() for _ in range(2 if database.name == "postgres" else 1)]
        self.credentials = {tenant: self.program.create_credential(tenant) for tenant in TENANTS}
        self.servers = [Server(self.program, port) for port in self.ports]
        for server in self.servers:
            server.wait()
        self.processes, self.stopped = [], multiprocessing.Event()

    def start_consumers(self, kinds):
        """Starts the consumers of these kinds of every tenant."""
        for tenant, credential in self.credentials.items():
            for kind in set(kinds) & {"poll", "stream"}:
                path = self.folder / f"{kind}-{tenant}"
                self.spawn(getattr(consumers, kind), path, self.ports, credential, self.stopped)
        if "webhook" in kinds:
            self.start_webhooks()
        Caller(self.ports[0], self.credentials[TENANTS[0]]).patient("POST", CONVERSATIONS, conversation_body("held"))

    def start_webhooks(self):
        hook, secrets = free_port(), {}
        for tenant, credential in self.credentials.items():
            body = {"url": f"http://127.0.0.1:{hook}/{tenant}"}
            status, webhook = Caller(self.ports[0], credential).patient("POST", "/configuration/v1/webhooks", body)
            if status != 201:
                raise Failure(f"the webhook is a {status}: {webhook}")
            secrets[tenant] = webhook["secret"]
        self.spawn(consumers.receive, self.folder, hook, secrets)

    def spawn(self, work, *arguments):
        process = multiprocessing.Process(target=in_child, args=(work, *arguments), daemon=True)
        process.start()
        self.processes.append(process)

    def close(self):
        self.stopped.set()
        for process in self.processes:
            process.terminate()
        for server in self.servers:
            if server.process.poll() is None:
                server.kill()


def in_child(work, *arguments):
    """Runs a consumer, which ends at once when it is told to."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    work(*arguments)


def write_under_chaos(world, options):
    """Lets the writers write until there are enough events and nothing is left to be broken. Returns the writers."""
    stop, started = threading.Event(), time.monotonic()
    writers = [Writer(number, TENANTS[number % 4], world.credentials[TENANTS[number % 4]], world.ports, options, stop,
                      world.folder) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    chaos = Chaos(world, options)
    chaos.start()
    while chaos.is_alive() or sum(writer.events for writer in writers) < options.events:
        failed = next((writer.failure for writer in writers if writer.failure), chaos.failure)
        if failed:
            raise failed
        time.sleep(0.2)
    stop.set()
    for writer in writers:
        writer.join()
        if writer.failure:
            raise writer.failure
    if chaos.failure:
        raise chaos.failure
    total, took = sum(writer.events for writer in writers), time.monotonic() - started
    print(f"  {total} events acknowledged in {took:.0f} s, {chaos.done}; the slowest write took "
          f"{max(writer.slowest for writer in writers):.1f} s", flush=True)
    return writers


def wait_for(path, count, patience, distinct=False):
    """Waits until a consumer has this many events, as long as it goes on."""
    size, since = -1, time.monotonic()
    while time.monotonic() - since < patience:
        now = path.stat().st_size if path.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
            entries = [entry[0] for entry in checks.lines(path)] if now else []
            if (len(set(entries)) if distinct else len(entries)) >= count:
                return
        time.sleep(2)


def check(world, writers, options):
    """Compares what each consumer received with the log."""
    problems, again, began = [], 0, time.monotonic()
    for tenant, credential in world.credentials.items():
        log = checks.read_log(Caller(world.ports[-1], credential))
        own = [world.folder / f"writer-{writer.number}" for writer in writers if writer.tenant == tenant]
        problems += checks.check_log(tenant, log, own)
        for kind in options.consumers.split(","):
            path = world.folder / f"{kind}-{tenant}"
            wait_for(path, len(log), options.patience, kind == "webhook")
            if kind == "webhook":
                found, repeated = checks.check_webhook(path.name, log, checks.lines(path))
                again += repeated
            else:
                found = checks.check_reader(path.name, log, checks.lines(path))
            problems += found
        print(f"  {tenant}: {len(log)} events in the log, compared after {time.monotonic() - began:.0f} s", flush=True)
    print(f"  webhooks that came again: {again}", flush=True)
    return problems


def run(name, options, folder):
    database = {"postgres": Postgres, "sqlite": Sqlite}[name](folder)
    world = None
    try:
        world = World(options, folder, database)
        world.start_consumers(options.consumers.split(","))
        problems = check(world, write_under_chaos(world, options), options)
        for problem in problems[:40]:
            print(f"  VIOLATED: {problem}", flush=True)
        if problems:
            raise Failure(f"{len(problems)} promises do not hold")
    finally:
        if world:
            world.close()
        database.close()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options, failed = arguments(), False
    for name in options.databases:
        print(f"{name}: {options.events} events, {options.kills} kills, seed {options.seed}", flush=True)
        base, started = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="parlance-events-")), time.monotonic()
        folder = base / name
        folder.mkdir(parents=True)
        try:
            run(name, options, folder)
            print(f"{name}: passed, {time.monotonic() - started:.0f} s", flush=True)
            if not options.folder:
                shutil.rmtree(base, ignore_errors=True)
        except Failure as failure:
            failed = True
            print(f"{name}: FAILED, {time.monotonic() - started:.0f} s, data in {folder}: {failure}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
