//! What a scenario found out about an agent, and whether the table says so.

use crate::Outcome;
use crate::agents::Agent;
use crate::scenarios::{Scenario, Verdict};

/// What came of one scenario with one agent.
pub(crate) struct Finding {
    pub(crate) agent: &'static Agent,
    pub(crate) scenario: &'static Scenario,
    pub(crate) ending: Ending,
}

/// How a scenario ended with an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    AsExpected(Verdict),
    /// Not as the table says, or something went wrong.
    Failed(String),
}

/// Compares what was found with the table.
pub(crate) fn judge(reason_against: Option<&str>, outcome: Outcome<Verdict>) -> Ending {
    match (reason_against, outcome) {
        (_, Err(why)) => Ending::Failed(why),
        (None, Ok(Verdict::Absent(how))) => Ending::Failed(format!("it is absent: {how}")),
        (None, Ok(verdict)) | (Some(_), Ok(verdict @ Verdict::Absent(_))) => Ending::AsExpected(verdict),
        (Some(reason), Ok(Verdict::Works | Verdict::WorksBut(_))) => {
            Ending::Failed(format!("it works, although the table says: {reason}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_compared_with_the_table() {
        let absent = Verdict::Absent("nothing there".to_owned());
        for (reason, outcome, fails) in [
            (None, Ok(Verdict::Works), false),
            (None, Ok(Verdict::WorksBut("twice".to_owned())), false),
            (None, Ok(absent.clone()), true),
            (None, Err("half done".to_owned()), true),
            (Some("it has no hooks"), Ok(absent), false),
            (Some("it has no hooks"), Ok(Verdict::Works), true),
            (Some("it has no hooks"), Err("half done".to_owned()), true),
        ] {
            let judged = judge(reason, outcome.clone());
            assert_eq!(matches!(judged, Ending::Failed(_)), fails, "{reason:?} {outcome:?}");
        }
    }
}
