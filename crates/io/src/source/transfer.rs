//! Byte count of a fetch, for a progress display and for the detection of stalls.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub struct ByteCount(AtomicU64);

impl ByteCount {
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    pub(super) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// The time since which a server has sent nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SilenceTimer {
    bytes: u64,
    since: Instant,
}

impl SilenceTimer {
    pub(super) fn starting(now: Instant) -> Self {
        Self { bytes: 0, since: now }
    }

    /// Restarts when more bytes have arrived.
    pub(super) fn observed(self, bytes: u64, now: Instant) -> Self {
        if bytes > self.bytes { Self { bytes, since: now } } else { self }
    }

    pub(super) fn lasts(self, limit: Duration, now: Instant) -> bool {
        now.saturating_duration_since(self.since) >= limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_is_not_silent() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let limit = Duration::from_secs(15);
        let mut silence = SilenceTimer::starting(start);
        for (seconds, bytes, expected) in
            [(14, 0, false), (15, 1, false), (29, 2, false), (43, 3, false), (57, 3, false), (58, 3, true)]
        {
            silence = silence.observed(bytes, after(seconds));
            assert_eq!(silence.lasts(limit, after(seconds)), expected, "{seconds}");
        }
        assert!(SilenceTimer::starting(start).lasts(limit, after(15)));
    }
}
