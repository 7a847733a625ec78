# Lists the recipes.
default:
    @just --list

# Runs the server on the embedded database with a sandbox credential.
run *arguments:
    cargo run --release -- serve --sandbox {{arguments}}

# Runs every test that this machine can run.
test *arguments:
    cargo test --workspace {{arguments}}

# Runs every test. Fails if PostgreSQL or the Python tools are missing.
test-all:
    PARLANCE_TEST_REQUIRE=postgres,s3,presidio cargo test --workspace

# Checks formatting, lints and docs.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Checks the dependencies against deny.toml. Needs cargo-deny.
deny:
    cargo deny check bans licenses sources

# Checks the dependencies against the RustSec database. Needs cargo-deny and the internet.
advisories:
    cargo deny check advisories

# Tests the running server against its OpenAPI document. Needs schemathesis.
contract:
    tests/schemathesis.sh

# Checks that every statement on PostgreSQL names its tenant. Needs PostgreSQL with psql, and python3.
tenants:
    cargo build
    tests/tenant_plans.sh

# Tests the metrics, the alert rules and the dashboard with a real Prometheus. Needs prometheus and PostgreSQL.
metrics:
    tests/prometheus.sh

# Checks the packages: the image, compose, the chart, the units, and the Debian package. Needs root and Debian.
packages:
    cargo build
    tests/packaging/run.sh
    tests/packaging/debian.sh target/debug/parlance

# Lints docs/openapi.json with redocly and spectral. Needs Node 20 or later with npm.
lint-openapi:
    tests/openapi/lint.sh

# Fuzzes the redaction engine. Needs a C++ compiler.
fuzz runs="4000000":
    LIMIT=7200 fuzz/run {{runs}}

# Fuzzes the parsers, and sends 5,000 mutated requests to each operation.
fuzz-parsers runs="50000000":
    fuzz/parsers/run {{runs}}
    PARLANCE_TEST_MUTATIONS=5000 cargo test --release --package tests --test api -- mutations

# Runs the resilience tests at length: kills, outages, cut connections, a full disk, replicas and the model.
resilience kills="300" steps="10000" cuts="1000":
    PARLANCE_TEST_KILLS={{kills}} PARLANCE_TEST_STEPS={{steps}} PARLANCE_TEST_CUTS={{cuts}} cargo test --release --package parlance --test resilience

# Simulates the protocols of several replicas from many seeds. A failing seed prints its trace.
simulate seeds="20000":
    PARLANCE_TEST_SEEDS={{seeds}} cargo test --release --package tests --test simulation

# Measures how slow senders and a flood affect other clients. Needs an idle machine.
load seconds="30":
    PARLANCE_TEST_FLOOD_SECONDS={{seconds}} cargo test --release --package parlance --test resilience -- load --ignored --test-threads 1 --nocapture

# Runs the long form of every guarantee, with up to two hours for each part: `just soak`, `just soak 1 kills fuzz`.
soak scale="1" *parts:
    tests/soak.sh {{scale}} {{parts}}

# Compares the speed of the redaction engine with other crates, on a folder of labelled texts or on its own sample.
bench-redaction *arguments:
    cd benches/redaction && cargo run --release -- {{arguments}}

# Trains the tagger of the redaction engine: `just train-tagger CORPUS THIRD_PARTY`. Both are labelled JSON Lines files.
train-tagger corpus third_party:
    cargo run --release --manifest-path benches/redaction/tagger/Cargo.toml -- --seed 1 --epochs 8 --copies 4 \
        --bias 110 20 --train {{corpus}} --once {{third_party}} {{third_party}} --out crates/redaction/src/tagger/weights.bin

# Trains the token classifier of the redaction engine: `just train-classifier FOLDER`, with the texts of third parties. Needs npm.
train-classifier folder:
    benches/redaction/classifier/train.sh {{folder}}

# Counts the instructions of a request by function: `just instructions W3`. Needs valgrind, wrk and PostgreSQL.
instructions *arguments:
    python3 benches/service/instructions.py {{arguments}}

# Compares the service with its limits and peers. `--short` takes ten minutes. Needs wrk and PostgreSQL with pgbench.
bench *arguments:
    python3 benches/service/run.py {{arguments}}

# Compares a workload of this program with that of another build, in turn: `just bench-against /path/to/parlance`.
bench-against program *arguments:
    python3 benches/service/against.py {{program}} {{arguments}}

# Measures how many deliveries a second one webhook receives, on each database. Needs PostgreSQL.
bench-webhooks *arguments:
    cargo build --release
    python3 benches/webhooks/run.py {{arguments}}

# Measures what a message costs at several rates. Needs wrk and PostgreSQL.
bench-cost:
    cargo build --release
    python3 benches/service/cost.py

# Measures pages of conversations by criteria at ten million messages. Needs python3 and PostgreSQL with psql.
bench-find *arguments:
    cargo build --release
    python3 benches/service/find.py {{arguments}}

# Compares the export of feeds with the tools of the databases. Needs python3 and sqlite3, and psql for PostgreSQL.
bench-feeds *arguments:
    cargo build --release
    python3 benches/feeds/run.py {{arguments}}

# Compares an import with the tools of the databases. Needs python3 and sqlite3, and psql for PostgreSQL.
bench-import *arguments:
    cargo build --release
    python3 benches/import/run.py {{arguments}}

# Scores the redaction engine on the corpus of templates that were written without sight of it. Needs python3.
corpus *arguments:
    cargo build --release
    python3 benches/redaction/corpus/generate.py --templates benches/redaction/corpus/templates/lot-*.jsonl --seed 1 --per-template 3 --out target/corpus.jsonl
    python3 benches/redaction/corpus/score.py --data target/corpus.jsonl {{arguments}} -- target/release/parlance redact --jsonl

# Scores the redaction engine with a scorer and its labelled texts.
score scorer:
    cargo build --release
    python3 {{scorer}} -- target/release/parlance redact --jsonl --all --except NUMERIC_SEQUENCE

# Writes the generated pages in docs/.
docs:
    cargo run --quiet -- openapi > docs/openapi.json
    cargo run --quiet --package parlance-redaction --example catalogue_page > docs/redaction-entities.md
    cargo run --quiet -- settings --markdown > target/settings.md
    sed -i -e '/^| name | flag | environment /,/^$/{/^$/!d;r target/settings.md' -e 'N}' docs/configuration.md

# Runs replicas of the last release beside replicas of this program. Builds the last release from its commit.
upgrade:
    tests/upgrade.sh

# Builds the documentation as a site in target/docs-site and checks its links. Needs python3.
site:
    tests/docs_site.sh

# Verifies genuine and forged receipts of erasures without the program. Needs python3.
receipts:
    tests/receipts.sh

# Builds the archives of a release into target/release-archives. `--allow-dirty` accepts uncommitted changes.
release *arguments:
    deploy/release/build.sh {{arguments}}

# Runs all checks that must pass before a change is merged.
ci:
    .ci/run
