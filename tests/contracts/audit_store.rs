//! What every audit log does, and what the stores that add to it owe it.

use std::sync::Arc;

use parlance_domain::{
    access::ApiId,
    audit::{Action, Audit, Break, Fault, Head},
    redaction::{Activity, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy},
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, credential, digest, globex},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_tenant_without_changes_has_no_chain,
    every_change_of_a_credential_and_of_redaction_is_recorded,
    what_changes_nothing_is_not_recorded,
    chains_of_tenants_do_not_mix,
    racing_changes_make_one_chain_without_gaps,
    pages_of_a_chain_follow_each_other,
    the_head_that_is_kept_is_the_last_record,
    a_head_that_was_filed_is_found_again,
    a_head_that_was_never_there_is_not_found,
];

fn switch(number: u128, entity: Entity, presumes: Option<Activity>, to: Activity) -> Switch {
    let from = presumes.unwrap_or(entity.row().default_active);
    let by = SwitchedBy::Embedder;
    Switch { presumes, record: SwitchRecord { id: SwitchId::from_bits(number), at: at(5), by, entity, from, to } }
}

fn audit(stores: &Stores) -> Audit {
    Audit::new(Arc::clone(&stores.audit))
}

/// Issues credentials, each of which is one record.
async fn issue(stores: &Stores, numbers: std::ops::Range<u128>) {
    for number in numbers {
        stores.credentials.insert(&credential(acme(), number)).await.unwrap();
    }
}

async fn a_tenant_without_changes_has_no_chain(stores: Stores) {
    assert!(stores.audit.heads().await.unwrap().is_empty());
    assert!(stores.audit.records(&acme(), 0, 10).await.unwrap().is_empty());
    assert_eq!(audit(&stores).verify(&acme(), None).await.unwrap(), Ok(Head::START));
}

async fn every_change_of_a_credential_and_of_redaction_is_recorded(stores: Stores) {
    issue(&stores, 1..2).await;
    let id = credential(acme(), 1).id;
    assert!(stores.credentials.rotate(&id, &digest(7), at(50), at(40)).await.unwrap());
    assert!(stores.credentials.revoke(&id, at(60)).await.unwrap());
    let thrown = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(stores.redaction.set(&acme(), &thrown).await.unwrap(), Commit::Committed);

    let log = audit(&stores).log(&acme()).await.unwrap();
    let said: Vec<_> = log.iter().map(|record| (record.entry.action, record.entry.subject.as_str())).collect();
    assert_eq!(
        said,
        [
            (Action::CredentialCreated, id.as_str()),
            (Action::CredentialRotated, id.as_str()),
            (Action::CredentialRevoked, id.as_str()),
            (Action::EntitySwitched, "EMAIL"),
        ]
    );
    let details = log.last().map(|record| record.entry.details.as_str());
    assert_eq!(details, Some("inactive to active, by the embedding service"));
    assert_eq!(log.iter().map(|record| record.entry.at).collect::<Vec<_>>(), [at(3_000), at(40), at(60), at(5)]);
}

async fn what_changes_nothing_is_not_recorded(stores: Stores) {
    let unknown = ApiId::new(acme(), 9);
    assert!(!stores.credentials.rotate(&unknown, &digest(1), at(1), at(1)).await.unwrap());
    assert!(!stores.credentials.revoke(&unknown, at(1)).await.unwrap());
    let late = switch(1, Entity::EMAIL, Some(Activity::On), Activity::Off);
    assert_eq!(stores.redaction.set(&acme(), &late).await.unwrap(), Commit::Superseded);
    issue(&stores, 1..2).await;
    for _ in 0..2 {
        assert!(stores.credentials.revoke(&credential(acme(), 1).id, at(2)).await.unwrap());
    }
    assert_eq!(audit(&stores).log(&acme()).await.unwrap().len(), 2);
}

async fn chains_of_tenants_do_not_mix(stores: Stores) {
    issue(&stores, 1..3).await;
    stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
    let verdicts = audit(&stores).verify_all().await.unwrap();
    let lengths: Vec<_> = verdicts.into_iter().map(|(tenant, verdict)| (tenant, verdict.unwrap().sequence)).collect();
    assert_eq!(lengths, [(acme(), 2), (globex(), 1)]);
}

async fn racing_changes_make_one_chain_without_gaps(stores: Stores) {
    let (barrier, mut racing) = (Arc::new(Barrier::new(16)), JoinSet::new());
    for number in 0..16 {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        racing.spawn(async move {
            barrier.wait().await;
            stores.credentials.insert(&credential(acme(), number)).await.unwrap();
        });
    }
    racing.join_all().await;
    assert_eq!(audit(&stores).verify(&acme(), None).await.unwrap().unwrap().sequence, 16);
}

async fn pages_of_a_chain_follow_each_other(stores: Stores) {
    issue(&stores, 1..6).await;
    let page = async |after, limit| {
        let records = stores.audit.records(&acme(), after, limit).await.unwrap();
        records.into_iter().map(|record| record.sequence).collect::<Vec<_>>()
    };
    assert_eq!(
        [page(0, 2).await, page(2, 2).await, page(4, 2).await, page(5, 2).await],
        [vec![1, 2], vec![3, 4], vec![5], vec![]]
    );
}

async fn the_head_that_is_kept_is_the_last_record(stores: Stores) {
    issue(&stores, 1..4).await;
    let last = audit(&stores).log(&acme()).await.unwrap().pop().unwrap();
    let kept = stores.audit.heads().await.unwrap();
    assert_eq!(kept, [(acme(), Head { sequence: 3, hash: last.hash })]);
}

async fn a_head_that_was_filed_is_found_again(stores: Stores) {
    issue(&stores, 1..3).await;
    let filed = audit(&stores).verify(&acme(), None).await.unwrap().unwrap();
    issue(&stores, 3..5).await;
    assert_eq!(audit(&stores).verify(&acme(), Some(filed)).await.unwrap().unwrap().sequence, 4);
}

async fn a_head_that_was_never_there_is_not_found(stores: Stores) {
    issue(&stores, 1..3).await;
    let verdict =
        async |sequence| audit(&stores).verify(&acme(), Some(Head { sequence, hash: [9; 32] })).await.unwrap();
    assert_eq!(verdict(1).await, Err(Break { sequence: 1, fault: Fault::OtherThanFiled }));
    assert_eq!(verdict(5).await, Err(Break { sequence: 5, fault: Fault::Missing }));
}

/// What `verify` says of a chain of four records after a statement that someone ran on the database.
async fn tampered(home: &TestDatabase, statement: &str) -> Result<Head, Break> {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    issue(&stores, 1..5).await;
    database.execute_unprepared(statement).await.unwrap();
    audit(&stores).verify(&acme(), None).await.unwrap()
}

macro_rules! tampering {
    ($($case:ident: $statement:literal => $sequence:literal $fault:ident;)+) => {
        mod sqlite_tampering {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let home = super::TestDatabase::sqlite();
                    let broken = super::Break { sequence: $sequence, fault: super::Fault::$fault };
                    assert_eq!(super::tampered(&home, $statement).await, Err(broken));
                }
            )+
        }

        mod postgres_tampering {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(home) = super::TestDatabase::postgres() else { return };
                    let broken = super::Break { sequence: $sequence, fault: super::Fault::$fault };
                    assert_eq!(super::tampered(&home, $statement).await, Err(broken));
                }
            )+
        }
    };
}

tampering! {
    an_altered_record_is_found: "UPDATE audit_records SET details = 'x' WHERE sequence = 2" => 2 Altered;
    a_record_of_another_time_is_found: "UPDATE audit_records SET recorded_at = 1 WHERE sequence = 4" => 4 Altered;
    a_record_that_is_taken_out_is_found: "DELETE FROM audit_records WHERE sequence = 3" => 3 Missing;
    records_that_are_cut_off_are_found: "DELETE FROM audit_records WHERE sequence > 2" => 3 Missing;
    a_chain_that_is_taken_away_is_found: "DELETE FROM audit_records" => 1 Missing;
    a_record_of_another_chain_is_found: "UPDATE audit_records SET previous = hash WHERE sequence = 2" => 2 Unlinked;
    a_head_that_is_moved_back_is_found: "UPDATE audit_heads SET sequence = 3" => 3 OtherHead;
}
