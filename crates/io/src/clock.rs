//! Current time, and its formats for file names, users and programs.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Returns nanoseconds since 1970, the unit of file times.
pub fn precisely() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// The maximum lag of the time of a file that was just written, in nanoseconds: the kernel's clock for files ticks at
/// least a hundred times a second.
const TICK: i64 = 20_000_000;

/// The lag on file systems with whole seconds; the coarsest resolution is two seconds.
const COARSE_TICK: i64 = 2_000_000_000;

/// Returns true if a file with the time `shown` may have been written at or after `moment`, both in nanoseconds since
/// 1970.
pub fn may_be_since(moment: i64, shown: i64) -> bool {
    let tick = if shown % 1_000_000_000 == 0 { COARSE_TICK } else { TICK };
    shown >= moment.saturating_sub(tick)
}

/// Waits until a file with the time `shown` is distinguishable from one that is written from now on, for at most
/// `patience`. Returns the rest of `patience`. Does not wait for a time in the future.
pub fn wait_for_next_tick(shown: i64, patience: Duration) -> Duration {
    let mut left = patience;
    loop {
        let now = precisely();
        if shown > now || !may_be_since(now, shown) {
            return left;
        }
        let tick = if shown % 1_000_000_000 == 0 { COARSE_TICK } else { TICK };
        let wait = Duration::from_nanos(u64::try_from(shown.saturating_add(tick) - now).unwrap_or_default() + 1);
        let Some(rest) = left.checked_sub(wait) else { return left };
        std::thread::sleep(wait);
        left = rest;
    }
}

/// Formats as `YYYYMMDD-HHMMSS` in UTC, so that names sort by time regardless of the time zone.
pub fn stamp(seconds: u64) -> String {
    let (year, month, day) = date(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", second / 3_600, second / 60 % 60, second % 60)
}

/// Formats as `YYYY-MM-DD HH:MM:SS` in UTC.
pub fn text(seconds: u64) -> String {
    let (year, month, day) = date(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60)
}

/// Formats as `YYYY-MM-DDTHH:MM:SSZ`.
pub fn timestamp(seconds: u64) -> String {
    let (year, month, day) = date(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// Returns the Gregorian date of a day counted from 1970-01-01. Years are taken to begin in March, so that the leap day
/// is the last day of one.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_shows_the_last_tick_of_its_clock() {
        const MS: i64 = 1_000_000;
        let moment = 10_100 * MS + 1;
        for (shown, expected) in [
            (moment, true),
            (moment - 5 * MS, true),
            (moment - 90 * MS, false),
            // Some file systems have a resolution of one or two seconds.
            (10_000 * MS, true),
            (9_000 * MS, true),
            (8_000 * MS, false),
        ] {
            assert_eq!(may_be_since(moment, shown), expected, "{shown}");
        }
    }

    #[test]
    fn timestamps_are_utc() {
        assert_eq!(timestamp(1_709_251_199), "2024-02-29T23:59:59Z");
    }

    #[test]
    fn stamps_are_utc() {
        for (seconds, expected) in [
            (0, "19700101-000000"),
            (951_782_400, "20000229-000000"),
            (1_709_251_199, "20240229-235959"),
            (1_709_251_200, "20240301-000000"),
            (4_102_444_799, "20991231-235959"),
        ] {
            assert_eq!(stamp(seconds), expected);
        }
        assert_eq!(text(1_709_251_199), "2024-02-29 23:59:59");
    }

    #[test]
    fn no_number_is_too_large() {
        assert!(!text(u64::MAX).is_empty());
    }
}
