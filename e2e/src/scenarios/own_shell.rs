//! The agent's own shell: a model that answers for the person.

use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::world::World;

/// What the shell tool was answered.
const ANSWERS: &str = "answers.txt";

/// What a model might run: with the variables of its shell, without any, and apart from the processes above.
const SCRIPT: &str = r#"PATH="$HOME/.local/bin:$PATH"
env | sort > "$HOME/shell-environment.txt"
for command in "trust --yes" "init --yes" "on widget --yes" "off --all --yes" "uninstall --yes"; do
  symposium $command
  echo "exit code $? of $command"
  env -i HOME="$HOME" PATH="$PATH" symposium $command
  echo "exit code $? of $command without variables"
done > "$HOME/answers.txt" 2>&1
sh -c '(sleep 1; symposium trust --yes; echo "exit code $? of trust apart") > "$HOME/apart.txt" 2>&1 &'
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if grep -q "exit code" "$HOME/apart.txt"; then break; fi
  sleep 1
done
cat "$HOME/apart.txt" >> "$HOME/answers.txt"
"#;

const ASKED: usize = 11;

/// Everything that is a person's to decide is refused, and nothing changes.
pub(super) fn refused(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    world.put("project/ask.sh", SCRIPT)?;
    let before = world.text("project/.symposium/config.toml");
    let run = world.run("Set everything up", &[Act::Shell("sh ask.sh")])?;
    run.first()?;
    let answers = world.text(ANSWERS);
    let codes: Vec<&str> = answers.lines().filter(|line| line.starts_with("exit code")).collect();
    ensure(codes.len() == ASKED, || format!("the shell says `{answers:.600}`"))?;
    let other: Vec<&&str> = codes.iter().filter(|line| !line.starts_with("exit code 2 ")).collect();
    ensure(other.is_empty(), || format!("these were not refused: {other:?}"))?;
    let told = answers.matches("in their own terminal").count();
    ensure(told == ASKED, || format!("where to run it is said {told} times: `{answers:.600}`"))?;
    let after = world.text("project/.symposium/config.toml");
    ensure(before == after, || "the project's configuration changed".to_owned())?;
    Ok(Verdict::Works)
}
