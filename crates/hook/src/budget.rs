//! The time that the handlers of one event have, and how they share it.

use std::time::{Duration, Instant};

use symposium_model::hook::hook_plan::{Handler, HandlerAction};

/// What all handlers of one event may take together, unless one asks for more.
const SHARED: Duration = Duration::from_millis(8_500);
/// The most a handler can ask for: agents are told 60 s, and our own answer needs some of them.
const MOST: Duration = Duration::from_secs(50);
/// What handlers have at least, however long it took to read the event.
const LEAST: Duration = Duration::from_secs(2);
/// What is kept back for each handler that waits.
const RESERVED: Duration = Duration::from_millis(250);
/// What is set apart for the policies of the user, however many others there are.
const FOR_GUARDS: Duration = Duration::from_secs(2);

/// Until when the handlers of one event must be done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventBudget {
    deadline: Instant,
    /// The same, however long it takes to put the questions.
    latest: Instant,
    /// What no handler may use but the policies of the user.
    for_guards: Duration,
}

impl EventBudget {
    /// Begins when the call began, with whatever the handlers ask for.
    pub(crate) fn new(start: Instant, handlers: &[&Handler]) -> Self {
        let asked = handlers.iter().filter_map(|handler| handler.timeout).map(Duration::from_secs).max();
        let deadline = start + asked.map_or(SHARED, |asked| asked.clamp(SHARED, MOST));
        let now = Instant::now();
        let deadline = deadline.max(now + LEAST);
        let for_guards = FOR_GUARDS.min(deadline.saturating_duration_since(now) / 2);
        Self { deadline, latest: deadline.max(start + MOST), for_guards }
    }

    /// Gives back time that went into putting a question: that is not the fault of who is asked.
    pub(crate) fn give_back(&mut self, taken: Duration) {
        self.deadline = (self.deadline + taken).min(self.latest);
    }

    /// Until when a handler must be done, with these waiting behind it.
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
    /// Those of them that are policies of the user.
    guards: u32,
}

impl WaitingHandlers {
    fn count(behind: &[&Handler]) -> Self {
        // What runs in this process knows limits of its own.
        let is_waiting =
            |handler: &&&Handler| matches!(handler.run, HandlerAction::Direct { .. } | HandlerAction::Shell { .. });
        let waiting = || behind.iter().filter(is_waiting);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX - 1);
        Self { all: number(waiting().count()), guards: number(waiting().filter(|handler| handler.guard).count()) }
    }
}

/// How much of the time that is left one handler may use: at most half, and never what is kept back for those that wait,
/// so that no number of handlers that hang keeps another from having its say. What is set apart for policies of the user
/// is shared by them alone.
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
