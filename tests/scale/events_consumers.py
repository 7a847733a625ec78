"""The consumers of the events test, each a process of its own that appends what it receives to a file: one that polls, one
that reads the stream, and one receiver of webhooks for all tenants. Both readers resume with their cursor."""

import asyncio
import base64
import hashlib
import hmac
import http.client
import json
import time

from program import Caller

EVENTS = "/conversation/v1/events"


def line_of(event):
    """What is kept of an event: its id, its type, its conversation and its message."""
    message = (event.get("data") or {}).get("messageId", "-")
    return f"{event['id']} {event['type']} {event.get('conversationId') or '-'} {message}\n"


class Received:
    """The file of a consumer. What was read goes there before the cursor moves on."""

    def __init__(self, path):
        self.file = open(path, "a")

    def add(self, events):
        self.file.write("".join(map(line_of, events)))
        self.file.flush()

    def fail(self, what, answer):
        self.file.write(f"failed {what} {str(answer).replace(' ', '_')} -\n")
        self.file.flush()


def poll(path, ports, credential, stopped, limit=500):
    """Polls until it is told to stop, over all replicas in turn."""
    received, cursor, turn = Received(path), None, 0
    callers = [Caller(port, credential, timeout=40) for port in ports]
    while not stopped.is_set():
        after = f"&after={cursor}" if cursor else ""
        status, page = callers[turn].json("GET", f"{EVENTS}?limit={limit}&wait=5{after}")
        if status == 200 and page:
            received.add(page["events"])
            cursor = page["nextCursor"]
        else:
            if status not in (None, 200, 429, 503):
                received.fail(status, page)
            turn = (turn + 1) % len(callers)
            time.sleep(0.05)


def stream(path, ports, credential, stopped):
    """Reads the stream until it is told to stop, and opens it again after the last id."""
    received, last, turn = Received(path), None, 0
    while not stopped.is_set():
        headers = {"svc-api-id": credential[0], "svc-api-secret": credential[1]}
        if last:
            headers["last-event-id"] = last
        connection = http.client.HTTPConnection("127.0.0.1", ports[turn], timeout=30)
        try:
            connection.request("GET", f"{EVENTS}/stream", headers=headers)
            answer = connection.getresponse()
            if answer.status == 200:
                last = read_stream(answer, received, last, stopped)
            elif answer.status not in (429, 503):
                received.fail(answer.status, answer.read()[:200])
        except (OSError, http.client.HTTPException):
            pass
        connection.close()
        turn = (turn + 1) % len(ports)
        time.sleep(0.05)


def read_stream(answer, received, last, stopped):
    """Reads frames to the end of the stream, and returns the last id."""
    rest = b""
    while not stopped.is_set():
        try:
            data = answer.read1(1 << 16)
        except (OSError, http.client.HTTPException):
            return last
        if not data:
            return last
        *frames, rest = (rest + data).split(b"\n\n")
        for frame in frames:
            fields = dict(part.split(b": ", 1) for part in frame.split(b"\n") if b": " in part and part[:1] != b":")
            if b"data" in fields and fields.get(b"event") != b"reset":
                received.add([json.loads(fields[b"data"])])
            elif b"data" in fields:
                received.fail("reset", fields[b"data"].decode())
            last = fields[b"id"].decode() if b"id" in fields else last
    return last


class Receiver:
    """A receiver of webhooks that checks signatures and answers at once. The path of an address names its tenant."""

    def __init__(self, folder, secrets):
        self.secrets = {tenant: base64.b64decode(secret.removeprefix("whsec_")) for tenant, secret in secrets.items()}
        self.files = {tenant: Received(folder / f"webhook-{tenant}") for tenant in secrets}

    async def connection(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                pairs = (line.split(": ", 1) for line in head[1:] if ": " in line)
                headers = {name.lower(): value for name, value in pairs}
                body = await reader.readexactly(int(headers["content-length"]))
                status = self.receive(head[0].split(" ")[1].strip("/"), headers, body)
                writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def receive(self, tenant, headers, body):
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        digest = base64.b64encode(hmac.new(self.secrets[tenant], signed, hashlib.sha256).digest()).decode()
        if f"v1,{digest}" not in headers["webhook-signature"].split(" "):
            self.files[tenant].fail("signature", headers["webhook-id"])
            return 400
        self.files[tenant].add([json.loads(body)])
        return 204


def receive(folder, port, secrets):
    """Receives webhooks until the process is ended."""
    async def serve():
        receiver = Receiver(folder, secrets)
        server = await asyncio.start_server(receiver.connection, "127.0.0.1", port)
        await server.serve_forever()
    asyncio.run(serve())
