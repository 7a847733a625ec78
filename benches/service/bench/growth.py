"""How fast the service stays as data grows. Data is loaded through the interface, in batches."""

from . import requests

# So few that the least number of messages fills what a list shows of each.
CONVERSATIONS = 200

WORKLOADS = ("W3", "W1")
LOADING_SECONDS = 10


class Grown:
    """A service with so many messages of its own."""

    def __init__(self, run, kind, count):
        self.run = run
        url = run.stage.new_database(kind)
        self.server = run.stage.serve(url)
        ids = requests.load(self.server, run.stage.root, CONVERSATIONS)
        name = f"growth-{kind}-{count}"
        self.paths = {work: run.file_of(f"{name}-{work}", requests.lines_of(work, ids, run.stage.root)) for work in WORKLOADS}
        batches = run.file_of(f"{name}-batches", requests.batches(ids, run.stage.root))
        stored = CONVERSATIONS * requests.MESSAGES_EACH
        while stored < count:
            loaded = run.wrk(self.server, batches, connections=8, seconds=LOADING_SECONDS)
            stored += int(loaded.rate * LOADING_SECONDS) * requests.BATCH
        if kind == "postgres":
            # What the server does by itself some time after so much is written: it would take a processor meanwhile.
            for upkeep in ("VACUUM ANALYZE", "CHECKPOINT"):
                run.stage.psql(url.rsplit("/", 1)[1], upkeep)

    def rate(self, workload):
        return self.run.wrk(self.server, self.paths[workload]).rate


def measure(run, counts, rounds):
    """For each number of stored messages, database and workload the rates of interleaved runs.

    The least number is loaded anew for each round, since a run of W1 multiplies it."""
    counts = sorted(counts)
    found = {(count, kind, work): [] for count in counts for kind in ("sqlite", "postgres") for work in WORKLOADS}
    grown = {(count, kind): Grown(run, kind, count) for count in counts[1:] for kind in ("sqlite", "postgres")}
    for _ in range(rounds):
        for kind in ("sqlite", "postgres"):
            for count in counts:
                kept = grown.get((count, kind))
                one = kept or Grown(run, kind, count)
                for work in WORKLOADS:
                    found[count, kind, work].append(one.rate(work))
                    print(f"{count:12,} {kind:9} {work} {found[count, kind, work][-1]:9.0f}/s", flush=True)
                if not kept:
                    run.stage.stop(one.server)
    return found
