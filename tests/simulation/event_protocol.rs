//! The protocol of the change log: every committed event reaches its receiver once, in the order of the log.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::{
    clock::{REPLICAS, set_clocks},
    event_consumer::{Consumer, Cursors},
    fault::Fault,
    lease_table::LeaseTable,
    log_state::LogDatabase,
    log_writer::{drop_old_rows, write},
    protocol::Protocol,
    receiver::Receiver,
    world::World,
};

const WRITERS: usize = 3;

pub(crate) struct EventProtocol {
    database: LogDatabase,
    receiver: Receiver,
    is_over: Arc<AtomicBool>,
}

impl Protocol for EventProtocol {
    const NAME: &'static str = "events";

    const FAULTS: &'static [Fault] = &[
        Fault::SkippingByTime,
        Fault::NoWatermark,
        Fault::KeysBeforeHead,
        Fault::RowsBeforeWatermark,
        Fault::BoundsBeforeRows,
        Fault::CursorAboveWatermark,
        Fault::NumberBeforeAnnouncement,
        Fault::ReleaseBeforeVisible,
        Fault::TrustedHint,
        Fault::NoFirstCursor,
        Fault::CursorBeforeEffect,
        Fault::IgnoredFailure,
        Fault::RetryWithNewId,
        Fault::UncheckedCursorTerm,
        Fault::CursorMovesBack,
    ];

    fn start(world: &World) -> Self {
        let (database, leases, receiver) = (LogDatabase::new(world), LeaseTable::new(world), Receiver::new(world));
        let cursors = Cursors::new(world, &leases);
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = |flag: &Arc<AtomicBool>| {
            let flag = Arc::clone(flag);
            move || flag.load(Ordering::Relaxed)
        };
        for writer in 0..WRITERS {
            let (database, is_over) = (database.clone(), Arc::clone(&is_over));
            world.spawn_process(format!("writer {writer}"), move || write(database.clone(), ends(&is_over)));
        }
        for replica in 0..REPLICAS {
            let (database, leases, cursors) = (database.clone(), leases.clone(), cursors.clone());
            let receiver = receiver.clone();
            world.spawn_process(format!("replica {replica}"), move || {
                let leases = leases.leases_of_new_process();
                Consumer::new(&database, replica, leases, cursors.clone(), receiver.clone()).run()
            });
        }
        world.spawn(drop_old_rows(world.clone(), database.clone(), ends(&is_over)));
        world.spawn(set_clocks(world.clone()));
        Self { database, receiver, is_over }
    }

    fn end_changes(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn check_end(&self, world: &World) {
        for (number, (tenant, position)) in &self.database.state().committed {
            if !self.receiver.knows(tenant, *number, *position) {
                world.violate(format!("event {number} of {tenant} at {position} never arrived"));
                return;
            }
        }
    }
}
