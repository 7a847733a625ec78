//! Processor time of this thread, in rounds that take turns, so that a busy machine disturbs every set-up alike.

use crate::hostile::Hostile;
use crate::set_up::SetUp;
use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

/// Rounds; their median counts.
pub(crate) const ROUNDS: usize = 7;

/// The scheduler counts at its ticks, a few milliseconds apart; a round is long enough to make that a small error.
const ROUND: Duration = Duration::from_millis(300);

/// There are many hostile texts, and a glance at each is enough to tell fast from slow.
const HOSTILE_ROUND: Duration = Duration::from_millis(60);

/// Of a set-up that needs more than this for all messages, every nth message is timed.
const PASS: Duration = Duration::from_millis(1500);

/// One message in so many is enough to guess how long all of them take.
const GLANCE: usize = 97;

/// A hostile text slower than this in MB/s is timed once: more rounds would tell nothing new and take minutes.
const HOPELESS: f64 = 2.0;

/// Bytes of a hostile text.
pub(crate) const HOSTILE: usize = 1_000_000;

/// How many times longer the hostile text is against which growth is measured.
pub(crate) const GROWTH: usize = 4;

/// Rounds of one quantity, sorted.
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    fn of(mut each: Vec<f64>) -> Self {
        each.sort_by(f64::total_cmp);
        Self(each)
    }

    pub(crate) fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    pub(crate) fn least(&self) -> f64 {
        self.0[0]
    }

    pub(crate) fn most(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// A sentence if the median is below a floor in MB/s.
    pub(crate) fn slower_than(&self, name: &str, least: f64) -> Option<String> {
        let speed = self.median();
        (speed < least).then(|| format!("{name}: {speed:.1} MB/s, asked for {least:.0} MB/s"))
    }
}

/// How fast a set-up redacts messages.
pub(crate) struct OnMessages {
    pub(crate) name: &'static str,
    /// Messages that were timed.
    pub(crate) messages: usize,
    /// Values found in them.
    pub(crate) found: usize,
    /// MB/s.
    pub(crate) speed: Rounds,
    /// Microseconds a message.
    pub(crate) message: Rounds,
}

/// How fast the engine redacts a hostile text.
pub(crate) struct OnHostile {
    pub(crate) name: &'static str,
    /// MB/s.
    pub(crate) speed: Rounds,
    /// How many times longer a text of [`GROWTH`] times the size takes.
    pub(crate) growth: Rounds,
}

/// Times every set-up on the messages, one call each.
pub(crate) fn on_messages(set_ups: &mut [SetUp], messages: &[String]) -> Result<Vec<OnMessages>, Box<dyn Error>> {
    let samples = set_ups.iter_mut().map(|set_up| sample(set_up, messages));
    let samples = samples.collect::<Result<Vec<_>, _>>()?;
    let mut rounds = vec![Vec::new(); set_ups.len()];
    for _ in 0..ROUNDS {
        for ((set_up, sample), rounds) in set_ups.iter_mut().zip(&samples).zip(&mut rounds) {
            rounds.push(nanoseconds(ROUND, &mut || redact_all(set_up, sample))?);
        }
    }
    let timed = set_ups.iter_mut().zip(samples).zip(rounds);
    timed
        .map(|((set_up, sample), rounds)| {
            let bytes = sample.iter().map(|text| text.len()).sum::<usize>() as f64;
            let count = sample.len() as f64;
            Ok(OnMessages {
                name: set_up.name,
                messages: sample.len(),
                found: redact_all(set_up, &sample)?,
                speed: Rounds::of(rounds.iter().map(|spent| bytes * 1e3 / spent).collect()),
                message: Rounds::of(rounds.iter().map(|spent| spent / 1e3 / count).collect()),
            })
        })
        .collect()
}

/// Every message, or every nth where all of them would take a set-up too long.
fn sample<'m>(set_up: &mut SetUp, messages: &'m [String]) -> Result<Vec<&'m str>, Box<dyn Error>> {
    let glance = every_nth(messages, GLANCE);
    let spent = nanoseconds(ROUND, &mut || redact_all(set_up, &glance))?;
    let whole = spent / glance.len() as f64 * messages.len() as f64;
    let affordable = |n: &usize| whole / *n as f64 <= 1e9 * PASS.as_secs_f64();
    let step = (1..=messages.len()).find(affordable);
    Ok(every_nth(messages, step.unwrap_or(1)))
}

/// Times a set-up on each hostile text, one call for the whole text, and on the same text made longer.
pub(crate) fn on_hostile(set_up: &mut SetUp, texts: &[Hostile]) -> Result<Vec<OnHostile>, Box<dyn Error>> {
    let mut rounds: Vec<Vec<(f64, f64)>> = vec![Vec::new(); texts.len()];
    for _ in 0..ROUNDS {
        for (hostile, rounds) in texts.iter().zip(&mut rounds) {
            if rounds.first().is_some_and(|(speed, _)| *speed < HOPELESS) {
                continue;
            }
            let (short, long) = (hostile.of(HOSTILE), hostile.of(HOSTILE * GROWTH));
            let once = nanoseconds(HOSTILE_ROUND, &mut || set_up.redact(&short))?;
            let longer = nanoseconds(HOSTILE_ROUND, &mut || set_up.redact(&long))?;
            rounds.push((short.len() as f64 * 1e3 / once, longer / once));
        }
    }
    let timed = texts.iter().zip(rounds).map(|(hostile, rounds)| {
        let (speed, growth) = rounds.into_iter().unzip();
        OnHostile { name: hostile.name, speed: Rounds::of(speed), growth: Rounds::of(growth) }
    });
    Ok(timed.collect())
}

fn every_nth(messages: &[String], n: usize) -> Vec<&str> {
    messages.iter().step_by(n).map(String::as_str).collect()
}

fn redact_all(set_up: &mut SetUp, texts: &[&str]) -> Result<usize, Box<dyn Error>> {
    texts.iter().map(|text| set_up.redact(text)).sum()
}

type Work<'w> = dyn FnMut() -> Result<usize, Box<dyn Error>> + 'w;

/// Nanoseconds of processor time that work takes, by doing it until a round is full.
fn nanoseconds(round: Duration, work: &mut Work<'_>) -> Result<f64, Box<dyn Error>> {
    let before = on_processor()?;
    let mut times = 0_u32;
    loop {
        black_box(work()?);
        times += 1;
        let spent = on_processor()?.saturating_sub(before);
        if spent >= round {
            return Ok(spent.as_secs_f64() * 1e9 / f64::from(times));
        }
    }
}

/// How long this thread has been on a processor.
fn on_processor() -> Result<Duration, Box<dyn Error>> {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = counts.split_whitespace().next().ok_or("no schedstat")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}
