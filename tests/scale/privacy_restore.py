"""The step of the privacy test in which a copy from before all erasures is restored, while everything is killed."""

import time

from program import Failure, seeded


def restore_with_kills(world, kills, seed):
    """Restores the copy until no kill is left, and starts a server on it that is killed at its start too."""
    generator = seeded(seed, "restore", world.database.name)
    while True:
        world.database.move_away()
        if world.database.name == "sqlite":
            kills -= restore_file(world, min(kills, generator.randrange(4)), generator)
        else:
            world.database.restore(world.folder / "copy")
        for _ in range(min(kills, generator.randrange(1, 8))):
            world.begin_start()
            time.sleep(generator.uniform(0, world.start_seconds))
            world.kill()
            kills -= 1
        took = world.start()
        check_at_once(world)
        world.start_seconds = max(world.start_seconds, took)
        if kills <= 0:
            return
        world.kill()
        kills -= 1


def restore_file(world, kills, generator):
    """Runs `parlance restore` to its end, after some runs that are killed. A killed run may leave the copy in place: then
    it is moved away, or a server starts on it. Returns the kills."""
    copy = world.folder / "copy"
    for number in range(kills):
        process = world.program.start("restore", copy)
        time.sleep(generator.uniform(0, world.restore_seconds))
        process.kill()
        process.wait()
        world.kills += 1
        if world.database.file.exists():
            if generator.random() < 0.5:
                return number + 1
            world.database.move_away()
    started = time.monotonic()
    world.program.run("restore", copy)
    world.restore_seconds = time.monotonic() - started
    return kills


def check_at_once(world):
    """The server listens: nothing of the erased may be given out."""
    caller = world.caller()
    for customer in sorted(world.erased)[:30]:
        left = world.readable(caller, customer)
        if left:
            raise Failure(f"a restored server gives out {left} of an erased customer")
