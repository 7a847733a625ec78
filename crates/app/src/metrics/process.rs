//! Resources that the process uses, read from `/proc` when metrics are collected. The metric names are those of the
//! client libraries of Prometheus. Without `/proc` there are no such metrics.

use std::{fmt, fs};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, NoLabelSet},
    metrics::MetricType,
};

#[derive(Debug)]
pub(super) struct ProcessCollector;

impl Collector for ProcessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let Some(process) = ProcessStats::read() else { return Ok(()) };
        let help = "User and system processor time of the process, in seconds";
        let counter = MetricType::Counter;
        let mut cpu = encoder.encode_descriptor("process_cpu_seconds", help, None, counter)?;
        cpu.encode_counter::<NoLabelSet, f64, f64>(&process.cpu_seconds, None)?;
        for (name, help, value) in process.gauges() {
            if let Some(value) = value {
                encoder.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)?;
            }
        }
        Ok(())
    }
}

struct ProcessStats {
    cpu_seconds: f64,
    virtual_bytes: f64,
    resident_bytes: f64,
    threads: f64,
    started_at: Option<f64>,
    open_files: Option<f64>,
    max_files: Option<f64>,
}

impl ProcessStats {
    fn read() -> Option<Self> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let fields = fields(&stat)?;
        let field = |number: usize| fields.get(number - FIRST_FIELD)?.parse::<f64>().ok();
        let ticks_per_second = as_float(usize::try_from(rustix::param::clock_ticks_per_second()).ok()?);
        let boot_time = fs::read_to_string("/proc/stat").ok().and_then(|stat| boot_time(&stat));
        Some(Self {
            cpu_seconds: (field(14)? + field(15)?) / ticks_per_second,
            threads: field(20)?,
            started_at: boot_time
                .zip(field(22))
                .map(|(boot_time, start_ticks)| boot_time + start_ticks / ticks_per_second),
            virtual_bytes: field(23)?,
            resident_bytes: field(24)? * as_float(rustix::param::page_size()),
            open_files: fs::read_dir("/proc/self/fd").ok().map(|files| as_float(files.count().saturating_sub(1))),
            max_files: fs::read_to_string("/proc/self/limits").ok().and_then(|limits| max_files(&limits)),
        })
    }

    fn gauges(&self) -> [(&'static str, &'static str, Option<f64>); 6] {
        [
            ("process_resident_memory_bytes", "Memory of the process in RAM", Some(self.resident_bytes)),
            ("process_virtual_memory_bytes", "Address space of the process", Some(self.virtual_bytes)),
            ("process_threads", "Threads of the process", Some(self.threads)),
            ("process_open_fds", "File descriptors that the process has open", self.open_files),
            ("process_max_fds", "File descriptors that the process may have open", self.max_files),
            ("process_start_time_seconds", "When the process started, in seconds after 1970", self.started_at),
        ]
    }
}

/// The number of the first field after the program name, as proc(5) counts the fields.
const FIRST_FIELD: usize = 3;

/// Returns the fields of `/proc/self/stat` after the program name. The name is in parentheses and may hold any
/// character.
fn fields(stat: &str) -> Option<Vec<&str>> {
    let (_, rest) = stat.rsplit_once(')')?;
    Some(rest.split_whitespace().collect())
}

/// Returns the boot time of the machine, in seconds after 1970.
fn boot_time(stat: &str) -> Option<f64> {
    stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

/// Returns the soft limit on open files, or `None` if there is no limit.
fn max_files(limits: &str) -> Option<f64> {
    let values = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    values.split_whitespace().next()?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "counts of ticks, bytes and files stay far below 2^53")]
fn as_float(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_name_with_spaces_and_parentheses_does_not_shift_the_fields() {
        let stat = "7 (a) (b c) S 1 2";
        assert_eq!(fields(stat).unwrap(), ["S", "1", "2"]);
    }

    #[test]
    fn the_boot_time_and_the_limit_on_open_files_are_read() {
        assert_eq!(boot_time("cpu 1 2\nbtime 1769851800\n"), Some(1_769_851_800.0));
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max open files            1024                 524288               files\n";
        assert_eq!(max_files(limits), Some(1_024.0));
        assert_eq!(max_files("Max open files            unlimited            unlimited            files\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_memory_and_has_open_files() {
        let process = ProcessStats::read().unwrap();
        assert!(process.resident_bytes > 100_000.0 && process.threads >= 1.0);
        assert!(process.open_files.unwrap() >= 3.0 && process.started_at.unwrap() > 1_700_000_000.0);
    }
}
