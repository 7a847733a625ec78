"""The rule for a plan of PostgreSQL: a statement names the tenant of every row that it reads or writes.

A relation is *named* if a condition that holds for all its rows makes its tenant equal to a parameter, to a constant,
to a column of unnested parameters, or to the tenant of a relation that is named. A plan names one tenant per row: all
relations of a plan get their tenants from one parameter, constant or column.
"""
import re

TENANT = "tenant_id"
JOINS_THAT_RESTRICT_BOTH_SIDES = ("Inner", "Semi")
JOIN_CONDITIONS = ("Hash Cond", "Merge Cond", "Join Filter")
CONDITIONS = ("Index Cond", "Recheck Cond", "Filter")
CONSTANT = re.compile(r"E?'(?:[^']|'')*'(?:::[a-z ]+)?")
PARAMETER = re.compile(r"\$\d+")
COLUMN = re.compile(r'("[^"]+"|[A-Za-z_]\w*)\.("[^"]+"|[A-Za-z_]\w*)')
UNNESTED_PARAMETERS = re.compile(r"unnest\((?:\$\d+|'[^']*'::[a-z]+\[\])\)")


class Plan:
    """A plan with the facts of the schema that its check needs.

    `indexes` has the columns of each index. `tables` has the names of the tables with tenants' rows.
    """

    def __init__(self, logged, tables, indexes, in_trigger=False):
        self.query = logged["Query Text"]
        self.tables, self.indexes, self.in_trigger = tables, indexes, in_trigger
        self.relations, self.sources, self.derived = {}, set(), {}
        self.edges, self.inserts, self.complaints = [], [], []
        self.touched = set()
        # PostgreSQL writes the result of a subquery as it writes a parameter.
        results = re.findall(r"returns ([^)]*)", " ".join(names_of_subplans(logged["Plan"])))
        self.results = {name.strip() for names in results for name in names.split(",")}
        self.visit(logged["Plan"])

    def visit(self, node):
        """Collects the relations and the conditions of a node, and returns the aliases that its conditions restrict."""
        kind, table, alias = node["Node Type"], node.get("Relation Name"), node.get("Alias")
        children = node.get("Plans", [])
        subplans = [child for child in children if child["Parent Relationship"] in ("SubPlan", "InitPlan")]
        for child in subplans:
            self.visit(child)
        aliases = set()
        for child in children:
            if child not in subplans:
                aliases |= self.visit(child)
        if kind == "ModifyTable":
            self.visit_change(node, table)
        elif table in self.tables:
            self.relations[alias] = table
            self.touched.add(table)
            aliases.add(alias)
        elif kind == "Function Scan" and is_unnested(node.get("Function Call", "")) or kind == "Values Scan":
            self.sources.add(alias)
        elif kind == "Named Tuplestore Scan":
            # The rows of the statement that fired the trigger.
            self.sources |= {column.split(".")[0] for column in node.get("Output", []) if COLUMN.fullmatch(column)}
        elif kind == "Subquery Scan":
            self.derived[alias] = set(aliases)
        conditions = [node[key] for key in CONDITIONS if key in node]
        if node.get("Join Type") in JOINS_THAT_RESTRICT_BOTH_SIDES:
            conditions += [node[key] for key in JOIN_CONDITIONS if key in node]
        for part in (part for condition in conditions for part in conjuncts(condition)):
            sides = equality(part)
            if sides:
                self.edges.append((*sides, frozenset(aliases)))
        return aliases

    def visit_change(self, node, table):
        if table not in self.tables:
            return
        self.touched.add(table)
        operation = node["Operation"]
        if operation == "Insert":
            rows = next(child for child in node["Plans"] if child["Parent Relationship"] == "Outer")
            # The output has the columns of the table in their order. The tenant is the first.
            self.inserts.append((table, bare(rows.get("Output", [""])[0])))
            for index in node.get("Conflict Arbiter Indexes", []):
                if TENANT not in self.indexes.get(index, ()):
                    self.complaints.append(f"ON CONFLICT on {table} uses {index}, which does not have {TENANT}")
            if node.get("Conflict Resolution") == "UPDATE" and sets_tenant(self.query):
                self.complaints.append(f"ON CONFLICT on {table} changes {TENANT}")
        elif operation == "Update":
            if sets_tenant(self.query):
                self.complaints.append(f"UPDATE of {table} changes {TENANT}")
        elif operation != "Delete":
            self.complaints.append(f"{operation} on {table} has no rule here")

    def root(self, side, roots):
        """The parameter, constant or column that `side` gets its tenant from, or `None`."""
        if CONSTANT.fullmatch(side):
            return side.split("::")[0].removeprefix("E")
        if PARAMETER.fullmatch(side):
            return None if side in self.results else side
        column = COLUMN.fullmatch(side)
        if not column:
            return None
        alias, name = column[1].strip('"'), column[2]
        if alias in self.sources:
            return side
        if name != TENANT:
            return None
        if alias in self.derived:
            inner = self.derived[alias]
            # A subquery without a table has the rows of a source only.
            return next((roots[each] for each in inner), side) if inner <= roots.keys() else None
        return roots.get(alias)

    def check(self):
        """The reasons why the plan breaks the rule, sorted."""
        roots, conflicts = {}, set()
        changed = True
        while changed:
            changed = False
            for left, right, aliases in self.edges:
                for one, other in ((left, right), (right, left)):
                    column = COLUMN.fullmatch(one)
                    if not column or column[2] != TENANT or column[1] not in aliases & self.relations.keys():
                        continue
                    root = self.root(other, roots)
                    if root is None:
                        continue
                    if column[1] not in roots:
                        roots[column[1]] = root
                        changed = True
                    elif roots[column[1]] != root:
                        conflicts |= {root, roots[column[1]]}
        complaints = list(self.complaints)
        for alias, table in self.relations.items():
            if alias not in roots:
                complaints.append(f"{table} is read without its tenant")
        used = set(roots.values())
        for table, value in self.inserts:
            root = self.root(value, roots)
            if root is None:
                complaints.append(f"the tenant of a new row of {table} is {value}, which is no tenant of the statement")
            else:
                used.add(root)
        if len(used | conflicts) > 1:
            complaints.append(f"rows of several tenants meet: {', '.join(sorted(used | conflicts))}")
        if self.in_trigger and any(PARAMETER.fullmatch(root) for root in used) and not names_new_tenant(self.query):
            complaints.append(f"a trigger takes the tenant from another place than NEW.{TENANT}")
        return sorted(set(complaints))


def names_of_subplans(node):
    yield node.get("Subplan Name", "")
    for child in node.get("Plans", []):
        yield from names_of_subplans(child)


def is_unnested(call):
    return bool(call) and not UNNESTED_PARAMETERS.sub("", call).strip(", ")


def names_new_tenant(query):
    first_value = re.search(rf"\b(?:VALUES\s*\(|SELECT\s+)(?:NEW|OLD)\.{TENANT}\b", query)
    return bool(first_value or re.search(rf"\b{TENANT}\s*=\s*(?:NEW|OLD)\.{TENANT}\b", query))


def sets_tenant(query):
    lists = re.findall(r"\bSET\b(.*?)(?=\bWHERE\b|\bRETURNING\b|\bFROM\b|$)", query, re.DOTALL)
    return any(re.search(rf'(?:^|[,(])\s*"?{TENANT}"?\s*[=,)]', text) for text in lists)


def tokens(expression):
    """Splits an expression into quoted texts, parentheses and the texts between them."""
    return re.findall(r"'(?:[^']|'')*'|\"[^\"]*\"|[()]|[^'\"()]+", expression)


def without_parentheses(expression):
    """Removes parentheses that enclose the whole expression."""
    expression = expression.strip()
    while expression.startswith("("):
        depth, parts = 0, tokens(expression)
        for position, part in enumerate(parts):
            depth += (part == "(") - (part == ")")
            if depth == 0 and position < len(parts) - 1:
                return expression
        expression = expression[1:-1].strip()
    return expression


def split_outside(expression, separator):
    """Splits an expression at a separator that is not within parentheses or quotes."""
    result, depth = [""], 0
    for token in tokens(expression):
        depth += (token == "(") - (token == ")")
        if depth == 0 and token[0] not in "'\"()":
            first, *rest = token.split(separator)
            result[-1] += first
            result.extend(rest)
        else:
            result[-1] += token
    return result


def conjuncts(condition):
    condition = without_parentheses(condition)
    parts = split_outside(condition, " AND ")
    if len(parts) == 1:
        return [condition]
    return [each for part in parts for each in conjuncts(part)]


def bare(side):
    """An operand without parentheses, casts to text and collations."""
    while True:
        shorter = re.sub(r"(::(text|character varying)|\s+COLLATE \"C\")$", "", without_parentheses(side))
        if shorter == side:
            return side
        side = shorter


def equality(part):
    """The two sides of an equality, or `None`."""
    if len(split_outside(part, " OR ")) > 1 or part.startswith("NOT "):
        return None
    sides = split_outside(part, " = ")
    return tuple(map(bare, sides)) if len(sides) == 2 else None
