//! Tests that `DuckDB` and pandas, installed from `PyPI`, read from feeds what the HTTP interface returns.

use std::{fs, process::Command};

use serde_json::{Value, json};
use support::{fixtures::AWKWARD_TEXTS, python, service::TestService};

const READ_SCRIPT: &str = r#"
import json, sys, duckdb, pandas
root = sys.argv[1]
table = lambda format: f"{root}/acme/messages/version=1/format={format}/dt=*/part-*"
duck = {
    "jsonl": f"read_json('{table('jsonl')}', format='newline_delimited', hive_partitioning=false)",
    "csv": f"read_csv('{table('csv')}', all_varchar=true, header=true, hive_partitioning=false)",
    "parquet": f"read_parquet('{table('parquet')}', hive_partitioning=false)",
}
columns = ["messageId", "conversationId", "senderRole", "senderExternalId", "text", "clientTimestamp"]
timestamp = "strftime(CAST({} AS TIMESTAMPTZ) AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%f')"
rows_by_reader = {}
for format, source in duck.items():
    selected = ", ".join(columns[:5] + [timestamp.format(columns[5])])
    rows = duckdb.sql(f"SELECT {selected} FROM {source} ORDER BY messageId").fetchall()
    rows_by_reader["duckdb " + format] = rows
import glob
readers = {
    "jsonl": lambda path: pandas.read_json(path, lines=True, dtype=False, convert_dates=False),
    "csv": lambda path: pandas.read_csv(path, dtype=str, keep_default_na=False),
    "parquet": pandas.read_parquet,
}
for format, read in readers.items():
    frame = pandas.concat(read(path) for path in glob.glob(table(format)))
    frame["clientTimestamp"] = pandas.to_datetime(frame["clientTimestamp"], utc=True).dt.strftime("%Y-%m-%dT%H:%M:%S.%f")
    rows_by_reader["pandas " + format] = frame.sort_values("messageId")[columns].values.tolist()
json.dump(rows_by_reader, sys.stdout)
"#;

#[actix_web::test]
async fn duckdb_and_pandas_read_the_transcript_from_every_format() {
    let Some(programs) = python::programs_directory() else { return };
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in AWKWARD_TEXTS.into_iter().chain([
        "two\r\nlines",
        "my card is 4111 1111 1111 1111",
        "tab\tand \"quotes\", commas",
    ]) {
        client.add_message(&id, text, "2026-01-31T09:30:00.123456Z").await;
    }
    service.export_feeds("acme").await;

    let transcript = client.get("/conversation/v1/conversation/messages?externalId=call-1").await.ok();
    let mut expected: Vec<Value> = transcript["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let sender = &item["sender"];
            let timestamp = item["clientTimestamp"].as_str().unwrap().trim_end_matches('Z');
            json!([item["messageId"], id, sender["role"], sender["externalId"], item["text"], timestamp])
        })
        .collect();
    expected.sort_by_key(|row| row[0].to_string());

    let script = service.feeds_directory().join("read.py");
    fs::write(&script, READ_SCRIPT).unwrap();
    let output = Command::new(programs.join("python")).arg(&script).arg(service.feeds_directory()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (tool, rows) in read.as_object().unwrap() {
        assert_eq!(rows, &json!(expected), "{tool}");
    }
    assert_eq!(read.as_object().unwrap().len(), 6);
}
