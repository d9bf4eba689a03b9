//! The agent's own shell: a model that answers for the person.

use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::world::World;

/// Where the shell tool leaves what it was answered.
const ANSWERS: &str = "answers.txt";

/// What a model might run: with the variables of its shell, and without any.
const SCRIPT: &str = r#"env | sort > "$HOME/shell-environment.txt"
process=$$
while [ "$process" -gt 1 ]; do
  tr '\0' ' ' < "/proc/$process/cmdline"
  echo
  process=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$process/status")
done > "$HOME/shell-ancestors.txt"
for command in "trust --yes" "init --yes" "on widget --yes" "off --all --yes" "uninstall --yes"; do
  symposium $command
  echo "exit code $? of $command"
  env -i HOME="$HOME" PATH="$PATH" symposium $command
  echo "exit code $? of $command without variables"
done > "$HOME/answers.txt" 2>&1
"#;

/// Everything that is a person's to decide is refused, and nothing changes.
pub(super) fn refused(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    world.put("project/ask.sh", SCRIPT)?;
    let before = world.text("project/.symposium/config.toml");
    let run = world.run("Set everything up", &[Act::Shell("sh ask.sh")])?;
    run.first()?;
    let answers = world.text(ANSWERS);
    let codes: Vec<&str> = answers.lines().filter(|line| line.starts_with("exit code")).collect();
    ensure(codes.len() == 10, || format!("the shell says `{answers:.600}`"))?;
    let allowed: Vec<&&str> = codes.iter().filter(|line| !line.starts_with("exit code 2 ")).collect();
    ensure(allowed.is_empty(), || format!("these were carried out: {allowed:?}"))?;
    let sentences = answers.matches("terminal").count();
    ensure(sentences >= 10, || format!("where to run it is said {sentences} times: `{answers:.600}`"))?;
    let after = world.text("project/.symposium/config.toml");
    ensure(before == after, || "the project's configuration changed".to_owned())?;
    Ok(Verdict::Works)
}
