"""Tests of the rules on small plans and schemas."""
import json
import pathlib
import tempfile
import unittest

import schema
from check import Log, check_calls, check_list, check_plans, newest_versions, shape
from plans import Plan, conjuncts

TABLES = {"messages", "conversations", "late_changes"}
INDEXES = {"conversations_pkey": ["tenant_id", "id"], "conversations_by_id": ["id"]}
NAMED = "(messages.tenant_id = $1)"


def scan(table, condition=None, key="Index Cond", parent="Outer", **more):
    condition = {key: condition} if condition else {}
    return {"Node Type": "Index Scan", "Parent Relationship": parent, "Relation Name": table, "Alias": table,
            **condition, **more}


def requested(parent="Outer", call="unnest($1), unnest($2)"):
    return {"Node Type": "Function Scan", "Parent Relationship": parent, "Alias": "requested", "Function Call": call,
            "Output": ["requested.tenant_id"]}


def join(kind, *children, **conditions):
    return {"Node Type": "Nested Loop", "Parent Relationship": "Outer", "Join Type": kind, "Plans": children,
            **conditions}


def insert(table, tenant, *children, **more):
    rows = {"Node Type": "Result", "Parent Relationship": "Outer", "Output": [tenant, "$2"], "Plans": children}
    return {"Node Type": "ModifyTable", "Operation": "Insert", "Relation Name": table, "Plans": [rows], **more}


def complaints(plan, query="", in_trigger=False):
    return Plan({"Query Text": query, "Plan": plan}, TABLES, INDEXES, in_trigger).check()


class Plans(unittest.TestCase):
    def accepted(self, *arguments, **options):
        self.assertEqual(complaints(*arguments, **options), [])

    def refused(self, reason, *arguments, **options):
        self.assertIn(reason, " ".join(complaints(*arguments, **options)))

    def test_a_parameter_or_a_constant_names_the_tenant(self):
        for value in ("$1", "'acme'::text", "('acme'::text)::text", "'it''s (a = b) AND c'::text"):
            condition = f"((messages.tenant_id = {value}) AND (messages.id > $2))"
            for key in ("Index Cond", "Recheck Cond", "Filter"):
                with self.subTest(value=value, key=key):
                    self.accepted(scan("messages", condition, key))

    def test_a_condition_that_does_not_hold_for_all_rows_names_no_tenant(self):
        for condition in (None, "(messages.id = $1)", "((messages.tenant_id = $1) OR (messages.id = $2))",
                          "(messages.tenant_id <> $1)", "(messages.tenant_id >= $1)", "(NOT (messages.tenant_id = $1))",
                          "(messages.tenant_id = messages.id)", "(messages.tenant_id = messages.tenant_id)",
                          "(messages.text = 'messages.tenant_id = $1'::text)", "(lower(messages.tenant_id) = $1)"):
            with self.subTest(condition=condition):
                self.refused("messages is read without its tenant", scan("messages", condition))

    def test_unnested_parameters_name_the_tenant_of_a_joined_table(self):
        inner = scan("messages", "(messages.tenant_id = requested.tenant_id)", parent="Inner")
        self.accepted(join("Inner", requested(), inner))
        by_tenant = {"Hash Cond": "(messages.tenant_id = requested.tenant_id)"}
        self.accepted(join("Inner", requested(), scan("messages"), **by_tenant))

    def test_a_function_that_reads_tables_names_no_tenant(self):
        inner = scan("messages", "(messages.tenant_id = requested.tenant_id)", parent="Inner")
        self.refused("messages is read", join("Inner", requested(call="all_tenants()"), inner))

    def test_a_join_by_tenant_names_the_other_table(self):
        other = scan("conversations", "(conversations.tenant_id = messages.tenant_id)", parent="Inner")
        self.accepted(join("Inner", scan("messages", NAMED), other))

    def test_a_join_by_id_alone_crosses_tenants(self):
        other = scan("conversations", "(conversations.id = messages.conversation_id)", parent="Inner")
        self.refused("conversations is read without", join("Inner", scan("messages", NAMED), other))

    def test_the_condition_of_an_outer_join_names_no_tenant(self):
        by_tenant = {"Join Filter": "(messages.tenant_id = requested.tenant_id)"}
        self.refused("messages is read without", join("Left", requested(), scan("messages"), **by_tenant))

    def test_a_subquery_does_not_name_the_tenant_of_the_outer_table(self):
        both = "((conversations.tenant_id = $1) AND (conversations.tenant_id = messages.tenant_id))"
        subquery = scan("conversations", both, parent="SubPlan")
        self.refused("messages is read without", scan("messages", Plans=[subquery]))

    def test_the_result_of_a_subquery_is_no_parameter(self):
        subquery = scan("conversations", "(conversations.tenant_id = $1)", parent="InitPlan",
                        **{"Subplan Name": "InitPlan 1 (returns $0)"})
        self.refused("messages is read without", scan("messages", "(messages.tenant_id = $0)", Plans=[subquery]))

    def test_two_parameters_are_two_tenants(self):
        other = scan("conversations", "(conversations.tenant_id = $2)", parent="Inner")
        self.refused("rows of several tenants meet: $1, $2", join("Inner", scan("messages", NAMED), other))

    def test_a_new_row_has_the_tenant_of_the_rows_that_it_is_made_from(self):
        self.accepted(insert("late_changes", "messages.tenant_id", scan("messages", NAMED)))
        self.refused("several tenants", insert("late_changes", "'globex'::text", scan("messages", NAMED)))
        self.refused("no tenant of the statement", insert("late_changes", "messages.id", scan("messages", NAMED)))

    def test_a_conflict_is_found_by_an_index_with_the_tenant(self):
        self.accepted(insert("conversations", "$1", **{"Conflict Arbiter Indexes": ["conversations_pkey"]}))
        wrong = insert("conversations", "$1", **{"Conflict Arbiter Indexes": ["conversations_by_id"]})
        self.refused("does not have tenant_id", wrong)

    def test_a_change_keeps_the_tenant_of_a_row(self):
        update = {"Node Type": "ModifyTable", "Operation": "Update", "Relation Name": "messages",
                  "Plans": [scan("messages", NAMED)]}
        self.accepted(update, "UPDATE messages SET text = $2 WHERE tenant_id = $1")
        self.refused("changes tenant_id", update, "UPDATE messages SET text = $2, tenant_id = $3 WHERE tenant_id = $1")

    def test_a_trigger_writes_rows_of_the_new_row_s_tenant(self):
        written = {"Node Type": "Named Tuplestore Scan", "Parent Relationship": "Outer",
                   "Output": ["written.tenant_id"]}
        self.accepted(insert("late_changes", "written.tenant_id", written), in_trigger=True)
        plan = insert("late_changes", "$15")
        self.accepted(plan, "INSERT INTO late_changes VALUES (NEW.tenant_id, 1)", in_trigger=True)
        self.accepted(plan, "DELETE FROM late_changes WHERE tenant_id = OLD.tenant_id", in_trigger=True)
        self.refused("another place than NEW", plan, "INSERT INTO late_changes VALUES (other, 1)", in_trigger=True)

    def test_conditions_are_split_only_outside_of_parentheses_and_quotes(self):
        split = conjuncts("((a.x = 'p) AND (q') AND ((a.y = 1) OR ((a.z = 2) AND (a.v = 3))))")
        self.assertEqual(split, ["a.x = 'p) AND (q'", "(a.y = 1) OR ((a.z = 2) AND (a.v = 3))"])

    def test_a_copied_query_has_the_shape_of_its_statement(self):
        copied = "COPY (SELECT id\n FROM messages WHERE tenant_id = E'a$1''b'::text) TO STDOUT (FORMAT binary)"
        self.assertEqual(shape(copied), shape("SELECT id FROM messages WHERE tenant_id = $1"))


class Schemas(unittest.TestCase):
    def check(self, **changes):
        right = {"tables": {"messages": ["tenant_id", "id"], "leases": ["duty"]}, "nullable": [], "indexes": [],
                 "keys": [], "triggers": [], "functions": {}}
        return " ".join(schema.check(right | changes, {"leases"}))

    def test_every_table_has_a_tenant_that_is_never_null(self):
        self.assertEqual(self.check(), "")
        self.assertIn("new has no column", self.check(tables={"new": ["id"]}))
        self.assertIn("can be NULL", self.check(nullable=["messages"]))

    def test_a_unique_index_contains_the_tenant(self):
        index = {"name": "by_id", "table": "messages", "unique": True, "columns": ["id"]}
        self.assertIn("by_id of messages lacks", self.check(indexes=[index]))
        self.assertEqual(self.check(indexes=[index | {"columns": ["tenant_id", "id"]}]), "")
        self.assertEqual(self.check(indexes=[index | {"unique": False}]), "")

    def test_a_foreign_key_pairs_the_tenants(self):
        key = {"name": "of", "table": "messages", "to": "conversations", "pairs": [["tenant_id", "tenant_id"]]}
        self.assertEqual(self.check(keys=[key]), "")
        self.assertIn("does not pair", self.check(keys=[key | {"pairs": [["id", "id"]]}]))

    def test_a_trigger_writes_rows_of_the_new_row_s_tenant(self):
        trigger = [{"name": "note", "table": "messages", "function": "note"}]
        text = "BEGIN IF x THEN INSERT INTO late_changes VALUES ({}); END IF; END"
        self.assertEqual(self.check(triggers=trigger, functions={"note": text.format("NEW.tenant_id")}), "")
        self.assertIn("not of NEW", self.check(triggers=trigger, functions={"note": text.format("other.tenant_id")}))


class Logs(unittest.TestCase):
    CATALOGUE = {"tables": {table: ["tenant_id"] for table in TABLES}, "indexes": [], "triggers": [], "functions": {}}

    def log(self, *messages, program="parlance"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "log")
        lines = [json.dumps({"application_name": program, "message": message}) for message in messages]
        path.write_text("\n".join(lines))
        return Log(path)

    def complaints(self, check, *arguments):
        complaints = []
        check(*arguments, complaints)
        return " ".join(complaints)

    @staticmethod
    def planned(text, condition):
        return "duration: 1 ms  plan:\n" + json.dumps({"Query Text": text, "Plan": scan("messages", condition)})

    def test_a_statement_without_a_tenant_is_found_in_the_log(self):
        wrong = self.planned("SELECT id FROM messages WHERE id = $1", "(messages.id = $1)")
        self.assertIn("SELECT id", self.complaints(check_plans, self.log(wrong), self.CATALOGUE))
        self.assertNotIn("SELECT id", self.complaints(check_plans, self.log(wrong, program="psql"), self.CATALOGUE))

    def test_an_exception_that_no_statement_needs_is_found(self):
        self.assertIn("remove it", self.complaints(check_plans, self.log(), self.CATALOGUE))

    def test_a_statement_without_a_plan_is_found(self):
        for call in ("execute sqlx_s_1: SELECT 1 FROM messages", "statement: COPY messages TO STDOUT",
                     "statement: TRUNCATE messages"):
            self.assertIn("no plan", self.complaints(check_calls, self.log(call), self.CATALOGUE), call)
        text = "SELECT id FROM messages WHERE tenant_id = $1"
        log = self.log(f"execute sqlx_s_1: {text}", self.planned(text, NAMED))
        self.assertEqual(self.complaints(check_calls, log, self.CATALOGUE), "")

    def test_a_function_counts_in_its_newest_version_only(self):
        self.assertEqual(newest_versions(["add_v1", "add_v10", "add_v9", "note_v1", "plain"]), ["add_v10", "note_v1", "plain"])

    def test_a_statement_that_no_suite_sends_is_found(self):
        text = "SELECT id FROM messages WHERE tenant_id = $1"
        log = self.log(self.planned(text, NAMED))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        listed = pathlib.Path(folder.name, "list")
        listed.write_text(json.dumps(["messages", "BY_TENANT", text]))
        self.assertEqual(self.complaints(check_list, log, listed, self.CATALOGUE), "")
        listed.write_text(json.dumps(["messages", "BY_ID", "SELECT id FROM messages WHERE id = $1"]))
        self.assertIn("no suite sends BY_ID", self.complaints(check_list, log, listed, self.CATALOGUE))


if __name__ == "__main__":
    unittest.main()
