//! What programs that have ended cost: the system keeps the sum for whoever started them.

use std::time::Duration;

/// The length of a tick in what Linux reports.
const TICK: Duration = Duration::from_millis(10);

/// The processor time of every child that has ended so far.
pub(super) fn of_children() -> Result<Duration, String> {
    let text = std::fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    ticks(&text).map(|ticks| TICK * ticks).ok_or_else(|| "/proc/self/stat is not as it should be".to_owned())
}

/// User and system time of children: fields 16 and 17, counted from 1.
fn ticks(stat: &str) -> Option<u32> {
    // The second field is the program's name in brackets, and may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_counted() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 100 200 0 0 3 4 55 66 20 0 1 0 9 0 0";
        assert_eq!(ticks(stat), Some(121));
        assert!(of_children().is_ok());
    }
}
