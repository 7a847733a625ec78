//! Trains the sequence tagger of the redaction engine from labelled texts, and writes its weights.
//!
//! ```text
//! train-tagger --seed N --epochs N --copies N --out FILE --train FILE... [--bias NAME ADDRESS] [--once FILE...] [--test FILE...] [--show]
//! ```
//!
//! A file has one message a line: `{"text", "spans": [{"start", "end", "label"}], "context": [...]}`, with offsets in
//! Unicode scalar values. Each message of a `--train` file is read several times, each time with other words withheld;
//! each message of a `--once` file is read once. The same input and seed give the same weights.

mod augment;
mod examples;
mod names;
mod perceptron;
mod random;

use examples::Example;
use names::NameMaker;
use parlance_redaction::tagger_training::LabelledRun;
use perceptron::Perceptron;
use random::Random;
use std::process::ExitCode;

/// The arguments of the command.
#[derive(Default)]
struct Arguments {
    seed: u64,
    epochs: usize,
    copies: usize,
    out: String,
    train: Vec<String>,
    once: Vec<String>,
    test: Vec<String>,
    show: bool,
    /// By how much the first label of a name and of an address is made less likely.
    bias: Vec<i16>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("train-tagger: {error}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments { seed: 1, epochs: 6, copies: 4, ..Arguments::default() };
    let mut option = String::new();
    for word in std::env::args().skip(1) {
        if let Some(name) = word.strip_prefix("--") {
            name.clone_into(&mut option);
            arguments.show |= name == "show";
            continue;
        }
        let number = || word.parse::<usize>().map_err(|_| format!("--{option} needs a number, not {word}"));
        match option.as_str() {
            "seed" => arguments.seed = number()? as u64,
            "epochs" => arguments.epochs = number()?,
            "copies" => arguments.copies = number()?,
            "bias" => arguments.bias.push(i16::try_from(number()?).unwrap_or(i16::MAX)),
            "out" => arguments.out = word,
            "train" => arguments.train.push(word),
            "once" => arguments.once.push(word),
            "test" => arguments.test.push(word),
            _ => return Err(format!("unknown option --{option}")),
        }
    }
    Ok(arguments)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut random = Random::new(arguments.seed);
    let runs = training_runs(arguments, &mut random)?;
    let tests = arguments.test.iter().map(|path| examples::read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut order: Vec<u32> = (0..u32::try_from(runs.len()).map_err(|error| error.to_string())?).collect();
    let mut perceptron = Perceptron::new();
    for epoch in 1..=arguments.epochs {
        random.shuffle(&mut order);
        let wrong = order.iter().filter(|at| perceptron.learn(&runs[**at as usize], &mut random)).count();
        println!("epoch {epoch}: {wrong} of {} runs corrected", runs.len());
    }
    let weights = perceptron.into_bytes(&arguments.bias);
    for (path, examples) in arguments.test.iter().zip(&tests) {
        examples::report(path, examples, &weights, arguments.show);
    }
    if !arguments.out.is_empty() {
        std::fs::write(&arguments.out, weights.to_bytes()).map_err(|error| format!("{}: {error}", arguments.out))?;
    }
    Ok(())
}

fn training_runs(arguments: &Arguments, random: &mut Random) -> Result<Vec<LabelledRun>, String> {
    let mut runs = Vec::new();
    let (mut values, mut missed) = (0, 0);
    let sources = [(&arguments.train, arguments.copies), (&arguments.once, 1)];
    for (path, copies) in sources.into_iter().flat_map(|(paths, copies)| paths.iter().map(move |path| (path, copies))) {
        let examples = examples::read(path)?;
        let names = NameMaker::new(&examples);
        for example in examples {
            for copy in 0..copies {
                let varied = augment::vary(&example, copy, &names, random);
                let (more, lost) = varied.runs(random);
                values += varied.values.len();
                missed += lost;
                runs.extend(more);
            }
        }
    }
    println!("{} runs with {values} values, of which the candidates miss {missed}", runs.len());
    Ok(runs)
}

impl Example {
    fn runs(&self, random: &mut Random) -> (Vec<LabelledRun>, usize) {
        let withheld = augment::Withheld::new(self, random);
        self.labelled(&|value, token| withheld.get(value, token))
    }
}
