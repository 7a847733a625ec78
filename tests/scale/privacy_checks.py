"""What must hold at the end of each step: nothing of the erased in any byte, and everything else where it was."""

import json
from collections import Counter


def scan_places(world):
    """The canaries in every place: `{place: Counter}`. The server of the program is stopped."""
    found = {}
    for path in world.database.files():
        try:
            found[str(path)] = world.scanner.file(path)
        except FileNotFoundError:
            # PostgreSQL runs on, and removes files of its own meanwhile, such as `pg_internal.init`. A file that is gone
            # holds nothing.
            if world.database.name != "postgres":
                raise
    for path in world.ledger.rglob("*"):
        if path.is_file():
            found[str(path)] = world.scanner.file(path)
    for key, words in world.feed_words(world.store.keys()).items():
        found[f"feeds/{key}"] = words
    return found


def check_gone(world, moment):
    """No file holds a byte of what was erased."""
    lost, left = world.lost_words(), {}
    for place, words in scan_places(world).items():
        here = lost & set(words)
        if here:
            left[place] = sorted((word, *world.customers.words[word]) for word in here)
    if left:
        report = world.folder / "left.json"
        report.write_text(json.dumps(left, indent=1, ensure_ascii=False))
        some = {place: words[:3] for place, words in list(left.items())[:8]}
        return world.violate(f"{moment}: {len(left)} places hold what was erased, see {report}: {some}")
    print(f"  {moment}: nothing of {len(lost)} canaries in any file", flush=True)


def check_with_program(world, moment):
    """`parlance privacy scan` comes to the same result, and finds the canaries that are kept."""
    (world.folder / "lost.txt").write_text("\n".join(sorted(world.lost_words())))
    kept = sorted(world.kept_words())[:200]
    (world.folder / "kept.txt").write_text("\n".join(kept))
    paths = []
    if world.database.name == "postgres":
        world.database.files()
        paths = [part for path in sorted(world.database.directory.iterdir()) if path.name not in ("pg_wal", "log")
                 for part in ("--path", path)]
    else:
        paths = ["--path", world.database.folder]
    scan = ["privacy", "scan", "--json", *paths, "--canaries"]
    lost = world.program.run(*scan, world.folder / "lost.txt", check=False)
    # A bucket and PostgreSQL are named as not searched, so the exit code is 2 there if nothing is found elsewhere.
    searched = world.store.name == "directory" and world.database.name == "sqlite"
    if lost.returncode != (0 if searched else 2):
        world.violate(f"{moment}: parlance privacy scan for what was erased ends with {lost.returncode}: "
                      f"{lost.stdout[:800]} {lost.stderr[:500]}")
    found = json.loads(world.program.run(*scan, world.folder / "kept.txt", check=False).stdout)["findings"]
    lines = {finding.get("value") or finding.get("line") for finding in found}
    missed = [kept[number - 1] for number in range(1, len(kept) + 1) if number not in lines]
    kinds = Counter(world.customers.words[word][1] for word in missed)
    print(f"  {moment}: parlance privacy scan finds {len(kept) - len(missed)} of {len(kept)} canaries that "
          f"were kept; missed {dict(kinds)}", flush=True)


def check_kept_readable(world, caller, moment, unsure=()):
    """The interface gives out every canary that was not erased."""
    kept = world.kept_words()
    for customer in range(world.customers.count):
        readable = world.readable(caller, customer)
        wanted = {word for word in world.customers.canaries(customer) if word in kept} - set(unsure)
        if wanted - readable:
            kinds = [world.customers.words[word] for word in wanted - readable]
            world.violate(f"{moment}: canaries are gone that nobody erased: {kinds}")
        if readable - kept - set(unsure):
            kinds = [world.customers.words[word] for word in readable - kept]
            world.violate(f"{moment}: the interface gives out what was erased: {kinds}")
    print(f"  {moment}: the interface gives out all {len(kept)} canaries that were kept", flush=True)


def check_feeds_kept(world, before, moment, unsure=()):
    """Each listed day has each canary as often as before, except for what was erased."""
    lost, after = world.lost_words() | set(unsure), world.words_by_day()
    wanted = {day: count for day, count in before.items() if day[1] not in lost}
    seen = {day: count for day, count in after.items() if day[1] not in set(unsure)}
    # The identifier and the name of a customer stand in each row of the customer, of which some may be erased.
    for day in wanted.keys() | seen.keys():
        kind = world.customers.words[day[1]][1]
        exact = kind not in ("customer", "name")
        if (exact and wanted.get(day) != seen.get(day)) or seen.get(day, 0) > wanted.get(day, 0):
            return world.violate(f"{moment}: {day} stands {seen.get(day)} times instead of {wanted.get(day)}")
    print(f"  {moment}: each listed day of the feeds has its {sum(wanted.values())} canaries", flush=True)


def check_rows(world, before, moment):
    """Each day has lost the rows of the erased customers and no other."""
    customers, lost = world.customers, {}
    for customer in world.erased:
        for number in range(customers.conversations):
            age = customers.age(customer, number)
            lost.setdefault(("messages", age), 0)
            lost[("messages", age)] += 20 + (number == 5)
            lost[("conversations", age)] = lost.get(("conversations", age), 0) + 1
        neighbour = (customer + 1) % customers.count
        if neighbour not in world.erased:
            age = customers.age(neighbour, 5)
            lost[("messages", age)] = lost.get(("messages", age), 0) + 1
    for folder, rows in world.watch.rows().items():
        feed = folder.split("/")[1]
        age = next((age for age in range(1, customers.days + 1) if folder.endswith(f"dt={world.day(age)}")), None)
        if feed in ("messages", "conversations") and rows != before[folder] - lost.get((feed, age), 0):
            return world.violate(f"{moment}: {folder} has {rows} rows, had {before[folder]}, lost {lost.get((feed, age), 0)}")
    print(f"  {moment}: each day has exactly the rows that were kept", flush=True)

