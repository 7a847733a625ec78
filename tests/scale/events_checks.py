"""What must hold of the files of the consumers, once all have caught up."""

from collections import Counter

from program import Failure


def lines(path):
    """The whole lines of a file."""
    with open(path) as file:
        return [line.split() for line in file if line.endswith("\n")]


def read_log(caller):
    """The whole log of a tenant, as a new reader polls it after everything."""
    from events_consumers import EVENTS, line_of
    entries, cursor = [], None
    while True:
        after = f"&after={cursor}" if cursor else ""
        status, page = caller.patient("GET", f"{EVENTS}?limit=1000{after}")
        if status != 200:
            raise Failure(f"the log is a {status}: {page}")
        entries += [line_of(event).split() for event in page["events"]]
        if not page["events"] and page["nextCursor"] == cursor:
            return entries
        cursor = page["nextCursor"]


def check_log(tenant, log, written):
    """The log has each acknowledged write once, and those of each writer in their order."""
    problems, places = [], {}
    for place, (_, kind, conversation, message) in enumerate(log):
        key = ("message", message) if kind == "message.created" else (kind.partition(".")[2], conversation)
        places.setdefault(key, []).append(place)
    if len({entry[0] for entry in log}) != len(log):
        problems.append("two events have one id")
    for path in written:
        after, used = -1, Counter()
        for kind, reference in lines(path):
            found = places.get((kind, reference), [])
            if used[kind, reference] >= len(found):
                problems.append(f"{path.name}: {kind} {reference} was acknowledged and is not in the log")
                continue
            place = found[used[kind, reference]]
            used[kind, reference] += 1
            if place < after:
                problems.append(f"{path.name}: {kind} {reference} stands before an earlier write of its writer")
            after = place
        more = [key for key in used if used[key] != len(places[key])]
        problems += [f"{path.name}: {key} is {len(places[key])} times in the log, written {used[key]} times"
                     for key in more]
    return [f"{tenant}: {problem}" for problem in problems]


def check_reader(name, log, received):
    """A reader by cursor has exactly the log, in its order."""
    failed = [entry for entry in received if entry[0] == "failed"]
    ids, wanted = [entry[0] for entry in received if entry[0] != "failed"], [entry[0] for entry in log]
    problems = [f"unexpected answer {entry}" for entry in failed[:5]]
    if ids != wanted:
        twice = [key for key, count in Counter(ids).items() if count > 1]
        missing, extra = set(wanted) - set(ids), set(ids) - set(wanted)
        place = {key: at for at, key in enumerate(wanted)}
        order = [place[key] for key in ids if key in place]
        disorder = [(order[at], order[at + 1]) for at in range(len(order) - 1) if order[at + 1] < order[at]]
        problems.append(f"of {len(wanted)}: {len(missing)} missing {sorted(missing)[:3]}, {len(twice)} twice {twice[:3]}, "
                        f"{len(extra)} unknown {sorted(extra)[:3]}, {len(disorder)} out of order {disorder[:3]}")
    return [f"{name}: {problem}" for problem in problems]


def check_webhook(name, log, received):
    """A webhook has each event at least once, and those of a conversation first in their order."""
    failed = [entry for entry in received if entry[0] == "failed"]
    problems = [f"unexpected request {entry}" for entry in failed[:5]]
    seen, first, again = set(), {}, 0
    for entry in received:
        if entry[0] == "failed":
            continue
        if entry[0] in seen:
            again += 1
            continue
        seen.add(entry[0])
        first.setdefault(entry[2], []).append(entry[0])
    wanted = {}
    for entry in log:
        wanted.setdefault(entry[2], []).append(entry[0])
    missing = {entry[0] for entry in log} - seen
    if missing:
        problems.append(f"{len(missing)} of {len(log)} events never came, such as {sorted(missing)[:3]}")
    for conversation, ids in wanted.items():
        if not missing and first.get(conversation) != ids:
            problems.append(f"conversation {conversation} came out of order")
    return [f"{name}: {problem}" for problem in problems], again
