//! What the process refuses itself from its start on: files for others, and images of its memory on the disk.

use rustix::{
    fs::Mode,
    process::{Resource, Rlimit, setrlimit, umask},
};

/// Makes every file of this process for its owner alone, whatever mask it was started with, and keeps its memory, which
/// holds secrets and texts, out of core dumps and from debuggers of the same user.
pub(crate) fn restrict() {
    umask(Mode::RWXG | Mode::RWXO);
    // A limit can always be lowered. Where a system refuses, nothing is worse than without it.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    undumpable();
}

#[cfg(target_os = "linux")]
fn undumpable() {
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

#[cfg(not(target_os = "linux"))]
fn undumpable() {}
