//! `symposium hook`, as far as it goes: it never stands in an agent's way.

use crate::with_fixture;

#[test]
fn every_call_is_answered_with_nothing_to_say_and_exit_0() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    for (agent, event, payload) in [
        ("claude", "pre-tool-use", "{\"tool_name\": \"Bash\"}"),
        ("copilot", "preToolUse", ""),
        ("nobody", "never", "not json"),
    ] {
        let output = context.invoke_hook(agent, event, payload);
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""), "{agent} {event}");
    }
    let output = context.invoke_hook("symposium", "pre-tool-use", "{\"PreToolUse\": {}}");
    assert_eq!((output.code, output.stdout.as_str()), (0, "{\"PreToolUse\":{}}\n"));
}
