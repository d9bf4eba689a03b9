//! Chores of this repository: `cargo xtask <chore>`.

mod api_check;
mod e2e;
mod frozen;
mod fuzz;
mod guidance_check;
mod perf;
mod print;
mod skills;
mod soak;
mod tidy;
mod upgrades;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <chore>

  tidy               check the rules of the architecture; --write-words shortens `xtask/words.txt`, and with --accept
                     lists every name that breaks a rule today
  frozen [--write]   say whether any recorded output changed: expect!, golden files, schemas
  skills [--check]   test the recommendations with `symposium skill test`, or only compare with the last time
  upgrades [NAME…]   compile the programs that the upgrade guides are about, with the old and the new version
  e2e [OPTIONS]      run the real agents against a scripted model; `cargo xtask e2e --help` says more
  perf [OPTIONS]     measure what everything costs, and compare with budgets and with the last time
  fuzz [OPTIONS]     feed every parser and editor with made-up input; `cargo xtask fuzz --help` says more
  api-check [CRATE@VERSION…]
                     compare the indexes of crates with rustdoc; --quick takes a few that this repository locks,
                     --kinds tells kinds apart, --misses N shows what differs, --scratch DIR says where
  guidance-check PROGRAM REPOSITORY…
                     compare the crates that files name with those that an agent is told about
  soak [--events N]  a long session in short: nothing may grow";

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    match args.next().as_deref() {
        Some("tidy") => tidy::run(&args.collect::<Vec<_>>()),
        Some("frozen") => frozen::run(&args.collect::<Vec<_>>()),
        Some("perf") => perf::run(&args.collect::<Vec<_>>()),
        Some("soak") => soak::run(&args.collect::<Vec<_>>()),
        Some("fuzz") => fuzz::run(&args.collect::<Vec<_>>()),
        Some("api-check") => api_check::run(&args.collect::<Vec<_>>()),
        Some("guidance-check") => guidance_check::run(&args.collect::<Vec<_>>()),
        Some("e2e") => e2e::run(&args.collect::<Vec<_>>()),
        Some("skills") => skills::run(&args.collect::<Vec<_>>()),
        Some("upgrades") => upgrades::run(&args.collect::<Vec<_>>()),
        Some("help" | "--help" | "-h") => {
            print::data(USAGE);
            ExitCode::SUCCESS
        }
        Some(_) | None => {
            print::talk(USAGE);
            ExitCode::from(2)
        }
    }
}
