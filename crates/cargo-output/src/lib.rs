//! Cargo's output made short, cargo calls found in shell commands, and how they ended.
//!
//! Everything here goes from text to values: no files, no processes, no clock. Whatever is not understood stays as it is.

mod backtrace;
mod captured_output;
mod cargo_call;
mod diagnostic_group;
mod nextest_line;
mod run_verdict;
mod script_token;
mod shell_script;
mod short_text;
mod shorten;
mod status_line;
mod subcommand;
mod summary_line;
mod terminal_codes;
mod test_suite;

pub use cargo_call::{CargoCall, recognise_cargo_call};
pub use run_verdict::{RunOutcome, RunVerdict, TestPresence, judge_run};
pub use shorten::{is_shortened, shorten_bytes, shorten_output};
pub use subcommand::CargoSubcommand;
