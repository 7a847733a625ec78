#!/usr/bin/env bash
# Holds deploy/grafana/parlance.json to the types that Grafana publishes for dashboards, with the TypeScript compiler.
# Installs both with npm into target/tools where they are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

schema=13.2.3
typescript=5.9.3
tools=$PWD/target/tools/grafana-$schema-$typescript
. tests/support/tools.sh
npm_packages "$tools" "@grafana/schema@$schema" "typescript@$typescript"

folder=$(mktemp -d "$tools/check.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cp -r "$tools/node_modules/@grafana/schema/dist/types" "$folder/types"
# The package declares some texts as enums, which a text in JSON does not fit although Grafana stores it so: an enum of
# texts becomes a union of these texts. A data source adds members to an annotation: these are allowed.
python3 - "$folder/types/raw" <<'END'
import pathlib, re, sys

def union(enum):
    values = re.findall(r"= (\"[^\"]*\"|'[^']*')", enum[2])
    return f"export type {enum[1]} = {' | '.join(values)};" if values else enum[0]

unions, annotation = 0, "export interface AnnotationQuery {"
for path in pathlib.Path(sys.argv[1]).rglob("*.d.ts"):
    text = path.read_text()
    adapted = re.sub(r"export declare enum (\w+) \{(.*?)\}", union, text, flags=re.DOTALL)
    unions += adapted != text
    path.write_text(adapted.replace(annotation, annotation + " [member: string]: unknown;"))
if not unions:
    sys.exit("the types of Grafana have another form: correct tests/prometheus/grafana.sh")
END
{
    echo 'import type { Dashboard } from "./types/raw/dashboard/x/types.gen";'
    printf 'export const dashboard: Dashboard = '
    cat deploy/grafana/parlance.json
} >"$folder/dashboard.ts"
"$tools/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck --module node16 --moduleResolution node16 \
    "$folder/dashboard.ts"
echo "the dashboard fits the types of @grafana/schema $schema"
