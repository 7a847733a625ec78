"""Times `parlance import` beside the databases' own tools, on the same rows, in the same run, on two cores.

    python3 benches/import/run.py [--messages N] [--rounds N] [--postgres URL] [--program PATH] [--held]

Writes a file of conversations with 20 messages each. Of each database it takes the medians of some alternated rounds of:
`parlance import` of the file into an empty database, with the default entities; and `sqlite3 .import`, or psql's
`\\copy`, of the rows that the import has stored, into the same tables with the same indexes and triggers of an empty
database. `--held` fails below 70 %.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

TENANT, PER_CONVERSATION, LEAST = "acme", 20, 0.7
TEXTS = pathlib.Path(__file__).parent.parent / "service" / "messages.txt"
TABLES = ("conversations", "messages")


def write_file(path, messages):
    """A file as `parlance import` reads it, with a number in each text that no entity is."""
    texts = [line for line in TEXTS.read_text().splitlines() if line.strip()]
    choose = random.Random(1)
    with open(path, "w") as file:
        for number in range(messages // PER_CONVERSATION):
            day = f"2025-{1 + number % 12:02}-{1 + number // 12 % 28:02}T{number % 24:02}"
            people = {"customer": f"customer-{number}", "agent": f"agent-{number % 50}"}
            spoken = []
            for place in range(PER_CONVERSATION):
                role = "agent" if place % 2 else "customer"
                sender = {"role": role, "externalId": people[role]}
                spoken.append({"text": choose.choice(texts), "sender": sender, "timestamp": f"{day}:00:{place:02}Z"})
            conversation = {
                "externalId": f"call-{number}",
                "customer": {"externalId": people["customer"]},
                "agent": {"externalId": people["agent"]},
                "timestamp": f"{day}:00:00Z",
                "messages": spoken,
            }
            file.write(json.dumps(conversation) + "\n")


def run(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def timed(command, **more):
    begun = time.perf_counter()
    run(command, **more)
    return time.perf_counter() - begun


class Program:
    def __init__(self, path, home):
        self.path, self.home = path, home

    def environment(self, url):
        return {"PATH": os.environ["PATH"], "PARLANCE_DATABASE_URL": url, "PARLANCE_FEEDS_URL": f"file://{self.home}/feeds"}

    def prepare(self, url):
        run([self.path, "migrate"], env=self.environment(url))
        run([self.path, "credential", "create", "--tenant", TENANT, "--name", "bench"], env=self.environment(url))

    def load(self, url, file):
        """Seconds of an import, and its greatest resident memory in MB."""
        command = [self.path, "import", "--tenant", TENANT, file]
        begun = time.perf_counter()
        process = subprocess.Popen(command, env=self.environment(url), stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, command
        return time.perf_counter() - begun, usage.ru_maxrss / 1024


class Sqlite:
    name, rival = "SQLite", "sqlite3 .import"

    def __init__(self, home):
        self.file, self.home = os.path.join(home, "bench.db"), home
        self.url = f"sqlite://{self.file}"

    def empty(self, program):
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(self.file + ending).unlink(missing_ok=True)
        program.prepare(self.url)

    def save(self):
        for table in TABLES:
            with open(os.path.join(self.home, f"{table}.rows"), "w") as file:
                subprocess.run(["sqlite3", "-csv", self.file, f"SELECT * FROM {table}"], stdout=file, check=True)

    def load(self):
        lines = [f".import '{self.home}/{table}.rows' {table}" for table in TABLES]
        commands = "\n".join(["PRAGMA foreign_keys = ON;", "PRAGMA synchronous = FULL;", ".mode csv", *lines])
        return timed(["sqlite3", self.file], input=commands)

    def count(self):
        return int(run(["sqlite3", self.file, "SELECT count(*) FROM messages"]))

    def drop(self):
        pass


class Postgres:
    name, rival = "PostgreSQL", "psql \\copy"

    def __init__(self, server, home):
        self.server, self.home, self.database = server, home, f"import_bench_{os.getpid()}"
        self.url = server.rsplit("/", 1)[0] + "/" + self.database

    def at(self, url, *commands):
        arguments = [part for command in commands for part in ("-c", command)]
        return run(["psql", "-qAt", "-v", "ON_ERROR_STOP=1", url, *arguments])

    def empty(self, program):
        self.drop()
        self.at(self.server, f"CREATE DATABASE {self.database}")
        program.prepare(self.url)

    def save(self):
        for table in TABLES:
            self.at(self.url, f"\\copy {table} TO '{self.home}/{table}.rows'")

    def load(self):
        begun = time.perf_counter()
        self.at(self.url, *[f"\\copy {table} FROM '{self.home}/{table}.rows'" for table in TABLES])
        return time.perf_counter() - begun

    def count(self):
        return int(self.at(self.url, "SELECT count(*) FROM messages"))

    def drop(self):
        self.at(self.server, f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")


def measure(database, program, file, messages, rounds):
    """The ratio of the medians, with one printed line."""
    ours, rival, memory = [], [], 0
    for _ in range(rounds):
        database.empty(program)
        seconds, megabytes = program.load(database.url, file)
        ours.append(seconds)
        memory = max(memory, megabytes)
        assert database.count() == messages
        database.save()
        database.empty(program)
        rival.append(database.load())
        assert database.count() == messages
    ours, rival = statistics.median(ours), statistics.median(rival)
    print(
        f"{database.name}: parlance import {messages / ours:,.0f} messages a second, {memory:.0f} MB; "
        f"{database.rival} {messages / rival:,.0f}; ratio {rival / ours:.2f}",
        flush=True,
    )
    return rival / ours


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--messages", type=int, default=400_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432/postgres")
    arguments.add_argument("--program", default="target/release/parlance")
    arguments.add_argument("--held", action="store_true")
    given = arguments.parse_args()
    messages = given.messages // PER_CONVERSATION * PER_CONVERSATION
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as home:
        file, program = os.path.join(home, "bench.jsonl"), Program(os.path.abspath(given.program), home)
        write_file(file, messages)
        ratios = []
        databases = [Sqlite(home)]
        if subprocess.run(["psql", "-qAt", given.postgres, "-c", "SELECT 1"], capture_output=True).returncode == 0:
            databases.append(Postgres(given.postgres, home))
        for database in databases:
            try:
                ratios.append(measure(database, program, file, messages, given.rounds))
            finally:
                database.drop()
    return int(given.held and min(ratios) < LEAST)


if __name__ == "__main__":
    sys.exit(main())
