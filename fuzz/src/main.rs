//! Drives the targets for a while: `cargo xtask fuzz` calls this where there is no libFuzzer.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a chore, run by people at a terminal")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use symposium_fuzz::{Budget, TARGETS, Target, drive};

fn main() -> ExitCode {
    let mut minutes = 1.0;
    let mut seed = 1;
    let mut chosen: Vec<&Target> = Vec::new();
    let mut args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        let number = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
        match (arg.as_str(), symposium_fuzz::find(&arg)) {
            ("--minutes", _) => minutes = number(args.next()).unwrap_or(minutes),
            ("--seed", _) => seed = args.next().and_then(|text| text.parse().ok()).unwrap_or(seed),
            ("--list", _) => {
                // With the directories of the seeds, for other fuzzing tools.
                for target in TARGETS {
                    println!("{0} fuzz/corpus/{0} {1}", target.name, target.seeds.join(" "));
                }
                return ExitCode::SUCCESS;
            }
            (_, Some(target)) => chosen.push(target),
            (_, None) => {
                println!("`{arg}` is no target; `--list` names them");
                return ExitCode::from(2);
            }
        }
    }
    if chosen.is_empty() {
        chosen = TARGETS.iter().collect();
    }
    println!("seed {seed}, {minutes} minutes for each target");
    let mut code = ExitCode::SUCCESS;
    for target in chosen {
        let started = Instant::now();
        let driven = drive(target, seed, Budget::Time(Duration::from_secs_f64(minutes * 60.0)));
        println!("{:16} {:>10} executions {:>6.1} s", target.name, driven.executions, started.elapsed().as_secs_f64());
        if let Some(input) = driven.broken {
            println!("  broken by {:?}", String::from_utf8_lossy(&input));
            code = ExitCode::FAILURE;
        }
    }
    code
}
