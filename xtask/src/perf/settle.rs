//! Makes sure that everything is as on any other day before the hook is measured.

use std::path::Path;
use std::{thread, time};

use super::cases::Case;
use super::job::Job;

/// Answers every event twice: a plan compiled right after its sources were written is not trusted for long, and from
/// here on everything must be as on any other day. Every answer must be the neutral one.
pub(super) fn settle(jobs: &[Job], program: &Path, cases: &[Case]) -> Result<(), String> {
    for _ in 0..2 {
        thread::sleep(time::Duration::from_millis(50));
        for (job, case) in jobs.iter().zip(cases) {
            let run = job.run(&[program])?;
            let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            if !run.status.success() || out.trim_end() != case.neutral() || !err.is_empty() {
                let title = &job.title;
                return Err(format!("`{title}` is answered with `{out}`, `{err}`, {}, not neutrally", run.status));
            }
        }
    }
    Ok(())
}
