"""Reads the log of a PostgreSQL server and checks every plan of the program: usage in tests/tenant_plans.sh."""
import collections
import json
import pathlib
import re
import sqlite3
import sys

import schema
from plans import Plan

DATA_PLANE = {"conversations", "conversation_metadata", "conversation_updates", "messages", "receipts", "late_changes",
              "change_log", "change_log_dropped", *(f"change_log_{slot}" for slot in range(16))}
# Tables that belong to no tenant.
GLOBAL_TABLES = {"digest_keys", "leases", "ledger_objects", "schema_compatibility", "schema_functions", "schema_steps",
                 "seaql_migrations"}

# The statements that do not name a tenant, each with its reason and its `shape`. No request of a caller runs one of
# them. An exception that is not seen fails the check.
EXCEPTIONS = [
    ("data plane: the job that deletes expired idempotency records deletes those of all tenants",
     r"DELETE FROM receipts WHERE created_at <= \?"),
    ("data plane: the job that drops old events asks whether a partition of the change log has rows",
     r"SELECT ? FROM change_log_\d+ LIMIT ?".replace("?", r"(?:\?|1)")),
    ("data plane: the job that drops old events records the last event of each tenant in a partition of the change log",
     r"WITH RECURSIVE newest AS \( \(SELECT (?:(?! FROM ).)* FROM change_log_\d+ .* INSERT INTO change_log_dropped .*"),
    ("control plane: a replica that begins to send webhooks claims those of all tenants",
     r"UPDATE webhooks SET lease_term = \? WHERE lease_term < \?"),
    ("control plane: the replica that sends webhooks reads the active ones of all tenants, with their credentials",
     r"SELECT (?:(?! FROM ).)* FROM webhooks w LEFT JOIN credentials c ON c\.tenant_id = w\.tenant_id AND .*"),
    ("control plane: the replica that sends webhooks reads which have deliveries that are due",
     r"SELECT w\.tenant_id, w\.id FROM webhooks w WHERE w\.active = 1 AND EXISTS \( .*"),
    ("control plane: the replica that sends webhooks counts what is not delivered, for its metrics",
     r"SELECT count\(\*\), min\(d\.created_at\) FROM webhooks w JOIN webhook_deliveries d .*"),
    ("control plane: the replica that sends webhooks removes old deliveries, and those of removed webhooks",
     r"DELETE FROM webhook_deliveries WHERE \(tenant_id, webhook_id, id\) IN .*"),
    ("control plane: the replica that sends webhooks removes webhooks without deliveries that a tenant has removed",
     r"DELETE FROM webhooks WHERE removed_at IS NOT NULL AND NOT EXISTS .*"),
    ("control plane: the replica that carries out privacy requests, and the operator's `parlance doctor` and `parlance privacy fail`, read which are open",
     r"SELECT (?:(?! FROM ).)* FROM privacy_requests WHERE ended_at IS NULL AND \(requested_at, tenant_id, id\) > \(\?, \?, \?\) "
     r"ORDER BY requested_at, tenant_id, id LIMIT 100"),
    ("control plane: the operator's `parlance doctor` and `parlance audit sign` read the encrypted secrets of all webhooks",
     r"SELECT tenant_id, id, secret, previous_secret FROM webhooks WHERE removed_at IS NULL ORDER BY tenant_id, id"),
    ("control plane: the operator's `parlance doctor` counts the open erasures of tenants",
     r"SELECT tenant_id, requested_at, count\(\*\) OVER \(\) FROM tenant_erasures WHERE completed_at IS NULL .*"),
    ("control plane: the operator's `parlance privacy compact` reads the newest receipts of all tenants",
     r"SELECT receipt FROM privacy_receipts WHERE \(tenant_id, sequence\) > .* ORDER BY tenant_id, sequence LIMIT 100"),
    ("control plane: the operator's `parlance privacy compact` asks whether a table is empty",
     r"SELECT NOT EXISTS \(SELECT FROM \w+\) AND EXISTS \(SELECT FROM pg_stats WHERE tablename = \?\)"),
    ("control plane: a migration queues the erasures of all tenants for their ledger, each under its own tenant",
     r"INSERT INTO ledger_queue \(tenant_id, conversation_id, message_id, digest, erased_at\) "
     r"SELECT tenant_id, conversation_id, \?, digest, erased_at FROM erased_conversations"),
    ("control plane: a start that finds objects of the ledger missing queues the erasures of all tenants again",
     r"INSERT INTO ledger_queue \(tenant_id, conversation_id, message_id, digest, erased_at\) "
     r"SELECT tenant_id, (?:conversation_id, \?, digest|conversation_id, id, NULL|\?, \?, NULL), (?:erased|requested)_at "
     r"FROM (?:erased_conversations|erased_messages|tenant_erasures) "
     r"WHERE true ON CONFLICT DO NOTHING"),
    ("control plane: the job that writes the ledger of erasures takes those of all tenants",
     r"SELECT (?:(?! FROM ).)* FROM ledger_queue ORDER BY tenant_id, conversation_id, message_id LIMIT \?"),
    ("control plane: the replica that runs retention reads for which tenants a run is due",
     r"SELECT tenant_id FROM retention_runs WHERE last_began_at IS NULL OR last_began_at <= \? ORDER BY tenant_id"),
    ("control plane: a migration asks whether there is a conversation, before it builds an index",
     r"EXISTS \(SELECT FROM conversations\)"),
    ("both planes: the operator's `parlance doctor --deep` samples both ends of every table",
     r"SELECT (?:(?! FROM ).)* FROM (\w+) (?:WHERE \([\w, ]+\) > \(SELECT [\w, ]+ FROM \1 ORDER BY [\w, ]+ "
     r"LIMIT 1 OFFSET 999\) )?ORDER BY [\w, ]+ LIMIT 1000"),
    ("control plane: the production of feeds lists the tenants",
     r"SELECT DISTINCT tenant_id FROM credentials WHERE NOT EXISTS \(SELECT 1 FROM tenant_erasures WHERE "
     r"tenant_erasures\.tenant_id = credentials\.tenant_id\) ORDER BY tenant_id"),
    ("control plane: the operator lists the credentials of all tenants",
     r'SELECT (?:"credentials"\."\w+"(?:, )?)+ FROM "credentials" ORDER BY (?:"credentials"\."\w+" ASC(?:, )?)+'),
    ("control plane: the delivery of vocabularies lists the tenants with changes, and the operator lists all",
     r"SELECT tenant_id FROM vocabulary_delivery (?:WHERE pending_since (?:(?! FROM ).)* )?ORDER BY (?:(?! FROM ).)*"),
    ("control plane: the operator's `parlance audit verify` lists the tenants",
     r"SELECT tenant_id FROM audit_records(?: UNION SELECT tenant_id FROM \w+)+ ORDER BY 1"),
    ("control plane: a program that starts asks which master keys have signed audit logs",
     r"SELECT DISTINCT signed_by FROM audit_heads WHERE signed_by IS NOT NULL"),
]

# Calls that have no plan: many messages are copied in, and the job that drops old events empties a partition.
CALLS_WITHOUT_PLAN = [
    # Each row that is copied in names its tenant.
    r"COPY messages \(tenant_id, [a-z_, ]+\) FROM STDIN \(FORMAT binary\)",
    r"LOCK TABLE change_log_\d+ IN ACCESS EXCLUSIVE MODE",
    r"TRUNCATE change_log_\d+",
]

CALL = re.compile(r"^(?:execute [^:]*|statement): ", re.DOTALL)
READS_OR_WRITES = re.compile(
    r"^(?:WITH|SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|TRUNCATE|LOCK|DECLARE|EXECUTE|PREPARE|TABLE|VALUES)\b", re.I)


def shape(text):
    """A statement without comments, line breaks and values, and without the COPY around it."""
    text = " ".join(text.split())
    text = re.sub(r"^COPY \((.*)\) TO STDOUT \(FORMAT binary\)$", r"\1", text)
    return re.sub(r"\$\d+|E?'(?:[^']|'')*'(?:::(?:text|bigint))?", "?", text)


class Log:
    """The plans and the calls of the program in a log of the format `jsonlog`."""

    def __init__(self, path):
        self.plans, self.calls = {}, set()
        self.statements = 0
        with open(path, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                if line.get("application_name") == "parlance":
                    self.add(line["message"], line.get("context", ""))

    def add(self, message, context):
        _, is_plan, plan = message.partition(" plan:\n")
        if is_plan and message.startswith("duration: "):
            self.add_plan(json.loads(plan), context)
        elif CALL.match(message):
            self.calls.add(shape(CALL.sub("", message)))

    def add_plan(self, plan, context):
        self.statements += 1
        # The innermost function is in the first line that names one.
        function = re.search(r"function (\w+)\(", context)
        form = re.sub(r"'[^']*'", "?", json.dumps(without_estimates(plan["Plan"])))
        self.plans.setdefault((form, shape(plan["Query Text"]), function and function[1]), plan)


def without_estimates(node):
    estimates = ("Startup Cost", "Total Cost", "Plan Rows", "Plan Width")
    kept = {key: value for key, value in node.items() if key not in estimates}
    return kept | {"Plans": [without_estimates(child) for child in node.get("Plans", [])]}


def check_plans(log, catalogue, complaints):
    """Checks each plan, and returns the tables, the exceptions and the shapes that were seen."""
    tables = schema.tenants_tables(catalogue)
    indexes = {index["name"]: index["columns"] for index in catalogue["indexes"]}
    triggers = {trigger["function"] for trigger in catalogue["triggers"]}
    seen = collections.defaultdict(set)
    excepted = collections.defaultdict(set)
    for (_, text, function), logged in log.plans.items():
        plan = Plan(logged, tables, indexes, in_trigger=function in triggers)
        for table in plan.touched:
            seen[table].add(text)
        reasons = plan.check()
        if not reasons:
            continue
        reason = next((reason for reason, pattern in EXCEPTIONS if re.fullmatch(pattern, text)), None)
        if reason:
            excepted[reason].add(text)
        else:
            complaints.append(f"{'; '.join(reasons)}, in: {text}")
    for reason, _ in EXCEPTIONS:
        if not excepted[reason]:
            complaints.append(f"the exception was not seen, so remove it or send its statement: {reason}")
    return seen, excepted


def check_calls(log, catalogue, complaints):
    """A call on tenants' rows has a plan, or the check has not seen what it does. A migration has none."""
    words = re.compile(r"\b(?:" + "|".join(sorted(schema.tenants_tables(catalogue))) + r")\b")
    planned = {text for _, text, _ in log.plans}
    for call in sorted(log.calls - planned):
        if any(re.fullmatch(pattern, call) for pattern in CALLS_WITHOUT_PLAN):
            continue
        if READS_OR_WRITES.match(call) and words.search(call):
            complaints.append(f"no plan was logged for: {call}")


def newest_versions(names):
    """The functions without those that have a newer version: only the release before calls these."""
    version = lambda name: re.fullmatch(r"(.*)_v(\d+)", name)
    newest = {}
    for name in names:
        if found := version(name):
            newest[found[1]] = max(newest.get(found[1], 0), int(found[2]))
    return [name for name in names if not (found := version(name)) or int(found[2]) == newest[found[1]]]


def check_list(log, path, catalogue, complaints):
    """Every statement of the data plane, and every statement of a function, was sent. Returns their number."""
    texts = {text for _, text, _ in log.plans}
    listed = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    for folder, name, sql in listed:
        if shape(sql) not in texts:
            complaints.append(f"no suite sends {name} of data_plane/{folder}: {shape(sql)}")
    nested = collections.defaultdict(set)
    for _, text, function in log.plans:
        nested[function].add(text)
    count = 0
    for function in newest_versions(sorted(catalogue["functions"])):
        source = catalogue["functions"][function]
        for statement in re.split(r";|\bTHEN\b", re.sub(r"--[^\n]*", "", source)):
            # PostgreSQL runs `PERFORM` as `SELECT`.
            statement = shape(statement).replace("PERFORM ", "SELECT ")
            if not re.search(r"\b(INSERT|UPDATE|DELETE|SELECT)\b", statement):
                continue
            count += 1
            if not any(text in statement for text in nested[function]):
                complaints.append(f"no suite runs this statement of the function {function}: {statement}")
    return len(listed) + count


def main(log_path, catalogue_path, sqlite_path, list_path):
    catalogue = json.loads(pathlib.Path(catalogue_path).read_text())
    complaints = [f"PostgreSQL: {each}" for each in schema.check(catalogue, GLOBAL_TABLES)]
    in_sqlite = schema.from_sqlite(sqlite3.connect(sqlite_path))
    complaints += [f"SQLite: {each}" for each in schema.check(in_sqlite, GLOBAL_TABLES)]
    log = Log(log_path)
    seen, excepted = check_plans(log, catalogue, complaints)
    check_calls(log, catalogue, complaints)
    listed = check_list(log, list_path, catalogue, complaints)
    for table in sorted(schema.tenants_tables(catalogue)):
        plane = "data plane" if table in DATA_PLANE else "control plane"
        print(f"{plane}: {len(seen[table])} statements on {table}")
        if not seen[table]:
            complaints.append(f"no plan was seen for the table {table}")
    for reason, texts in excepted.items():
        print(f"exception, {len(texts)} statements: {reason}")
    print(f"{log.statements} plans were logged, {len(log.plans)} of them distinct, of "
          f"{len({text for _, text, _ in log.plans})} statements; {listed} statements are listed in the sources")
    if complaints:
        sys.exit("\n".join(["every statement names the tenant of its rows (docs/data-model.md), but:", *complaints]))


if __name__ == "__main__":
    main(*sys.argv[1:])
