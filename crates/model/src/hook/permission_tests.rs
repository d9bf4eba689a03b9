use super::*;

fn rule(pattern: &str) -> Vec<CommandRule> {
    CommandRule::parse(AgentId::Claude, pattern, pattern).into_iter().collect()
}

#[test]
fn a_rule_concerns_what_it_names_in_any_part_of_a_command() {
    for (pattern, concerned, not) in [
        (
            "git push:*",
            &[
                "git push",
                "git push --force",
                "cd x && git push",
                "git add . ; git  push origin",
                "FOO=1 git push",
                "timeout 5 git push",
                "(git push)",
                "echo $(git push)",
                "echo `git push`",
                "sh -c 'git push'",
                "\"git\" 'push'",
                "g\\it push",
                "git -C x push",
                "/usr/bin/git push",
                "true | git push",
                "true&&git push",
            ][..],
            &["git status", "push git", "gitpush", "cargo test"][..],
        ),
        ("git push", &["git push", "git push --force"], &["git pull"]),
        ("git push *", &["git push", "git push x"], &["git stash"]),
        ("npm run test *", &["npm run test", "npm run test:unit -- npm run test"], &["npm run build"]),
        ("npm run test:*", &["npm run test", "npm run test:unit"], &["npm run build"]),
        ("ls:*", &["ls", "ls -l"], &["false", "make tools"]),
        ("a*b", &["axb", "ax yb"], &["bxa"]),
        ("git pu*", &["git push", "git pull"], &["git status"]),
        ("*--force*", &["git push --force-with-lease"], &["git push"]),
        ("* install", &["npm install", "cargo install x"], &["npm test"]),
        ("cargo", &["cargo test", "/opt/cargo build"], &["cargo-watch"]),
        ("/usr/bin/git push", &["git push"], &["git status"]),
        ("git -C * push", &["git -C x push"], &["git push"]),
        ("mv ?.txt", &["mv a.txt"], &["mv a.rs"]),
    ] {
        for command in concerned {
            assert!(rule_about(&rule(pattern), Some(AgentId::Claude), command).is_some(), "`{pattern}` on `{command}`");
        }
        for command in not {
            assert_eq!(rule_about(&rule(pattern), Some(AgentId::Claude), command), None, "`{pattern}` on `{command}`");
        }
    }
}

#[test]
fn rules_about_everything_are_no_rules_and_unknown_ones_are_about_everything() {
    for pattern in ["", "*", ":*", "**", " "] {
        assert!(rule(pattern).is_empty(), "`{pattern}`");
    }
    let unknown = [CommandRule::unknown(AgentId::Gemini, "commandRegex")];
    assert!(rule_about(&unknown, Some(AgentId::Gemini), "ls").is_some());
    assert!(rule_about(&unknown, None, "ls").is_some(), "whoever it is");
    assert_eq!(rule_about(&unknown, Some(AgentId::Claude), "ls"), None, "another agent's");
}

#[test]
fn a_rewrite_gets_past_rules_about_the_command_and_rules_about_the_wrapper() {
    for (pattern, original, rewritten, passes) in [
        ("git push:*", "git push", "rtk git push", true),
        ("git status", "git status", "rtk git status", true),
        ("git push:*", "cargo test", "rtk cargo test", false),
        // It was written for whatever the wrapper runs, so it would let everything through.
        ("rtk:*", "cargo publish", "rtk cargo publish", true),
        ("rtk *", "ls && cargo publish", "rtk ls && rtk cargo publish", true),
        ("cargo test:*", "cargo test", "cargo test --quiet", false),
        ("cargo test:*", "cargo test", "cargo testing", true),
        // It names the command too.
        ("rtk cargo test:*", "cargo test", "rtk cargo test", false),
    ] {
        let rules = rule(pattern);
        let passed = rule_passed_by(&rules, Some(AgentId::Claude), original, rewritten);
        assert_eq!(passed.is_some(), passes, "`{pattern}`: `{original}` to `{rewritten}`");
    }
}
