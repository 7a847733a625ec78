//! The writers of the change log, and its retention.

use crate::{
    fault::Fault,
    log_state::{LogDatabase, tenants},
    world::{MILLISECOND, SECOND, World},
};

/// The age from which rows are dropped. It is far shorter than that of a real log, so that consumers come too late.
const RETENTION_SECONDS: i64 = 15;

/// Undoes an open transaction whose writer is gone.
struct OpenTransaction {
    database: LogDatabase,
    id: usize,
}

impl Drop for OpenTransaction {
    fn drop(&mut self) {
        let (database, id) = (self.database.clone(), self.id);
        // The database notices a while later that the connection is lost.
        self.database.world.clone().spawn(async move {
            database.world.pause(database.world.below(SECOND)).await;
            database.roll_back(id);
        });
    }
}

/// Writes transactions that append to the logs of one or both tenants, one after the other.
pub(crate) async fn write(database: LogDatabase, is_over: impl Fn() -> bool) {
    let world = database.world.clone();
    while !is_over() {
        world.pause(world.below(2 * SECOND)).await;
        let transaction = OpenTransaction { id: database.begin(), database: database.clone() };
        for _ in 0..=world.below(2) {
            append(&transaction).await;
            world.pause(world.below([MILLISECOND, SECOND][usize::try_from(world.below(2)).unwrap()])).await;
        }
        if world.below(6) > 0 {
            commit(&transaction).await;
        }
    }
}

async fn append(OpenTransaction { database, id }: &OpenTransaction) {
    let world = &database.world;
    for tenant in tenants() {
        if world.below(3) == 0 {
            continue;
        }
        let announces_late = world.has(Fault::NumberBeforeAnnouncement);
        // The last number is read before its lock is taken, so others may have taken greater numbers meanwhile.
        let head = database.state().head;
        world.step().await;
        if !announces_late {
            database.announce(*id, head);
            world.step().await;
        }
        database.append(*id, &tenant, 1 + world.below(3));
        world.step().await;
        if announces_late {
            database.announce(*id, head);
        }
    }
}

async fn commit(OpenTransaction { database, id }: &OpenTransaction) {
    let world = &database.world;
    if world.has(Fault::ReleaseBeforeVisible) {
        database.release(*id);
        world.step().await;
        database.show(*id);
    } else {
        database.show(*id);
        world.step().await;
        database.release(*id);
    }
    let hints = database.state().hints.clone();
    hints.iter().for_each(crate::hint::Hint::give);
}

/// Drops old rows now and then.
pub(crate) async fn drop_old_rows(world: World, database: LogDatabase, is_over: impl Fn() -> bool) {
    while !is_over() {
        world.pause(world.below(3 * SECOND)).await;
        database.drop_before(database.now().plus_seconds(-RETENTION_SECONDS));
    }
}
