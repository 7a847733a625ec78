//! Reads that wait together share one statement: what it costs to ask PostgreSQL at all, which is most of what a short
//! read costs, is paid once for all of them.
//!
//! Nobody waits for others to come. Whoever asks is answered as soon as those who asked before are, together with those who
//! have asked the same kind of thing on this thread meanwhile.

use std::{
    collections::VecDeque,
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use deadpool::managed::Pool;
use parlance_domain::error::StoreError;
use sea_orm::sqlx::{
    self, Postgres, Row,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use tokio::{sync::oneshot, time::timeout};

use super::lanes::{self, Desks, Opener};
use crate::{
    columns::Columns,
    error::{CALL_TIMEOUT, Failure, Unread},
};

/// How long whoever asks waits for the usual clerks of a desk before further ones are called: they would share less, unless
/// the server takes long, as to read from its disk what it has not in memory.
const PATIENCE: Duration = Duration::from_millis(20);

/// How many clerks a desk has at most.
const CLERKS: usize = 4;

/// How those who wait are served.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns {
    /// How many clerks usually.
    clerks: usize,
    /// How many questions one statement answers at most.
    questions: usize,
    /// How many rows one statement gives at most, unless one question alone asks for more.
    rows: usize,
}

impl Turns {
    /// While the server is at work, other threads have the processors: the more share a statement, the better. With their
    /// values 64 questions fit what goes to the server at once (see [`portions`](super::portions)), unless their
    /// identifiers are unusually long.
    pub(super) const BESIDE_OTHERS: Self = Self { clerks: 1, questions: 64, rows: 2_048 };

    /// Where one thread answers all requests, it and the server would wait for each other: while it reads what one
    /// statement gave, the server is at the next one, and each is soon done.
    pub(super) const ALONE: Self = Self { clerks: 2, questions: 16, rows: 320 };
}

/// Something that a statement answers for many who ask it.
pub(crate) trait Question: Debug + Send + Sync + Sized + 'static {
    /// What is gathered of the rows.
    type Answer: Debug + Send;

    /// Where it is asked.
    fn desk<'own>(&self, desks: &'own Desks) -> &'own Desk<Self>;

    /// How many rows answer it at most.
    fn rows(&self) -> usize;

    /// Gives a statement its values: these questions, as arrays.
    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, questions: &'q [Self]) -> Query<'q, Postgres, PgArguments>;

    /// The statement that answers this question alone, at two thirds of the cost.
    fn bind_alone(&self) -> Query<'_, Postgres, PgArguments>;

    /// The answer without a row.
    fn begin(&self) -> Self::Answer;

    /// Adds a row to the answer. Where the question was not asked alone, one more column, the last, is its number among
    /// those that were bound, from one.
    fn add(&self, row: &PgRow, answer: &mut Self::Answer) -> Result<(), Unread>;
}

/// Where those wait who ask for the same statement.
#[derive(Debug)]
pub(crate) struct Desk<Q: Question> {
    statement: &'static str,
    turns: Turns,
    line: Arc<Mutex<Line<Q>>>,
}

#[derive(Debug)]
struct Line<Q: Question> {
    waiting: VecDeque<Asked<Q>>,
    /// How many clerks there are.
    clerks: usize,
    /// Whether one of them has yet to look who waits, and will take whoever comes until then.
    called: bool,
}

#[derive(Debug)]
struct Asked<Q: Question> {
    question: Q,
    asker: oneshot::Sender<Result<Q::Answer, StoreError>>,
}

impl<Q: Question> Desk<Q> {
    pub(super) fn new(statement: &'static str, turns: Turns) -> Self {
        let line = Line { waiting: VecDeque::new(), clerks: 0, called: false };
        Self { statement, turns, line: Arc::new(Mutex::new(line)) }
    }

    /// Waits for the answer.
    pub(super) async fn ask(&self, question: Q, lanes: &Pool<Opener>) -> Result<Q::Answer, StoreError> {
        let (asker, mut answer) = oneshot::channel();
        locked(&self.line).waiting.push_back(Asked { question, asker });
        self.call(self.turns.clerks, lanes);
        let told = if let Ok(told) = timeout(PATIENCE, &mut answer).await {
            told
        } else {
            self.call(CLERKS, lanes);
            timeout(CALL_TIMEOUT.saturating_sub(PATIENCE), answer).await.map_err(Failure::from)?
        };
        told.unwrap_or_else(|_| Err(Failure::unavailable("a read was given up midway").into()))
    }

    /// Has one more clerk come where somebody waits, unless there are so many or one is on the way.
    fn call(&self, most: usize, lanes: &Pool<Opener>) {
        let mut line = locked(&self.line);
        if line.called || line.clerks >= most || line.waiting.is_empty() {
            return;
        }
        line.called = true;
        line.clerks += 1;
        drop(line);
        let (statement, turns, line) = (self.statement, self.turns, Arc::clone(&self.line));
        let clerk = Clerk { statement, turns, line, lanes: lanes.clone(), has_looked: false, has_left: false };
        tokio::spawn(clerk.serve());
    }
}

fn locked<Q: Question>(line: &Mutex<Line<Q>>) -> MutexGuard<'_, Line<Q>> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<Q: Question> Line<Q> {
    /// As many of those who wait as one statement answers, in their order. Who has given up is left out.
    fn next(&mut self, turns: Turns) -> Vec<Asked<Q>> {
        let mut taken: Vec<Asked<Q>> = Vec::new();
        let mut room = turns.rows;
        while let Some(asked) = self.waiting.pop_front_if(|asked| taken.is_empty() || asked.question.rows() <= room) {
            if asked.asker.is_closed() {
                continue;
            }
            room = room.saturating_sub(asked.question.rows());
            taken.push(asked);
            if taken.len() == turns.questions {
                break;
            }
        }
        taken
    }
}

/// Who answers those who wait, until nobody does.
struct Clerk<Q: Question> {
    statement: &'static str,
    turns: Turns,
    line: Arc<Mutex<Line<Q>>>,
    lanes: Pool<Opener>,
    has_looked: bool,
    has_left: bool,
}

impl<Q: Question> Clerk<Q> {
    async fn serve(mut self) {
        while let Some(asked) = self.next() {
            let (questions, askers): (Vec<_>, Vec<_>) =
                asked.into_iter().map(|asked| (asked.question, asked.asker)).unzip();
            // Whoever has given up is not told.
            match answers(&self.lanes, self.statement, &questions).await {
                Ok(answers) => {
                    for (asker, answer) in askers.into_iter().zip(answers) {
                        let _ = asker.send(answer);
                    }
                }
                Err(failure) => {
                    for asker in askers {
                        let _ = asker.send(Err(failure.clone().into()));
                    }
                }
            }
        }
    }

    /// Whom to answer next; nobody, once the clerk has left.
    fn next(&mut self) -> Option<Vec<Asked<Q>>> {
        let mut line = locked(&self.line);
        if !self.has_looked {
            self.has_looked = true;
            line.called = false;
        }
        let asked = line.next(self.turns);
        if asked.is_empty() {
            self.has_left = true;
            line.clerks -= 1;
            return None;
        }
        Some(asked)
    }
}

/// A clerk whose runtime ends, or who panics, does not leave others waiting for it.
impl<Q: Question> Drop for Clerk<Q> {
    fn drop(&mut self) {
        if self.has_left {
            return;
        }
        let mut line = locked(&self.line);
        line.clerks -= 1;
        line.called &= self.has_looked;
        if line.clerks == 0 {
            line.waiting.clear();
        }
    }
}

/// The answer to each of these questions.
pub(super) async fn answers<Q: Question>(
    lanes: &Pool<Opener>,
    statement: &'static str,
    questions: &[Q],
) -> Result<Vec<Answered<Q>>, Failure> {
    if let [question] = questions {
        let add = |row: &PgRow, answer: &mut Answered<Q>| {
            gather(question, row, answer);
            Ok(())
        };
        let answer = lanes::gather(lanes, || question.bind_alone(), || Ok(question.begin()), add);
        return Ok(vec![timeout(CALL_TIMEOUT, answer).await??]);
    }
    let begin = || questions.iter().map(|question| Ok(question.begin())).collect::<Vec<_>>();
    let add = |row: &PgRow, answers: &mut Vec<Answered<Q>>| {
        let number = usize::try_from(row.integer(row.len() - 1)? - 1).ok();
        let asked = number.and_then(|number| questions.get(number).zip(answers.get_mut(number)));
        let (question, answer) = asked.ok_or_else(|| Failure::unexpected("a row answers no question"))?;
        gather(question, row, answer);
        Ok(())
    };
    timeout(CALL_TIMEOUT, lanes::gather(lanes, || Q::bind(sqlx::query(statement), questions), begin, add)).await?
}

type Answered<Q> = Result<<Q as Question>::Answer, StoreError>;

/// Adds a row to the answer, which it may spoil.
fn gather<Q: Question>(question: &Q, row: &PgRow, answer: &mut Answered<Q>) {
    if let Ok(gathered) = answer
        && let Err(unread) = question.add(row, gathered)
    {
        *answer = Err(unread.into());
    }
}
