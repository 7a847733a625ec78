#!/usr/bin/env python3
"""Measures what a message costs at several rates: processor time, bytes on the disk, and bytes that are written.

It prints the table of docs/scale.md. Needs wrk, PostgreSQL, and a release build of the program."""

import pathlib
import sys

from bench import cells, programs, requests

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = "postgres://postgres@127.0.0.1:5432"
# Messages a second, connections, and seconds.
RATES = [(1, 1, 60), (100, 4, 30), (2_000, 32, 20), (10_000, 32, 20)]
CONVERSATIONS = 200


def used_by(server):
    return programs.cpu_of_all(server.process.pid)


def written_by(server):
    lines = pathlib.Path(f"/proc/{server.process.pid}/io").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("write_bytes")).split()[1])


class Storage:
    """How large a database is, and how much was written for it, in bytes."""

    def __init__(self, stage, kind, url, server):
        self.stage, self.kind, self.url, self.server = stage, kind, url, server

    def measure(self):
        if self.kind == "sqlite":
            path = pathlib.Path(self.url.removeprefix("sqlite://"))
            return path.stat().st_size, written_by(self.server)
        name = self.url.rsplit("/", 1)[1]
        sizes = self.stage.psql(name, f"SELECT pg_database_size('{name}')", "SELECT pg_current_wal_insert_lsn() - '0/0'")
        return tuple(int(size) for size in sizes.split())


def measure(run, stage, kind):
    url = stage.new_database(kind)
    server = stage.serve(url)
    storage = Storage(stage, kind, url, server)
    ids = requests.load(server, ROOT, CONVERSATIONS)
    path = run.file_of(f"cost-{kind}", requests.lines_of("W1", ids, ROOT))
    for rate, connections, seconds in RATES:
        size, written = storage.measure()
        before = used_by(server)
        with programs.PostgresMeter() as meter:
            output = run.start_wrk(server, path, connections, rate, seconds, threads=1).communicate()[0]
        used = used_by(server) - before
        found = run.result(output, used, meter.seconds, programs.memory(server.process.pid, "VmRSS"))
        stored = round(found.rate * seconds)
        grown, more = (after - earlier for after, earlier in zip(storage.measure(), (size, written)))
        yield rate, found.rate, used / seconds, meter.seconds / seconds, found.p99, grown / stored, more / stored, found.memory


def main():
    print("| database | wanted / s | served / s | processors of Parlance | of PostgreSQL | p99 ms | bytes stored a message | bytes written a message | MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    with programs.Stage(ROOT, SERVER) as stage:
        stage.parlance = pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT / "target/release/parlance"
        run = cells.Run(stage, RATES[-1][2])
        for kind in ("sqlite", "postgres"):
            for wanted, rate, own, database, p99, stored, written, memory in measure(run, stage, kind):
                print(f"| {kind} | {wanted:,} | {rate:,.1f} | {own:.4f} | {database:.4f} | {p99 / 1e3:.1f} | {stored:,.0f} | {written:,.0f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    main()
