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

# Holds the dependencies to deny.toml. Needs cargo-deny; advisories need the internet.
deny:
    cargo deny check bans licenses sources

# Holds the running server to its own description. Needs schemathesis.
contract:
    tests/schemathesis.sh

# Searches for texts on which the redaction engine breaks a promise. Needs a C++ compiler.
fuzz seconds="600":
    STRICT=1 fuzz/run {{seconds}}

# Times the redaction engine beside other crates, on a folder of labelled texts or on its own sample.
bench-redaction *arguments:
    cd benches/redaction && cargo run --release -- {{arguments}}

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

# Everything that must pass before a change lands.
ci:
    .ci/run
