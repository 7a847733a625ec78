//! Restrictions that the process sets at its start: file modes and core dumps.

use rustix::{
    fs::Mode,
    process::{Resource, Rlimit, setrlimit, umask},
};

/// Sets the umask so that every new file of this process belongs to its owner alone, and turns core dumps off. The
/// memory holds secrets and texts: no core dump and no debugger of the same user may read it.
pub(crate) fn restrict() {
    umask(Mode::RWXG | Mode::RWXO);
    // A process may always lower a limit. If the system refuses, the process runs without this protection.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    disable_dumps();
}

#[cfg(target_os = "linux")]
fn disable_dumps() {
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

#[cfg(not(target_os = "linux"))]
fn disable_dumps() {}
