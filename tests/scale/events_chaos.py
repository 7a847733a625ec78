"""What is broken in the events test while the writers write: servers, the database, and a transaction that stays open."""

import sqlite3
import threading
import time

from program import Failure, Server, seeded


class Chaos(threading.Thread):
    """Kills servers at random moments, pauses PostgreSQL, and holds a transaction open that has a place in the log."""

    def __init__(self, world, options):
        super().__init__(daemon=True)
        self.world, self.options, self.failure = world, options, None
        self.random, self.done = seeded(options.seed, "chaos", world.database.name), {"kills": 0}

    def run(self):
        try:
            kinds = ["kill"] * self.options.kills + ["hold"]
            if self.world.database.name == "postgres":
                kinds += ["pause"] * self.options.pauses
            self.random.shuffle(kinds)
            time.sleep(1)
            for kind in kinds:
                time.sleep(self.random.uniform(0, self.options.spread))
                getattr(self, kind)()
        except Exception as error:  # reported by the main thread
            self.failure = error

    def kill(self):
        """Kills one server, sometimes all, and starts them again, sometimes after a while."""
        chosen = [self.random.randrange(len(self.world.servers))]
        if self.random.random() < 0.2:
            chosen = range(len(self.world.servers))
        for number in chosen:
            self.world.servers[number].kill()
            self.done["kills"] += 1
        if self.random.random() < 0.3:
            time.sleep(self.random.uniform(0, 2))
        for number in chosen:
            self.world.servers[number] = Server(self.world.program, self.world.ports[number])
        for number in chosen:
            self.world.servers[number].wait()

    def pause(self):
        seconds = self.random.uniform(2, 6)
        self.world.database.run("pause")
        time.sleep(seconds)
        self.world.database.run("resume")
        self.done["paused"] = self.done.get("paused", 0) + seconds

    def hold(self):
        """Holds a transaction open that has appended to the log of a tenant, so that it commits long after others began."""
        change = f"UPDATE conversations SET customer_name = 'Ada {self.random.random()}' WHERE external_id = 'held'"
        if self.world.database.name == "postgres":
            self.world.database.psql(f"BEGIN; {change}; SELECT pg_sleep({self.options.held}); COMMIT")
        else:
            connection = sqlite3.connect(self.world.database.file, timeout=30, isolation_level=None)
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(change)
                time.sleep(self.options.held)
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise Failure(f"the held transaction: {error}") from error
            finally:
                connection.close()
        self.done["held"] = self.done.get("held", 0) + self.options.held
