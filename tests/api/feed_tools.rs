//! Feeds as the tools of data engineers read them: `DuckDB` and pandas, from `PyPI`, see what the interface shows.

use std::{fs, process::Command};

use serde_json::{Value, json};
use support::{fixtures::AWKWARD_TEXTS, python, service::TestService};

const READ: &str = r#"
import json, sys, duckdb, pandas
home = sys.argv[1]
table = lambda format: f"{home}/acme/messages/version=1/format={format}/dt=*/part-*"
duck = {
    "jsonl": f"read_json('{table('jsonl')}', format='newline_delimited', hive_partitioning=false)",
    "csv": f"read_csv('{table('csv')}', all_varchar=true, header=true, hive_partitioning=false)",
    "parquet": f"read_parquet('{table('parquet')}', hive_partitioning=false)",
}
columns = ["messageId", "conversationId", "senderRole", "senderExternalId", "text", "clientTimestamp"]
moment = "strftime(CAST({} AS TIMESTAMPTZ) AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%f')"
answer = {}
for format, source in duck.items():
    wanted = ", ".join(columns[:5] + [moment.format(columns[5])])
    rows = duckdb.sql(f"SELECT {wanted} FROM {source} ORDER BY messageId").fetchall()
    answer["duckdb " + format] = rows
import glob
readers = {
    "jsonl": lambda path: pandas.read_json(path, lines=True, dtype=False, convert_dates=False),
    "csv": lambda path: pandas.read_csv(path, dtype=str, keep_default_na=False),
    "parquet": pandas.read_parquet,
}
for format, read in readers.items():
    frame = pandas.concat(read(path) for path in glob.glob(table(format)))
    frame["clientTimestamp"] = pandas.to_datetime(frame["clientTimestamp"], utc=True).dt.strftime("%Y-%m-%dT%H:%M:%S.%f")
    answer["pandas " + format] = frame.sort_values("messageId")[columns].values.tolist()
json.dump(answer, sys.stdout)
"#;

#[actix_web::test]
async fn duckdb_and_pandas_read_in_every_format_what_the_interface_shows() {
    let Some(programs) = python::programs() else { return };
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in AWKWARD_TEXTS.into_iter().chain([
        "two\r\nlines",
        "my card is 4111 1111 1111 1111",
        "tab\tand \"quotes\", commas",
    ]) {
        client.say(&id, text, "2026-01-31T09:30:00.123456Z").await;
    }
    service.produce("acme").await;

    let transcript = client.get("/conversation/v1/conversation/messages?externalId=call-1").await.ok();
    let mut shown: Vec<Value> = transcript["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let sender = &item["sender"];
            let moment = item["clientTimestamp"].as_str().unwrap().trim_end_matches('Z');
            json!([item["messageId"], id, sender["role"], sender["externalId"], item["text"], moment])
        })
        .collect();
    shown.sort_by_key(|row| row[0].to_string());

    let script = service.feeds().join("read.py");
    fs::write(&script, READ).unwrap();
    let output = Command::new(programs.join("python")).arg(&script).arg(service.feeds()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (tool, rows) in read.as_object().unwrap() {
        assert_eq!(rows, &json!(shown), "{tool}");
    }
    assert_eq!(read.as_object().unwrap().len(), 6);
}
