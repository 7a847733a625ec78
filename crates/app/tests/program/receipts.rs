//! Tests of `parlance privacy verify`, also with forged receipts.

use std::{collections::BTreeSet, env, fs, path::PathBuf};

use parlance_domain::privacy::{PlaceCount, ReceiptWord, SignedReceipt};

use crate::{process::TestEnvironment, receipt_mutants::mutants, receipt_sample::Receipts};

/// An environment whose folder has the three receipts, and nothing else: no database and no settings.
fn environment(receipts: &Receipts) -> TestEnvironment {
    let env = TestEnvironment::new();
    for (name, receipt) in [("1.json", &receipts.first), ("2.json", &receipts.second), ("3.json", &receipts.third)] {
        fs::write(env.path().join(name), receipt.to_file()).unwrap();
    }
    env
}

#[test]
fn a_genuine_receipt_is_verified_with_its_key_and_its_predecessor() {
    let receipts = Receipts::new();
    let env = environment(&receipts);
    let key = receipts.fingerprint();
    let printed = env.run_ok(&["privacy", "verify", "2.json", "--key", &key, "--previous", "1.json"]);
    for part in [
        &format!("genuine, signed by the key {key}\n"),
        "tenant acme, request 01JZX8, customer, reference \"CHG-7/2 Zoé 🦀\"\n",
        "requested at 2026-11-21T08:00:00.250Z, completed at 2026-11-21T08:01:30.000Z\n",
        "erased in messages: 127\n",
        "not covered, server_logs: ",
        "follows the previous receipt directly\n",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
    assert!(!printed.contains("proves only"), "{printed}");
    env.run_ok(&["privacy", "verify", "3.json", "--key", &key.to_uppercase(), "--previous", "2.json"]);
}

#[test]
fn without_a_key_the_output_says_what_is_not_proved() {
    let env = environment(&Receipts::new());
    let printed = env.run_ok(&["privacy", "verify", "1.json"]);
    assert!(printed.contains("This proves only that the file was not changed since that key signed it"), "{printed}");
    assert!(printed.contains("the first receipt of the tenant\n"), "{printed}");
    let printed = env.run_ok(&["privacy", "verify", "2.json"]);
    assert!(printed.contains("not checked without --previous"), "{printed}");
}

#[test]
fn a_receipt_is_verified_without_its_last_line_feed() {
    let receipts = Receipts::new();
    let env = environment(&receipts);
    fs::write(env.path().join("cut.json"), receipts.second.to_file().trim_end()).unwrap();
    env.run_ok(&["privacy", "verify", "cut.json", "--key", &receipts.fingerprint()]);
}

#[test]
fn a_receipt_with_places_of_an_earlier_release_is_verified() {
    let receipts = Receipts::new();
    let env = environment(&receipts);
    let mut earlier = receipts.second.receipt.clone();
    let names = ["conversation_indexes", "feed_progress", "vocabularies"];
    earlier.counts = names.map(|place| PlaceCount { place: ReceiptWord::parse(place).unwrap(), count: 3 }).into();
    fs::write(env.path().join("earlier.json"), SignedReceipt::new(earlier, &receipts.key).to_file()).unwrap();
    let printed = env.run_ok(&["privacy", "verify", "earlier.json", "--key", &receipts.fingerprint()]);
    assert!(printed.contains("erased in feed_progress: 3\n"), "{printed}");
}

#[test]
fn a_time_in_the_year_0000_is_refused_as_the_other_verifier_does() {
    let receipts = Receipts::new();
    let env = environment(&receipts);
    let json = receipts.second.receipt.canonical_json();
    for (year, code) in [("0000-", 1), ("0001-", 0)] {
        let signed = receipts.signed(&json.replace("\"requested_at\":\"2026-", &format!("\"requested_at\":\"{year}")));
        fs::write(env.path().join("year.json"), signed).unwrap();
        let output = env.run(&["privacy", "verify", "year.json", "--key", &receipts.fingerprint()]);
        assert_eq!(output.status.code(), Some(code), "{year}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn an_error_names_the_file_and_what_is_wrong_but_nothing_from_the_file() {
    let receipts = Receipts::new();
    let env = environment(&receipts);
    let forged = receipts.second.to_file().replace("\"count\":35", "\"count\":34");
    fs::write(env.path().join("forged.json"), forged).unwrap();
    let (code, error) = env.run_failing(&["privacy", "verify", "forged.json"]);
    let expected = "parlance: forged.json: the signature is not one of this content by the key ";
    assert_eq!((code, error.starts_with(expected)), (1, true), "{error}");
    let (code, error) = env.run_failing(&["privacy", "verify", "3.json", "--previous", "1.json"]);
    assert_eq!((code, error.contains("one was left out, repeated or replaced")), (1, true), "{error}");
    let (code, error) = env.run_failing(&["privacy", "verify", "2.json", "--previous", "none.json"]);
    assert_eq!((code, error.contains("--previous: none.json cannot be read")), (1, true), "{error}");
}

/// The folder of the mutants. `tests/receipts.sh` sets it, so that another verifier reads the same files.
fn folder(env: &TestEnvironment) -> PathBuf {
    env::var_os("PARLANCE_TEST_RECEIPTS").map_or_else(|| env.path().to_owned(), PathBuf::from)
}

#[test]
fn each_of_a_hundred_changed_receipts_is_refused() {
    let receipts = Receipts::new();
    let env = environment(&receipts);
    let folder = folder(&env);
    let key = receipts.fingerprint();
    let mutants = mutants(&receipts);
    let names: BTreeSet<_> = mutants.iter().map(|mutant| mutant.name).collect();
    let contents: BTreeSet<_> = mutants.iter().map(|mutant| (&mutant.receipt, &mutant.previous)).collect();
    assert_eq!((mutants.len(), names.len(), contents.len()), (100, 100, 100));
    let mut accepted = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let path = folder.join(format!("mutants/{:03}", number + 1));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("name"), mutant.name).unwrap();
        let (receipt, previous) = (path.join("receipt.json"), path.join("previous.json"));
        fs::write(&receipt, &mutant.receipt).unwrap();
        fs::write(&previous, &mutant.previous).unwrap();
        let paths = [receipt.to_str().unwrap(), "--previous", previous.to_str().unwrap()];
        let output = env.run(&[&["privacy", "verify", "--key", &key][..], &paths].concat());
        if output.status.code() != Some(1) {
            accepted.push(mutant.name);
        }
    }
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
    // The unchanged receipt passes the same check, so no mutant is refused for a reason of the check.
    for (name, receipt) in [("receipt.json", &receipts.second), ("previous.json", &receipts.first)] {
        fs::create_dir_all(folder.join("genuine")).unwrap();
        fs::write(folder.join("genuine").join(name), receipt.to_file()).unwrap();
    }
    fs::write(folder.join("key"), key).unwrap();
}
