"""The rule for the schema: keys, unique indexes, foreign keys and triggers stay within a tenant."""
import re

TENANT = "tenant_id"

# The catalogue of PostgreSQL as one JSON object.
QUERY = """SELECT json_build_object(
'tables', (SELECT json_object_agg(relname, columns) FROM (
    SELECT c.relname, json_agg(a.attname ORDER BY a.attnum) AS columns FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace GROUP BY c.relname) AS t),
'nullable', (SELECT coalesce(json_agg(c.relname), '[]') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
    AND attname = 'tenant_id' AND NOT attnotnull),
'indexes', (SELECT json_agg(json_build_object('name', i.relname, 'table', t.relname, 'unique', indisunique,
    'columns', ARRAY(SELECT pg_get_indexdef(indexrelid, n, true) FROM generate_series(1, indnkeyatts) AS n)))
    FROM pg_index JOIN pg_class i ON i.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
    WHERE t.relnamespace = 'public'::regnamespace),
'keys', (SELECT coalesce(json_agg(json_build_object('name', conname, 'table', conrelid::regclass::text,
    'to', confrelid::regclass::text, 'pairs', ARRAY(SELECT ARRAY[a.attname, b.attname]::text[]
        FROM unnest(conkey, confkey) AS k (one, other)
        JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = one
        JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = other))), '[]')
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace),
'triggers', (SELECT coalesce(json_agg(json_build_object('name', tgname, 'table', tgrelid::regclass::text,
    'function', proname)), '[]') FROM pg_trigger JOIN pg_proc p ON p.oid = tgfoid WHERE NOT tgisinternal),
'functions', (SELECT json_object_agg(proname, prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace))"""


def from_sqlite(connection):
    """The schema of an SQLite database in the form of `QUERY`. A trigger has its text in place of a function."""
    query = lambda sql, *values: connection.execute(sql, values).fetchall()
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    schema = {"tables": {}, "nullable": [], "indexes": [], "keys": [], "triggers": [], "functions": {}}
    for table, in query(tables):
        columns = query("SELECT name, \"notnull\" FROM pragma_table_info(?)", table)
        schema["tables"][table] = [name for name, _ in columns]
        schema["nullable"] += [table for name, not_null in columns if name == TENANT and not not_null]
        for index, unique in query('SELECT name, "unique" FROM pragma_index_list(?)', table):
            indexed = [name for name, in query("SELECT name FROM pragma_index_info(?) ORDER BY seqno", index)]
            schema["indexes"].append({"name": index, "table": table, "unique": unique, "columns": indexed})
        keys = {}
        for number, to, one, other in query('SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?)', table):
            key = {"name": f"{table}_{number}", "table": table, "to": to, "pairs": []}
            keys.setdefault(number, key)["pairs"].append([one, other])
        schema["keys"] += keys.values()
    for name, table, text in query("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"):
        schema["triggers"].append({"name": name, "table": table, "function": name})
        schema["functions"][name] = text
    return schema


def tenants_tables(schema):
    return {table for table, columns in schema["tables"].items() if TENANT in columns}


def check(schema, global_tables):
    """The reasons why the schema breaks the rule. `global_tables` are the tables that may lack a tenant."""
    complaints = []
    tables = tenants_tables(schema)
    for table in sorted(schema["tables"].keys() - tables - set(global_tables)):
        complaints.append(f"the table {table} has no column {TENANT}")
    for table in sorted(tables):
        if schema["tables"][table][0] != TENANT:
            complaints.append(f"the first column of the table {table} is not {TENANT}")
    complaints += [f"{TENANT} of the table {table} can be NULL" for table in schema["nullable"]]
    for index in schema["indexes"]:
        if index["table"] in tables and index["unique"] and TENANT not in index["columns"]:
            complaints.append(f"the unique index {index['name']} of {index['table']} lacks {TENANT}")
    for key in schema["keys"]:
        if {key["table"], key["to"]} & tables and [TENANT, TENANT] not in key["pairs"]:
            complaints.append(f"the foreign key {key['name']} of {key['table']} does not pair {TENANT} with {TENANT}")
    for trigger in schema["triggers"]:
        text = schema["functions"].get(trigger["function"], "")
        for statement in writes(text):
            if not re.search(r"\b(?:NEW|OLD)\.tenant_id\b|\bSELECT\s+tenant_id\b.*\bFROM written\b", statement, re.DOTALL):
                complaints.append(f"the trigger {trigger['name']} writes a row not of NEW.{TENANT}: {statement}")
    return complaints


def writes(text):
    """The statements of a function or of a trigger that write rows."""
    body = text.partition("BEGIN")[2]
    parts = re.split(r";|\bTHEN\b", body)
    return [" ".join(part.split()) for part in parts if re.match(r"\s*(INSERT|UPDATE|DELETE)\b", part)]
