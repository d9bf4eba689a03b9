//! Current time for the hot path.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns the clock")]

use std::time::{Duration, SystemTime};

/// Returns milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or_default()
}

pub(crate) fn is_older(time: SystemTime, age: Duration) -> bool {
    SystemTime::now().duration_since(time).is_ok_and(|passed| passed > age)
}
