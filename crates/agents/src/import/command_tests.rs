use super::*;
use crate::spec;
use symposium_model::agent::AgentId;

fn check(agent: AgentId, line: &str, wanted: &str) {
    let known = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];
    let found = rewrite(line, spec(agent).holdings, &known, Some("/plug in"));
    assert_eq!(found.line, wanted, "{line}");
}

#[test]
fn what_a_shell_puts_in_stays_as_it_is() {
    for line in [
        "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/x.sh",
        "\"$CLAUDE_PROJECT_DIR/.claude/hooks/x.sh\" --a",
        "${CLAUDE_PROJECT_DIR}/x.sh",
        "$CLAUDE_PROJECT_DIR/x.sh",
        "'$CLAUDE_PROJECT_DIR'/x.sh",
        "~/.claude/hooks/x.sh",
        "lint --all",
        "cd /x && ./y.sh",
        "jq -r '.tool_input.command' | grep -q rm && exit 2; exit 0",
        "A=b /x/y",
    ] {
        check(AgentId::Claude, line, line);
    }
}

#[test]
fn what_gemini_puts_in_itself_is_quoted() {
    for (line, wanted) in [
        ("$GEMINI_PROJECT_DIR/x.sh", "\"$GEMINI_PROJECT_DIR\"/x.sh"),
        ("\"$GEMINI_PROJECT_DIR/x.sh\"", "\"$GEMINI_PROJECT_DIR/x.sh\""),
        ("\"${GEMINI_PROJECT_DIR}/x.sh\"", "\"${GEMINI_PROJECT_DIR}/x.sh\""),
        ("'$GEMINI_PROJECT_DIR/x.sh'", "''\"$GEMINI_PROJECT_DIR\"'/x.sh'"),
        ("sh $CLAUDE_PROJECT_DIR/x.sh $OTHER", "sh \"$CLAUDE_PROJECT_DIR\"/x.sh $OTHER"),
        ("$GEMINI_CWD/x", "\"$PWD\"/x"),
        ("\\$GEMINI_CWD", "\\$GEMINI_CWD"),
    ] {
        check(AgentId::Gemini, line, wanted);
    }
}

#[test]
fn a_first_word_with_a_slash_is_not_looked_for_in_the_plugin() {
    check(AgentId::Claude, "/opt/x.sh -a", "env /opt/x.sh -a");
    check(AgentId::Claude, "\"/opt/a b\" && y", "env \"/opt/a b\" && y");
    check(AgentId::Claude, ".claude/x.sh", "env .claude/x.sh");
    check(AgentId::Claude, "[[ -f x ]] && exit 2", "bash -c '[[ -f x ]] && exit 2'");
    check(AgentId::Claude, "bash -c '[[ -f x ]]'", "bash -c '[[ -f x ]]'");
}

#[test]
fn what_only_bash_understands_is_handed_to_it() {
    for line in [
        "bash x.sh <<< \"$INPUT\"",
        "set -o pipefail; jq . | tee x",
        "x=$(cat); [ \"${x//a/b}\" = b ]",
        "[ \"$A\" == b ] && exit 2",
        "source .env && lint",
        "make |& tail",
        "a=(1 2); echo ${a[0]}",
        "echo \"${A^^}\"",
    ] {
        check(AgentId::Claude, line, &format!("bash -c {}", quoted(line)));
    }
    // Quoted text is not for the shell to understand.
    for line in
        ["grep -q '[[:space:]]' x", "jq '.a == \"b\"'", "echo \"a == b\"", "curl \"https://${HOST}/x\"", "echo '$(('"]
    {
        check(AgentId::Claude, line, line);
    }
}

#[test]
fn a_plugins_directory_and_foreign_variables_are_named() {
    let found = rewrite("\"$PLUGIN_ROOT/x.sh\"", spec(AgentId::Goose).holdings, &[], Some("/p"));
    assert_eq!(found.line, "env \"/p/x.sh\"");
    assert_eq!(found.changes, ["`$PLUGIN_ROOT` became `/p`"]);
    let found = rewrite("x $GEMINI_PLANS_DIR", spec(AgentId::Gemini).holdings, &[], None);
    assert_eq!(found.foreign, ["GEMINI_PLANS_DIR"]);
    for (agent, line) in [(AgentId::Claude, "x \"$CLAUDE_SESSION_ID\""), (AgentId::Gemini, "x \"$GEMINI_SESSION_ID\"")]
    {
        let found = rewrite(line, spec(agent).holdings, &[], None);
        assert_eq!((found.line.as_str(), found.foreign.len()), (line, 0), "every handler finds it");
    }
}

#[test]
fn programs_and_scripts_are_found() {
    let value_of = |name: &str| (name == "P").then(|| "/p".to_owned());
    let texts = |line: &str| -> Vec<Option<String>> {
        program_words(line, &value_of).into_iter().map(|word| word.text).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts("\"$P\"/x.sh Cargo.toml"), [some("/p/x.sh")]);
    assert_eq!(texts("python3 -u '${P}/x' \"${P}\"/y.py z"), [some("python3"), some("${P}/x")]);
    assert_eq!(texts("A=b env C=d sh -e $P/x.sh | tee y"), [some("env"), some("sh"), some("/p/x.sh"), some("tee")]);
    assert_eq!(texts("sh -c 'a b' c"), [some("sh")]);
    assert_eq!(texts("$(which x)/y"), [None, some("which"), some("/y")]);
}
