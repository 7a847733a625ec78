//! `parlance compliance`: what the operator switches, and what is on record.

use serde_json::json;

use crate::process::Home;

fn set<'a>(entity: &'a str, active: &'a str, approvers: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["compliance", "set", "--tenant", "acme", "--entity", entity, "--active", active];
    arguments.extend(["--reference", "CHG-7"]);
    arguments.extend(approvers.iter().flat_map(|approver| ["--approved-by", approver]));
    arguments
}

#[test]
fn a_locked_entity_is_switched_on_two_approvals_and_that_is_on_record() {
    let home = Home::new();
    home.credential();
    let printed = home.print(&set("CVV", "false", &["Ada", "Grace"]));
    assert_eq!(printed, "CVV is inactive for acme; every replica follows within a minute.\n");
    let again = home.print(&set("CVV", "false", &["Ada", "Grace"]));
    assert_eq!(again, "CVV was inactive for acme already: nothing is changed.\n");
    home.print(&set("CVV", "true", &["Grace", "Ada"]));
    let log = home.print(&["compliance", "log", "--tenant", "acme"]);
    let said: Vec<_> = log.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(
        said,
        [
            r#"CVV  active -> inactive  on "CHG-7", approved by "Ada" and "Grace""#,
            r#"CVV  inactive -> active  on "CHG-7", approved by "Grace" and "Ada""#
        ]
    );
}

#[test]
fn one_person_named_twice_does_not_approve() {
    let home = Home::new();
    home.credential();
    for approvers in [["Ada", "ada "], ["Ada", "А\u{200b}da"], ["Ada", "Ａｄａ"]] {
        let refused = (1, "parlance: --approved-by: the two approvers must be two people".to_owned());
        assert_eq!(home.refusal(&set("CVV", "false", &approvers)), refused, "{approvers:?}");
    }
    assert_eq!(home.print(&["compliance", "log", "--tenant", "acme"]), "");
}

#[test]
fn two_people_approve_and_not_one_or_three() {
    let home = Home::new();
    home.credential();
    for approvers in [&["Ada"][..], &["Ada", "Grace", "Joan"]] {
        let refused = (2, "parlance: --approved-by must be given twice, for two people".to_owned());
        assert_eq!(home.refusal(&set("CVV", "false", approvers)), refused, "{approvers:?}");
    }
}

#[test]
fn what_its_tenant_switches_is_not_the_operators() {
    let home = Home::new();
    home.credential();
    let refused = home.run(&set("EMAIL", "true", &["Ada", "Grace"]));
    assert_eq!(
        (refused.status.code(), String::from_utf8(refused.stderr).unwrap().as_str()),
        (Some(1), "parlance: the entity is not under compliance control: its tenant switches it\n")
    );
}

#[test]
fn what_names_no_entity_value_reference_or_approver_is_refused() {
    let home = Home::new();
    for arguments in [
        set("NO_SUCH_THING", "true", &["Ada", "Grace"]),
        set("CVV", "maybe", &["Ada", "Grace"]),
        set("CVV", "true", &["Ada", " "]),
        set("CVV", "true", &["Ada", "G."]),
        set("CVV", "true", &[]),
    ] {
        assert_eq!(home.run(&arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[actix_web::test]
async fn a_switch_that_a_tenant_threw_is_on_record_with_its_credential() {
    let home = Home::new();
    let credential = home.credential();
    let server = home.serve(&[]);
    let (path, on) = ("/configuration/v1/redaction/redaction-entity/EMAIL", json!({"active": true}));
    let switched = server.call(reqwest::Method::PATCH, &credential, path, Some(&on)).send().await.unwrap();
    assert_eq!(switched.status(), 200);
    let log = home.print(&["compliance", "log", "--tenant", "acme"]);
    let said = log.trim_end().split_once("  ").unwrap().1;
    let id = credential["apiId"].as_str().unwrap();
    assert_eq!(said, format!("EMAIL  inactive -> active  by credential {id}"));
}
