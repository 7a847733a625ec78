"""Opens streams through a proxy at 127.0.0.1:8000, leaves them idle for longer than the timeouts of the proxy, and checks
that nothing is held back, lost or opened twice. Reads credential.json in the working directory."""

import http.client
import json
import sys
import time

IDLE_SECONDS = 65  # longer than the 50 seconds of HAProxy and the 60 of others
COMMENT_SECONDS = 15
AT_ONCE_SECONDS = 1
CONVERSATIONS = "/conversation/v1/conversations"
EVENTS = "/conversation/v1/events/stream?after=latest"

with open("credential.json", encoding="utf-8") as file:
    credential = json.load(file)
CREDENTIAL = {"svc-api-id": credential["apiId"], "svc-api-secret": credential["apiSecret"]}


def request(method, path, headers, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=COMMENT_SECONDS + AT_ONCE_SECONDS)
    headers = headers | {"X-Forwarded-For": "198.51.100.1"}
    if body is not None:
        headers, body = headers | {"content-type": "application/json"}, json.dumps(body)
    connection.request(method, path, body, headers)
    return connection.getresponse()


def call(path, body):
    answer = request("POST", path, CREDENTIAL, body)
    if answer.status not in (200, 201):
        sys.exit(f"POST {path} is answered {answer.status}")
    return json.load(answer)


def say(conversation, text):
    message = {"text": text, "sender": {"role": "customer", "externalId": "customer-7"}}
    call(f"{CONVERSATIONS}/{conversation}/messages", message | {"timestamp": "2026-01-31T09:30:00Z"})


class Stream:
    """A stream as a browser reads it: frame by frame."""

    def __init__(self, name, path, headers):
        self.name, self.last_id, started = name, None, time.monotonic()
        self.answer = request("GET", path, headers)
        if self.answer.status != 200:
            sys.exit(f"{name}: is answered {self.answer.status}")
        self.frame()
        self.check_delay("the first line", started)

    def frame(self):
        lines = []
        while line := self.answer.readline().decode().rstrip("\n"):
            lines.append(line)
        if not lines:
            sys.exit(f"{self.name}: the stream ended")
        fields = dict(line.split(": ", 1) for line in lines)
        self.last_id = fields.get("id", self.last_id)
        return fields

    def expect(self, text, since):
        fields = self.frame()
        while "event" not in fields:
            fields = self.frame()
        found = json.loads(fields["data"])["data"].get("text")
        if found != text:
            sys.exit(f"{self.name}: {found!r} came in place of {text!r}")
        self.check_delay(text, since)

    def check_delay(self, what, since):
        delay = time.monotonic() - since
        if delay > AT_ONCE_SECONDS:
            sys.exit(f"{self.name}: {what} took {delay:.1f} s")


def main():
    customer = {"externalId": "customer-7"}
    body = {"externalId": "call-1", "customer": customer, "timestamp": "2026-01-31T09:30:00Z"}
    conversation = call(CONVERSATIONS, body)["id"]
    address = call("/conversation/v1/streams", {"conversationId": conversation})["streamingUrl"]
    streams = [
        Stream("events", f"{EVENTS}&types=message.created", CREDENTIAL),
        Stream("messages", f"{CONVERSATIONS}/{conversation}/messages/stream", CREDENTIAL),
        Stream("address", address, {"accept": "text/event-stream", "accept-encoding": "gzip, deflate, br"}),
    ]
    if (status := request("GET", address, {}).status) != 404:
        sys.exit(f"an address that was used is answered {status}")
    started, comments = time.monotonic(), 0
    while time.monotonic() - started < IDLE_SECONDS:
        for stream in streams:
            stream.frame()
            comments += 1
    said = time.monotonic()
    say(conversation, "after a while")
    for stream in streams:
        stream.expect("after a while", said)
        stream.answer.close()
    say(conversation, "while away")
    for stream, path in zip(streams, [EVENTS, f"{CONVERSATIONS}/{conversation}/messages/stream"]):
        opened = time.monotonic()
        resumed = Stream(stream.name, path, CREDENTIAL | {"last-event-id": stream.last_id})
        resumed.expect("while away", opened)
    print(f"proxy: {len(streams)} streams stayed open for {IDLE_SECONDS} s with {comments} comments, and resumed")


main()
