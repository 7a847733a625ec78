"""Live messages as one would write them with FastAPI and Redis: a write publishes, and each process has one subscription
to Redis, from which the queues of its streams are filled."""

import asyncio
import json
from collections import defaultdict
from contextlib import asynccontextmanager

import redis.asyncio as redis
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

queues = defaultdict(set)


async def bridge(client):
    async with client.pubsub() as pubsub:
        await pubsub.psubscribe("bench-events:*")
        async for message in pubsub.listen():
            if message["type"] == "pmessage":
                for queue in queues[message["channel"].decode().partition(":")[2]]:
                    if not queue.full():
                        queue.put_nowait(message["data"])


@asynccontextmanager
async def lifespan(app):
    app.state.redis = redis.Redis()
    task = asyncio.create_task(bridge(app.state.redis))
    yield
    task.cancel()


app = FastAPI(lifespan=lifespan)


@app.post("/pub/{conversation}")
async def publish(conversation: str, request: Request):
    await app.state.redis.publish(f"bench-events:{conversation}", json.dumps(await request.json()))
    return {}


@app.get("/sub/{conversation}")
async def subscribe(conversation: str):
    queue = asyncio.Queue(256)
    queues[conversation].add(queue)

    async def events():
        try:
            while True:
                yield b"data: " + await queue.get() + b"\n\n"
        finally:
            queues[conversation].discard(queue)

    return StreamingResponse(events(), media_type="text/event-stream")
