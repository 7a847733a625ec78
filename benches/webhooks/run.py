#!/usr/bin/env python3
"""Measures how many deliveries a second one webhook receives, on SQLite and on PostgreSQL.

Messages are stored first, while the webhook is off, and it is switched on then. Needs the Python packages that
tests/scale/run.sh installs, a program that was built in release mode, and PostgreSQL. The receiver is a process of its own on
the same machine; it answers after --answer-ms milliseconds."""

import argparse
import asyncio
import multiprocessing
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "scale"))

from databases import Postgres, Sqlite  # noqa: E402
from program import Caller, Failure, Program, Server, free_port  # noqa: E402

CONVERSATIONS = "/conversation/v1/conversations"
WEBHOOKS = "/configuration/v1/webhooks"
#: Messages of one request, and seconds in which a message must have come.
BATCH, PATIENCE = 100, 60
SENDER = {"role": "customer", "externalId": "customer-7"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/parlance")
    parser.add_argument("--messages", type=int, default=8_000)
    parser.add_argument("--conversations", type=int, default=200, help="a conversation gets its messages one after the other")
    parser.add_argument("--answer-ms", type=float, default=0, help="time that the receiver takes for an answer")
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    return parser.parse_args()


def receive(port, answer_seconds, received):
    """Counts requests, and answers each after a time."""
    async def connection(reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.split(b":")[1]))
            await asyncio.sleep(answer_seconds)
            with received.get_lock():
                received.value += 1
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def serve():
        server = await asyncio.start_server(connection, "127.0.0.1", port, backlog=512)
        await server.serve_forever()

    asyncio.run(serve())


def store_messages(caller, options):
    """Stores the messages, evenly in the conversations, so that neighbours in the log are of different ones."""
    ids = []
    for number in range(options.conversations):
        body = {"externalId": f"call-{number}", "agent": {"externalId": "agent-3", "name": "Grace"},
                "customer": {"externalId": "customer-7", "name": "Ada"}, "metadata": {}, "timestamp": "2026-01-31T09:30:00Z"}
        ids.append(caller.patient("POST", CONVERSATIONS, body)[1]["id"])
    each = options.messages // options.conversations
    for first in range(0, each, BATCH):
        messages = [{"text": f"parcel {number}", "sender": SENDER, "timestamp": "2026-01-31T10:00:00Z"}
                    for number in range(first, min(first + BATCH, each))]
        for conversation in ids:
            caller.patient("POST", f"{CONVERSATIONS}/{conversation}/messages/batch", {"messages": messages})
    return options.conversations * (each + 1)


def measure(database, folder, options):
    """Deliveries a second from the first to the last."""
    key = folder / "master.key"
    key.touch(0o600)
    key.write_bytes(bytes(range(32)))
    program = Program(options.program, folder, DATABASE_URL=database.url, MASTER_KEY_FILE=key, FEED_EXPORT_AT="never",
                      WEBHOOK_ALLOW="127.0.0.0/8")
    program.run("migrate")
    credential = program.create_credential()
    server = Server(program, free_port())
    server.wait()
    received, hook = multiprocessing.Value("q", 0), free_port()
    receiver = multiprocessing.Process(target=receive, args=(hook, options.answer_ms / 1e3, received), daemon=True)
    receiver.start()
    caller = Caller(server.port, credential)
    status, webhook = caller.patient("POST", WEBHOOKS, {"url": f"http://127.0.0.1:{hook}/"})
    if status != 201:
        raise Failure(f"the webhook is a {status}: {webhook}")
    caller.patient("PATCH", f"{WEBHOOKS}/{webhook['id']}", {"active": False})
    expected = store_messages(caller, options)
    caller.patient("PATCH", f"{WEBHOOKS}/{webhook['id']}", {"active": True})
    try:
        return rate(received, expected)
    finally:
        receiver.terminate()
        server.stop()


def rate(received, expected):
    began = last = time.monotonic()
    seen = 0
    while seen < expected:
        time.sleep(0.02)
        now, count = time.monotonic(), received.value
        if seen == 0 and count:
            began = now
        if count != seen:
            seen, last = count, now
        elif now - last > PATIENCE:
            raise Failure(f"{seen} of {expected} deliveries came")
    return expected / (last - began)


def main():
    options = arguments()
    for kind in (Sqlite, Postgres):
        if options.only not in (None, kind.name):
            continue
        with tempfile.TemporaryDirectory(dir=ROOT / "target", prefix="bench-webhooks-") as name:
            folder = pathlib.Path(name)
            database = kind(folder)
            try:
                print(f"{kind.name}: {measure(database, folder, options):.0f} deliveries a second", flush=True)
            finally:
                database.close()


if __name__ == "__main__":
    main()
