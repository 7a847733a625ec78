# Lists the recipes.
default:
    @just --list

# Runs the server on the embedded database, with a credential to try.
run *arguments:
    cargo run --release -- serve --sandbox {{arguments}}

# Runs every test that this machine can run.
test *arguments:
    cargo test --workspace {{arguments}}

# Runs every test, and fails where PostgreSQL or the Python tools are missing.
test-all:
    PARLANCE_TEST_REQUIRE=postgres,s3 cargo test --workspace

# Holds the code to its form: formatting, lints, docs.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Holds the dependencies to deny.toml. Needs cargo-deny.
deny:
    cargo deny check bans licenses sources

# Compares the dependencies with the RustSec database, which it fetches. Needs cargo-deny and the internet.
advisories:
    cargo deny check advisories

# Holds the running server to its own description. Needs schemathesis.
contract:
    tests/schemathesis.sh

# Has a real Prometheus read the metrics of the server and evaluate the alert rules. Needs prometheus.
metrics:
    tests/prometheus.sh

# Holds docs/openapi.json to the rules of redocly and spectral. Needs Node 20 or later with npm.
lint-openapi:
    tests/openapi/lint.sh

# Searches for texts on which the redaction engine breaks a promise. Needs a C++ compiler.
fuzz runs="4000000":
    LIMIT=7200 fuzz/run {{runs}}

# Searches for texts that a parser of the domain reads wrongly, and sends many more requests that are nearly right.
fuzz-parsers runs="50000000":
    fuzz/parsers/run {{runs}}
    PARLANCE_TEST_MUTATIONS=5000 cargo test --release --package tests --test api -- mutations

# Kills, outages, cut connections, a full disk, replicas and the model, at length.
resilience kills="300" steps="10000" cuts="1000":
    PARLANCE_TEST_KILLS={{kills}} PARLANCE_TEST_STEPS={{steps}} PARLANCE_TEST_CUTS={{cuts}} cargo test --release --package parlance --test resilience

# Measures what slow senders and a flood leave to others. Needs a quiet machine.
load seconds="30":
    PARLANCE_TEST_FLOOD_SECONDS={{seconds}} cargo test --release --package parlance --test resilience -- load --ignored --test-threads 1 --nocapture

# Runs the long form of every guarantee, each part within two hours: `just soak`, `just soak 2`, `just soak 1 kills fuzz`.
soak scale="1" *parts:
    tests/soak.sh {{scale}} {{parts}}

# Times the redaction engine beside other crates, on a folder of labelled texts or on its own sample.
bench-redaction *arguments:
    cd benches/redaction && cargo run --release -- {{arguments}}

# Counts the instructions of a request by function: `just instructions W3`. Needs valgrind, wrk and PostgreSQL.
instructions *arguments:
    python3 benches/service/instructions.py {{arguments}}

# Measures the service beside its limits and peers; `--short` takes ten minutes. Needs wrk and PostgreSQL with pgbench.
bench *arguments:
    python3 benches/service/run.py {{arguments}}

# Times the export of feeds beside the databases' own tools. Needs python3 and sqlite3; psql for PostgreSQL.
bench-feeds *arguments:
    cargo build --release
    python3 benches/feeds/run.py {{arguments}}

# Scores the redaction engine with a scorer and its labelled texts.
score scorer:
    cargo build --release
    python3 {{scorer}} -- target/release/parlance redact --jsonl --all --except NUMERIC_SEQUENCE

# Writes what is generated in docs/.
docs:
    cargo run --quiet -- openapi > docs/openapi.json
    cargo run --quiet --package parlance-redaction --example catalogue_page > docs/redaction-entities.md
    cargo run --quiet -- settings --markdown > target/settings.md
    sed -i -e '/^| name | flag | environment /,/^$/{/^$/!d;r target/settings.md' -e 'N}' docs/configuration.md

# Everything that must pass before a change lands.
ci:
    .ci/run
