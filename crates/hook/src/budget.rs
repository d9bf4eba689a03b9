//! The time budget of one event, and its distribution among the handlers.

use std::time::{Duration, Instant};

use symposium_model::hook::hook_plan::{Handler, HandlerAction};

/// The time for all handlers of one event together, unless one of them asks for more.
const SHARED: Duration = Duration::from_millis(8_500);
/// The longest timeout a handler can ask for: agents are told 60 s, and Symposium's own answer needs part of that.
const MOST: Duration = Duration::from_secs(50);
/// The minimum for the handlers, however long it took to read the event.
const LEAST: Duration = Duration::from_secs(2);
const RESERVED: Duration = Duration::from_millis(250);
/// The time reserved for the user's policies, however many other handlers there are.
const FOR_GUARDS: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy)]
pub(crate) struct EventBudget {
    deadline: Instant,
    /// The upper bound of `deadline` when it is extended.
    latest: Instant,
    for_guards: Duration,
}

impl EventBudget {
    /// Starts the budget at `start`, with the longest timeout that a handler asks for.
    pub(crate) fn new(start: Instant, handlers: &[&Handler]) -> Self {
        let asked = handlers.iter().filter_map(|handler| handler.timeout).map(Duration::from_secs).max();
        let deadline = start + asked.map_or(SHARED, |asked| asked.clamp(SHARED, MOST));
        let now = Instant::now();
        let deadline = deadline.max(now + LEAST);
        let for_guards = FOR_GUARDS.min(deadline.saturating_duration_since(now) / 2);
        Self { deadline, latest: deadline.max(start + MOST), for_guards }
    }

    /// Extends the deadline by time that Symposium itself used, for example to prepare an input: no handler is charged
    /// for it.
    pub(crate) fn give_back(&mut self, taken: Duration) {
        self.deadline = (self.deadline + taken).min(self.latest);
    }

    pub(crate) fn until(&self, handler: &Handler, behind: &[&Handler]) -> Instant {
        let now = Instant::now();
        let left = self.deadline.saturating_duration_since(now);
        let share = share(left, self.for_guards, handler.guard, &WaitingHandlers::count(behind));
        let own = handler.timeout.map_or(share, |seconds| share.min(Duration::from_secs(seconds)));
        now + own
    }
}

struct WaitingHandlers {
    all: u32,
    guards: u32,
}

impl WaitingHandlers {
    fn count(behind: &[&Handler]) -> Self {
        // Builtin handlers run in this process and have their own limits.
        let is_waiting =
            |handler: &&&Handler| matches!(handler.run, HandlerAction::Direct { .. } | HandlerAction::Shell { .. });
        let waiting = || behind.iter().filter(is_waiting);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX - 1);
        Self { all: number(waiting().count()), guards: number(waiting().filter(|handler| handler.guard).count()) }
    }
}

/// Returns the share of the remaining time that one handler may use: at most half, and never the time reserved for
/// those that wait, so that no number of hanging handlers keeps another one from running. Only the user's policies
/// share the time reserved for them.
fn share(left: Duration, for_guards: Duration, is_guard: bool, waiting: &WaitingHandlers) -> Duration {
    let common = if waiting.guards > 0 && !is_guard { left.saturating_sub(for_guards) } else { left };
    let usual = fair(common, waiting.all);
    if is_guard { usual.max(fair(left.min(for_guards), waiting.guards)) } else { usual }
}

fn fair(left: Duration, waiting: u32) -> Duration {
    if waiting == 0 {
        return left;
    }
    let generous = (left / 2).min(left.saturating_sub(RESERVED.saturating_mul(waiting)));
    generous.max(left / (waiting + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(all: u32, guards: u32) -> WaitingHandlers {
        WaitingHandlers { all, guards }
    }

    #[test]
    fn no_number_of_hanging_handlers_leaves_the_last_one_without_time() {
        for handlers in 1..40_u32 {
            let mut left = SHARED;
            for behind in (1..handlers).rev() {
                let used = share(left, FOR_GUARDS, false, &waiting(behind, 0));
                assert!(used <= left / 2 || handlers > 2, "{handlers} {behind}");
                left -= used;
            }
            assert!(left >= Duration::from_millis(200), "{handlers} handlers leave {left:?} for the last");
        }
        assert_eq!(share(Duration::from_secs(8), FOR_GUARDS, false, &waiting(0, 0)), Duration::from_secs(8));
        assert_eq!(share(Duration::from_secs(8), FOR_GUARDS, false, &waiting(1, 0)), Duration::from_secs(4));
    }

    #[test]
    fn no_number_of_others_leaves_a_policy_of_the_user_without_time() {
        for others in [0, 1, 10, 100, 10_000] {
            let first = share(SHARED, FOR_GUARDS, true, &waiting(others, 0));
            assert!(first >= FOR_GUARDS, "{others} behind it leave {first:?}");
            let mut left = SHARED;
            for behind in (1..=others).rev() {
                left -= share(left, FOR_GUARDS, false, &waiting(behind, 1));
            }
            let last = share(left, FOR_GUARDS, true, &waiting(0, 0));
            assert!(last >= FOR_GUARDS, "{others} before it leave {last:?}");
        }
    }

    #[test]
    fn whoever_comes_when_the_time_is_over_has_none() {
        let handler = Handler::new("p", "h", HandlerAction::Shell { line: String::new(), args: Vec::new() });
        for guard in [false, true] {
            let handler = Handler { guard, ..handler.clone() };
            let over = Instant::now();
            let budget = EventBudget { deadline: over, latest: over, for_guards: FOR_GUARDS };
            assert!(budget.until(&handler, &[]) <= Instant::now(), "guard {guard}");
            assert!(budget.until(&handler, &[&handler]) <= Instant::now(), "guard {guard}");
        }
    }

    #[test]
    fn time_that_is_not_theirs_is_given_back_within_bounds() {
        let start = Instant::now();
        let mut budget = EventBudget::new(start, &[]);
        assert_eq!(budget.deadline, start + SHARED);
        budget.give_back(Duration::from_secs(3));
        assert_eq!(budget.deadline, start + SHARED + Duration::from_secs(3));
        budget.give_back(Duration::from_hours(1));
        assert_eq!(budget.deadline, start + MOST);
    }
}
