"""Create a message, list messages and retrieve a conversation with FastAPI, SQLAlchemy and asyncpg.

Written as one would for speed: two workers with uvloop, a pool in each, Core statements rather than mapped objects,
verified credentials remembered for as long as the service does, no response model that validates what was just read."""

import hashlib
import os
import time
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, Header, HTTPException
from fastapi.responses import ORJSONResponse
from pydantic import BaseModel, Field
from sqlalchemy import BigInteger, Column, ForeignKeyConstraint, LargeBinary, MetaData, SmallInteger, Table, Text, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

TRUST_SECONDS = 30
ROLES = {"agent": 1, "customer": 2, "system": 3}
WORDS = {number: word for word, number in ROLES.items()}

tables = MetaData()
credentials = Table(
    "credentials", tables,
    Column("api_id", Text, primary_key=True), Column("digest", LargeBinary), Column("tenant_id", Text),
)
conversations = Table(
    "conversations", tables,
    Column("tenant_id", Text, primary_key=True), Column("id", Text, primary_key=True), Column("external_id", Text),
    Column("agent_external_id", Text), Column("agent_name", Text), Column("customer_external_id", Text),
    Column("customer_name", Text), Column("metadata", Text),
)
messages = Table(
    "messages", tables,
    Column("tenant_id", Text, primary_key=True), Column("conversation_id", Text, primary_key=True),
    Column("sent_at", BigInteger, primary_key=True), Column("id", Text, primary_key=True),
    Column("sender_role", SmallInteger), Column("sender_external_id", Text), Column("text", Text), Column("created_at", BigInteger),
    ForeignKeyConstraint(["tenant_id", "conversation_id"], ["conversations.tenant_id", "conversations.id"]),
)

engine = create_async_engine(os.environ["PEER_DATABASE"], pool_size=10, max_overflow=0)
trusted = {}


@asynccontextmanager
async def lifespan(_):
    yield
    await engine.dispose()


app = FastAPI(lifespan=lifespan, default_response_class=ORJSONResponse)


async def tenant_of(svc_api_id: Annotated[str, Header()], svc_api_secret: Annotated[str, Header()]) -> str:
    digest = hashlib.sha256(svc_api_secret.encode()).digest()
    known = trusted.get(digest)
    if known and known[0] == svc_api_id and known[2] > time.monotonic():
        return known[1]
    async with engine.connect() as connection:
        row = (await connection.execute(select(credentials).where(credentials.c.api_id == svc_api_id))).first()
    if row is None or row.digest != digest:
        raise HTTPException(401)
    trusted[digest] = (svc_api_id, row.tenant_id, time.monotonic() + TRUST_SECONDS)
    return row.tenant_id


Tenant = Annotated[str, Depends(tenant_of)]


class Sender(BaseModel):
    role: Literal["agent", "customer", "system"]
    externalId: str = Field(min_length=1, max_length=256)


class NewMessage(BaseModel):
    text: str = Field(min_length=1)
    sender: Sender
    timestamp: datetime


def moment(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1e6, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@app.post("/conversation/v1/conversations/{conversation}/messages")
async def create(conversation: str, new: NewMessage, tenant: Tenant):
    now = time.time_ns()
    made = f"{now:016X}{os.urandom(5).hex().upper()}"
    row = {
        "tenant_id": tenant, "conversation_id": conversation, "sent_at": int(new.timestamp.timestamp() * 1e6), "id": made,
        "sender_role": ROLES[new.sender.role], "sender_external_id": new.sender.externalId, "text": new.text,
        "created_at": now // 1000,
    }
    try:
        async with engine.begin() as connection:
            await connection.execute(insert(messages), row)
    except IntegrityError as error:
        raise HTTPException(404) from error
    return ORJSONResponse({"id": made})


@app.get("/conversation/v1/conversations/{conversation}/messages")
async def list_messages(conversation: str, tenant: Tenant, limit: int = 50):
    mine = (messages.c.tenant_id == tenant) & (messages.c.conversation_id == conversation)
    query = select(messages).where(mine).order_by(messages.c.sent_at, messages.c.id).limit(limit + 1)
    async with engine.connect() as connection:
        rows = (await connection.execute(query)).all()
    items = [
        {
            "text": row.text,
            "sender": {"role": WORDS[row.sender_role], "externalId": row.sender_external_id},
            "messageId": row.id,
            "createdTimestamp": moment(row.created_at),
            "clientTimestamp": moment(row.sent_at),
        }
        for row in rows[:limit]
    ]
    return ORJSONResponse({"items": items, "nextCursor": rows[limit - 1].id if len(rows) > limit else None})


@app.get("/conversation/v1/conversations/{conversation}")
async def retrieve(conversation: str, tenant: Tenant):
    query = select(conversations).where(conversations.c.tenant_id == tenant, conversations.c.id == conversation)
    async with engine.connect() as connection:
        row = (await connection.execute(query)).first()
    if row is None:
        raise HTTPException(404)
    agent = {"externalId": row.agent_external_id, "name": row.agent_name}
    customer = {"externalId": row.customer_external_id, "name": row.customer_name}
    found = {"id": row.id, "externalId": row.external_id, "agent": agent, "customer": customer}
    return ORJSONResponse({**found, "metadata": row.metadata})
