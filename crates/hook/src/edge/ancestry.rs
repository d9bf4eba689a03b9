//! The ancestor processes of this process.
#![cfg_attr(
    target_os = "linux",
    expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns files")
)]

/// Counts the ancestor processes that run the same program, up to `most`; 0 on systems that do not tell.
#[cfg(target_os = "linux")]
pub(crate) fn same_program_above(most: u32) -> u32 {
    const MAX_DEPTH: u32 = 4096;
    let Ok(own) = std::fs::read_link("/proc/self/exe") else { return 0 };
    let mut found = 0;
    let mut process = parent("self");
    for _ in 0..MAX_DEPTH {
        let Some(number) = process.filter(|number| *number > 0 && found < most) else { break };
        let is_same = std::fs::read_link(format!("/proc/{number}/exe")).is_ok_and(|program| program == own);
        found += u32::from(is_same);
        process = parent(&number.to_string());
    }
    found
}

#[cfg(target_os = "linux")]
fn parent(process: &str) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The process name in parentheses may contain any character.
    let (_, rest) = status.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn same_program_above(_most: u32) -> u32 {
    0
}
