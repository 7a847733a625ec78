"""How fast the service stays as data grows. Data is loaded through the interface."""

from statistics import median

from . import requests


# So few that the least number of messages fills what a list shows of each.
CONVERSATIONS = 200


def measure(run, counts, rounds):
    """For each number of stored messages the rates of W1 and W3, on SQLite and on PostgreSQL."""
    found = {count: [] for count in counts}
    for kind in ("sqlite", "postgres"):
        server = run.stage.serve(run.stage.new_database(kind))
        ids = requests.load(server, run.stage.root, CONVERSATIONS)
        stored = CONVERSATIONS * requests.MESSAGES_EACH
        paths = [run.file_of(f"growth-{kind}-{name}", requests.lines_of(name, ids, run.stage.root)) for name in ("W1", "W3")]
        for count in sorted(counts):
            while stored < count:
                grown = run.wrk(server, paths[0], seconds=20)
                stored += int(grown.rate * 20)
            for path in paths:
                found[count].append(median(run.wrk(server, path).rate for _ in range(rounds)))
    return found
