#!/usr/bin/env python3
"""Erases customers among many others while the server is killed at random moments, and searches every byte afterwards.

Customers with ten canaries each are imported on days of the past, and feeds are written of these days. Then, on SQLite
with feeds in a directory and on PostgreSQL with feeds in a bucket: one customer is erased by the clock, many are erased
with kills, retention erases with kills, and a copy from before is restored with kills. After each step nothing of what
was erased may stand in any file, and everything else must be where it was. Needs Python 3.11 with pyarrow, zstandard,
cryptography and moto[server]; PostgreSQL for its part."""

import argparse
import multiprocessing
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import privacy_checks as checks
from canaries import Customers
from databases import Postgres, Sqlite
from feed_stores import Bucket, Directory
from privacy_erasure import Erasures, erase_one, verify_receipts
from privacy_restore import restore_with_kills
from privacy_retention import retire_with_kills
from privacy_world import World
from program import Failure, seeded

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORLDS = {"sqlite-directory": (Sqlite, Directory), "postgres-s3": (Postgres, Bucket),
          "sqlite-s3": (Sqlite, Bucket), "postgres-directory": (Postgres, Directory)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", nargs="*", default=["sqlite-directory", "postgres-s3"], metavar="WORLD",
                        help=", ".join(WORLDS))
    parser.add_argument("--short", action="store_true", help="a smoke test of less than a minute")
    parser.add_argument("--customers", type=int, default=1_000)
    parser.add_argument("--messages", type=int, default=2_000, help="of each customer")
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--erase", type=int, default=100, help="the number of customers to erase")
    parser.add_argument("--kills", type=int, default=150, help="in each world")
    parser.add_argument("--spread", type=float, default=3, help="the most seconds between two kills")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--limit", type=float, default=10, help="the most seconds for one customer")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/parlance")
    parser.add_argument("--folder", type=pathlib.Path, help="keeps the data in this folder")
    options = parser.parse_args()
    if options.short:
        options.customers, options.messages, options.days, options.erase = 10, 120, 4, 3
        options.kills, options.spread = 6, 0.7
    return options


def run_world(name, options, folder):
    """Makes every step in one world."""
    database, store = (kind(folder) for kind in WORLDS[name])
    world = None
    try:
        world = World(options.program, folder, database, store,
                      Customers(options.customers, options.messages, options.days))
        world.prepare()
        erase(world, options)
        retire(world, options)
        restore(world, options)
        print(f"  kills: {world.kills}; one customer: {world.one:.2f} s; seconds: "
              f"{ {step: round(took, 1) for step, took in world.times.items()} }", flush=True)
        if world.one > options.limit:
            world.violate(f"one customer took {world.one:.1f} s")
        if world.violations:
            raise Failure(f"{len(world.violations)} promises do not hold")
    finally:
        if world and world.server and world.server.process.poll() is None:
            world.server.kill()
        store.close()
        database.close()


def erase(world, options):
    chosen = seeded(options.seed, "chosen").sample(range(world.customers.count), options.erase)
    before, rows = world.timed("scan of the feeds", world.words_by_day), world.watch.rows()
    world.start()
    checks.check_kept_readable(world, world.caller(), "before")
    world.one = erase_one(world, chosen[0])
    erasures = Erasures(world, chosen[1:], options.kills // 2, options.spread, options.seed)
    world.timed(f"erasure of {options.erase - 1} customers", erasures.run)
    checks.check_kept_readable(world, world.caller(), "after the erasure")
    finish(world, before, "after the erasure")
    checks.check_rows(world, rows, "after the erasure")
    verify_receipts(world)


def retire(world, options):
    before = world.words_by_day()
    unsure = world.timed("retention", retire_with_kills, world, options.kills // 5, options.spread, options.seed)
    checks.check_kept_readable(world, world.caller(), "after retention", unsure)
    finish(world, before, "after retention", unsure)


def restore(world, options):
    before = world.words_by_day()
    kills = options.kills - options.kills // 2 - options.kills // 5
    world.timed("restore", restore_with_kills, world, kills, options.seed)
    checks.check_kept_readable(world, world.caller(), "after the restore")
    finish(world, before, "after the restore")


def finish(world, before, moment, unsure=()):
    """Stops the server, and searches and compares everything."""
    world.server.stop()
    world.program.run("feed", "export")
    world.watch.check(moment)
    if world.database.name == "postgres":
        world.timed("compaction", lambda: world.program.run("privacy", "compact"))
    world.timed("search of every byte", checks.check_gone, world, moment)
    world.timed("search by the program", checks.check_with_program, world, moment)
    checks.check_feeds_kept(world, before, moment, unsure)
    uploads = world.store.uploads()
    if uploads:
        print(f"  {moment}: {len(uploads)} uploads were begun and never completed", flush=True)


def run_one(name, options):
    """Runs one world, prints the result, and ends the process with 1 if a promise does not hold."""
    print(f"{name}: {options.customers} customers with {options.messages} messages, {options.days} days, "
          f"{options.erase} erasures, {options.kills} kills, seed {options.seed}", flush=True)
    started, base = time.monotonic(), options.folder or pathlib.Path(tempfile.mkdtemp(prefix="parlance-privacy-"))
    folder = base / name
    folder.mkdir(parents=True)
    try:
        run_world(name, options, folder)
    except Failure as failure:
        print(f"{name}: FAILED, {time.monotonic() - started:.0f} s, data in {folder}: {failure}", flush=True)
        sys.exit(1)
    print(f"{name}: passed, {time.monotonic() - started:.0f} s", flush=True)
    if not options.folder:
        shutil.rmtree(base, ignore_errors=True)


def main():
    options = arguments()
    # Servers and databases end with the test, also if it is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # The small worlds mostly wait, so they run beside each other.
    processes = [multiprocessing.Process(target=run_one, args=(name, options)) for name in options.worlds]
    for process in processes:
        process.start()
        if not options.short:
            process.join()
    for process in processes:
        process.join()
    sys.exit(any(process.exitcode for process in processes))


if __name__ == "__main__":
    main()
