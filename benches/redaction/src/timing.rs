//! Measurement of the CPU time of this thread.
//!
//! Each round times every target once, so that a busy machine disturbs all targets equally.

use crate::hostile::HostileText;
use crate::targets::BenchTarget;
use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

/// Number of rounds. The result is their median.
pub(crate) const ROUNDS: usize = 7;

/// Minimum CPU time of one measurement. The scheduler updates its counter every few milliseconds, so that the error is
/// small.
const ROUND_TIME: Duration = Duration::from_millis(300);

/// Minimum CPU time of one measurement of a hostile text. There are many of these texts, and this precision is
/// sufficient.
const HOSTILE_ROUND_TIME: Duration = Duration::from_millis(60);

/// Maximum CPU time for one pass over the messages. A slower target is timed on every nth message.
const MAX_PASS_TIME: Duration = Duration::from_millis(1500);

/// Every nth message is timed first, to estimate the time for all messages.
const ESTIMATE_STEP: usize = 97;

/// Minimum MB/s for repeated rounds. A slower hostile text is timed once, since more rounds take minutes.
const MIN_REPEAT_SPEED: f64 = 2.0;

/// Bytes of a hostile text.
pub(crate) const HOSTILE_BYTES: usize = 1_000_000;

/// Length ratio of the two hostile texts that the growth compares.
pub(crate) const GROWTH_FACTOR: usize = 4;

/// The values of one quantity in all rounds, sorted.
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    pub(crate) fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    pub(crate) fn min(&self) -> f64 {
        self.0[0]
    }

    pub(crate) fn max(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// A message if the median is below a minimum in MB/s.
    pub(crate) fn speed_failure(&self, name: &str, min_speed: f64) -> Option<String> {
        let speed = self.median();
        (speed < min_speed).then(|| format!("{name}: {speed:.1} MB/s, minimum {min_speed} MB/s"))
    }
}

/// Timing of a target on the messages.
pub(crate) struct MessageTiming {
    pub(crate) name: &'static str,
    /// Number of timed messages.
    pub(crate) messages: usize,
    /// Number of values found in them.
    pub(crate) found: usize,
    /// MB/s.
    pub(crate) speed: Rounds,
    /// Microseconds per message.
    pub(crate) message: Rounds,
}

/// Timing of the engine on a hostile text.
pub(crate) struct HostileTiming {
    pub(crate) name: &'static str,
    /// MB/s.
    pub(crate) speed: Rounds,
    /// Ratio of the times for a text of [`GROWTH_FACTOR`] times the size and for the text.
    pub(crate) growth: Rounds,
}

/// Times every target on the messages, with one call per message.
pub(crate) fn time_messages(
    targets: &mut [BenchTarget],
    messages: &[String],
) -> Result<Vec<MessageTiming>, Box<dyn Error>> {
    let samples = targets.iter_mut().map(|target| sample(target, messages));
    let samples = samples.collect::<Result<Vec<_>, _>>()?;
    let mut rounds = vec![Vec::new(); targets.len()];
    for _ in 0..ROUNDS {
        for ((target, sample), rounds) in targets.iter_mut().zip(&samples).zip(&mut rounds) {
            rounds.push(nanoseconds_per_call(ROUND_TIME, &mut || redact_all(target, sample))?);
        }
    }
    let timed = targets.iter_mut().zip(samples).zip(rounds);
    timed
        .map(|((target, sample), rounds)| {
            let bytes = sample.iter().map(|text| text.len()).sum::<usize>() as f64;
            let count = sample.len() as f64;
            Ok(MessageTiming {
                name: target.name,
                messages: sample.len(),
                found: redact_all(target, &sample)?,
                speed: Rounds::new(rounds.iter().map(|spent| bytes * 1e3 / spent).collect()),
                message: Rounds::new(rounds.iter().map(|spent| spent / 1e3 / count).collect()),
            })
        })
        .collect()
}

/// All messages, or every nth message if a pass over all would exceed [`MAX_PASS_TIME`].
fn sample<'m>(target: &mut BenchTarget, messages: &'m [String]) -> Result<Vec<&'m str>, Box<dyn Error>> {
    let few = every_nth(messages, ESTIMATE_STEP);
    let few_time = nanoseconds_per_call(ROUND_TIME, &mut || redact_all(target, &few))?;
    let total_time = few_time / few.len() as f64 * messages.len() as f64;
    let is_short_enough = |n: &usize| total_time / *n as f64 <= 1e9 * MAX_PASS_TIME.as_secs_f64();
    let step = (1..=messages.len()).find(is_short_enough);
    Ok(every_nth(messages, step.unwrap_or(1)))
}

/// Times a target on each hostile text and on a longer form of it, with one call per text.
pub(crate) fn time_hostile_texts(
    target: &mut BenchTarget,
    texts: &[HostileText],
) -> Result<Vec<HostileTiming>, Box<dyn Error>> {
    let mut rounds: Vec<Vec<(f64, f64)>> = vec![Vec::new(); texts.len()];
    for _ in 0..ROUNDS {
        for (hostile, rounds) in texts.iter().zip(&mut rounds) {
            if rounds.first().is_some_and(|(speed, _)| *speed < MIN_REPEAT_SPEED) {
                continue;
            }
            let (short, long) =
                (hostile.with_length(HOSTILE_BYTES), hostile.with_length(HOSTILE_BYTES * GROWTH_FACTOR));
            let short_time = nanoseconds_per_call(HOSTILE_ROUND_TIME, &mut || target.redact(&short))?;
            let long_time = nanoseconds_per_call(HOSTILE_ROUND_TIME, &mut || target.redact(&long))?;
            rounds.push((short.len() as f64 * 1e3 / short_time, long_time / short_time));
        }
    }
    let timed = texts.iter().zip(rounds).map(|(hostile, rounds)| {
        let (speed, growth) = rounds.into_iter().unzip();
        HostileTiming { name: hostile.name, speed: Rounds::new(speed), growth: Rounds::new(growth) }
    });
    Ok(timed.collect())
}

fn every_nth(messages: &[String], n: usize) -> Vec<&str> {
    messages.iter().step_by(n).map(String::as_str).collect()
}

fn redact_all(target: &mut BenchTarget, texts: &[&str]) -> Result<usize, Box<dyn Error>> {
    texts.iter().map(|text| target.redact(text)).sum()
}

type Work<'w> = dyn FnMut() -> Result<usize, Box<dyn Error>> + 'w;

/// CPU time of one call of `work` in nanoseconds, averaged over calls for at least the time `round`.
fn nanoseconds_per_call(round: Duration, work: &mut Work<'_>) -> Result<f64, Box<dyn Error>> {
    let before = thread_cpu_time()?;
    let mut calls = 0_u32;
    loop {
        black_box(work()?);
        calls += 1;
        let spent = thread_cpu_time()?.saturating_sub(before);
        if spent >= round {
            return Ok(spent.as_secs_f64() * 1e9 / f64::from(calls));
        }
    }
}

/// The CPU time of this thread.
fn thread_cpu_time() -> Result<Duration, Box<dyn Error>> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = statistics.split_whitespace().next().ok_or("/proc/thread-self/schedstat is empty")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}
