//! Runs a target over its seeds and over mutations of them, and reports the input that broke it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::corpus::seeds;
use crate::mutate::mutate;
use crate::random::Random;
use crate::targets::Target;

/// No input of at most 64 KiB may take longer, also without optimisation.
const SLOW: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy)]
pub enum Budget {
    Executions(u64),
    Time(Duration),
}

#[derive(Debug)]
pub struct Driven {
    pub executions: u64,
    pub broken: Option<Vec<u8>>,
}

/// Runs a target until the budget is used up or an input breaks it. The same seed tries the same inputs.
pub fn drive(target: &Target, seed: u64, budget: Budget) -> Driven {
    let started = Instant::now();
    let seeds: Vec<Vec<u8>> = seeds(target).into_iter().map(|(_, bytes)| bytes).collect();
    let mut random = Random::new(seed);
    let mut executions = 0;
    let within = |mutations: u64| match budget {
        Budget::Executions(wanted) => mutations < wanted,
        Budget::Time(time) => started.elapsed() < time,
    };
    for bytes in &seeds {
        executions += 1;
        if breaks(target, bytes) {
            return Driven { executions, broken: Some(bytes.clone()) };
        }
    }
    let mut mutations = 0;
    while within(mutations) {
        mutations += 1;
        executions += 1;
        let start = random.pick(&seeds).cloned().unwrap_or_default();
        let bytes = mutate(&mut random, &start, &seeds, target.words);
        if breaks(target, &bytes) {
            return Driven { executions, broken: Some(bytes) };
        }
    }
    Driven { executions, broken: None }
}

fn breaks(target: &Target, bytes: &[u8]) -> bool {
    let started = Instant::now();
    let ended = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).is_ok();
    !ended || started.elapsed() > SLOW
}
