//! Tests of `parlance compliance`: the switches of an operator and their records.

use crate::process::TestEnvironment;

fn set_arguments<'a>(entity: &'a str, active: &'a str, approvers: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["compliance", "set", "--tenant", "acme", "--entity", entity, "--active", active];
    arguments.extend(["--reference", "CHG-7"]);
    arguments.extend(approvers.iter().flat_map(|approver| ["--approved-by", approver]));
    arguments
}

#[test]
fn two_approvals_switch_a_locked_entity_and_are_recorded() {
    let env = TestEnvironment::new();
    env.create_credential();
    let printed = env.run_ok(&set_arguments("CVV", "false", &["Ada", "Grace"]));
    assert_eq!(printed, "CVV is inactive for acme; every replica applies it within 30 seconds.\n");
    let again = env.run_ok(&set_arguments("CVV", "false", &["Ada", "Grace"]));
    assert_eq!(again, "CVV is already inactive for acme: nothing changed.\n");
    env.run_ok(&set_arguments("CVV", "true", &["Grace", "Ada"]));
    let log = env.run_ok(&["compliance", "log", "--tenant", "acme"]);
    let records: Vec<_> = log.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(
        records,
        [
            r#"CVV  active -> inactive  on "CHG-7", approved by "Ada" and "Grace""#,
            r#"CVV  inactive -> active  on "CHG-7", approved by "Grace" and "Ada""#
        ]
    );
}

#[test]
fn one_person_named_twice_does_not_approve() {
    let env = TestEnvironment::new();
    env.create_credential();
    for approvers in [["Ada", "ada "], ["Ada", "А\u{200b}da"], ["Ada", "Ａｄａ"]] {
        let refused = (1, "parlance: --approved-by: the two approvers must be two people".to_owned());
        assert_eq!(env.run_failing(&set_arguments("CVV", "false", &approvers)), refused, "{approvers:?}");
    }
    assert_eq!(env.run_ok(&["compliance", "log", "--tenant", "acme"]), "");
}

#[test]
fn exactly_two_people_must_approve() {
    let env = TestEnvironment::new();
    env.create_credential();
    for approvers in [&["Ada"][..], &["Ada", "Grace", "Joan"]] {
        let refused = (2, "parlance: --approved-by must be given twice, for two people".to_owned());
        assert_eq!(env.run_failing(&set_arguments("CVV", "false", approvers)), refused, "{approvers:?}");
    }
}

#[test]
fn an_entity_that_its_tenant_switches_is_refused_to_the_operator() {
    let env = TestEnvironment::new();
    env.create_credential();
    let refused = env.run(&set_arguments("EMAIL", "true", &["Ada", "Grace"]));
    assert_eq!(
        (refused.status.code(), String::from_utf8(refused.stderr).unwrap().as_str()),
        (Some(1), "parlance: the entity is not under compliance control: its tenant switches it\n")
    );
}

#[test]
fn an_invalid_entity_value_or_approver_is_refused() {
    let env = TestEnvironment::new();
    for arguments in [
        set_arguments("NO_SUCH_THING", "true", &["Ada", "Grace"]),
        set_arguments("CVV", "maybe", &["Ada", "Grace"]),
        set_arguments("CVV", "true", &["Ada", " "]),
        set_arguments("CVV", "true", &["Ada", "G."]),
        set_arguments("CVV", "true", &[]),
    ] {
        assert_eq!(env.run(&arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[actix_web::test]
async fn a_switch_by_a_tenant_is_recorded_with_its_credential() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let server = env.serve(&[]);
    server.switch_email_on(&credential).await;
    let log = env.run_ok(&["compliance", "log", "--tenant", "acme"]);
    let record = log.trim_end().split_once("  ").unwrap().1;
    let id = credential["apiId"].as_str().unwrap();
    assert_eq!(record, format!("EMAIL  inactive -> active  by credential {id}"));
}
