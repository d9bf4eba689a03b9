//! Events of one agent alone: are their handlers called with what the agent says, and does their answer count?
//!
//! What an agent has no event for is absent when `plugin validate` refuses a handler that names one.

use serde_json::{Value, json};

use super::hooks::{Handler, LOG, SHELL, SHELL_FILE, put_plugin};
use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Existing, Scope};
use crate::model::{Shown, ToolCall, Turn};
use crate::recorded;
use crate::world::{Run, World};

/// The events of each agent's own that a run without a person raises, and those of its names for what others have too
/// that no other scenario is about.
const OWN: &[(&str, &[&str])] = &[
    ("claude", &["SubagentStart", "SubagentStop", "Stop", "SessionEnd"]),
    ("copilot", &["userPromptTransformed", "preMcpToolCall", "agentStop", "sessionEnd"]),
    (
        "gemini",
        &[
            "SessionStart",
            "BeforeAgent",
            "PreCompress",
            "BeforeModel",
            "BeforeToolSelection",
            "AfterModel",
            "BeforeTool",
            "AfterTool",
            "AfterAgent",
            "SessionEnd",
        ],
    ),
    ("codex", &["Stop", "SessionEnd"]),
    (
        "opencode",
        &[
            "session.created",
            "chat.message",
            "chat.params",
            "experimental.chat.system.transform",
            "shell.env",
            "experimental.text.complete",
            "session.idle",
        ],
    ),
    ("kilo", &["session.created", "chat.message", "shell.env", "experimental.text.complete", "session.idle"]),
    ("cline", &["afterRun"]),
    ("pi", &["input", "agent_start", "tool_execution_start", "agent_settled", "session_shutdown"]),
    ("qwen", &["Notification", "PostToolBatch", "MessageDisplay", "Stop"]),
    ("goose", &["BeforeShellExecution", "PreToolUseResult", "AfterShellExecution", "Stop", "SessionEnd"]),
];

fn handler(world: &World, event: &str, script: &str) -> Handler {
    Handler { event: format!("{}:{event}", world.agent.name), matcher: "", script: script.to_owned() }
}

/// Every handler is called, with all that the agent was once seen to say.
pub(super) fn own_events(world: &World) -> Outcome<Verdict> {
    let known = OWN.iter().find(|(agent, _)| *agent == world.agent.name).map_or(&[][..], |(_, events)| events);
    ensure(!known.is_empty(), || "`OWN` has no event of this agent".to_owned())?;
    let is_gemini = world.agent.name == "gemini";
    let extra = if is_gemini { &["Notification"][..] } else { &[] };
    let handlers: Vec<Handler> = known.iter().chain(extra).map(|event| handler(world, event, "")).collect();
    put_plugin(world, "", &handlers)?;
    if is_gemini {
        put_asking_hook(world)?;
    }
    world.set_up(Scope::User)?;
    let mut script = vec![Turn::Call((world.agent.call)(&Act::Mcp { server: "symposium", tool: "list" }))];
    script.push(Turn::Call((world.agent.call)(&SHELL)));
    if world.agent.name == "claude" {
        let arguments = json!({"description": "Look", "prompt": "Look around", "subagent_type": "general-purpose"});
        script = vec![Turn::Call(ToolCall { tool: "Agent".to_owned(), arguments, namespace: None })];
    }
    world.run_script("project", "Run something", script)?.first()?;
    known.iter().try_for_each(|event| ensure_called_with_all(world, event))?;
    if is_gemini {
        // It tells nobody that it waits for a person unless some hook wants one; then it gives up.
        world.put("ask", "")?;
        world.run("Run something", &[SHELL])?.first()?;
        ensure_called_with_all(world, "Notification")?;
    }
    Ok(Verdict::Works)
}

/// A hook of the person's own that wants them asked once there is a file `ask`. Our MCP server is left out: with one
/// connected, Gemini CLI waits for ever for somebody to answer.
fn put_asking_hook(world: &World) -> Outcome<()> {
    let hook =
        format!("if [ -e '{}' ]; then echo '{{\"decision\": \"ask\"}}'; else echo '{{}}'; fi", world.path("ask"));
    let existing = Existing { hook: &hook, server: &world.path(".local/bin/probe") };
    for (path, text) in (world.agent.existing)(Scope::User, &existing) {
        let mut settings: Value = serde_json::from_str(&text).map_err(|error| format!("`{path}`: {error}"))?;
        if let Some(settings) = settings.as_object_mut() {
            settings.remove("mcpServers");
            settings.insert("mcp".to_owned(), json!({"excluded": ["symposium"]}));
        }
        world.put(&path, &format!("{settings:#}\n"))?;
    }
    Ok(())
}

fn ensure_called_with_all(world: &World, event: &str) -> Outcome<()> {
    let agent = world.agent.name;
    let name = format!("{agent}:{event}");
    ensure(world.text(LOG).lines().any(|line| line == name), || format!("the handler of {name} was not called"))?;
    let text = world.text(&format!("last-{name}.json"));
    let told = serde_json::from_str(&text).map_err(|error| format!("{name} tells `{text:.300}`: {error}"))?;
    let missing = recorded::missing(agent, event, &told)?;
    ensure(missing.is_empty(), || format!("{name} does not tell {}, as it once did", missing.join(", ")))
}

/// An answer in the agent's own words takes effect: another turn, or what it has instead.
pub(super) fn own_answer(world: &World) -> Outcome<Verdict> {
    let reason = "Ask Quillfeather first";
    let event = match world.agent.name {
        "opencode" | "kilo" => return environment(world),
        "pi" => return transformed(world),
        "cline" => return unanswered(world),
        "claude" => "SubagentStop",
        "copilot" => "agentStop",
        "gemini" => "AfterAgent",
        _ => "Stop",
    };
    let word = if world.agent.name == "gemini" { "deny" } else { "block" };
    let answer = format!("{{\"decision\": \"{word}\", \"reason\": \"{reason}\"}}");
    put_plugin(world, "", &[handler(world, event, &once(&answer))])?;
    world.set_up(Scope::User)?;
    let script = if world.agent.name == "claude" {
        let arguments = json!({"description": "Look", "prompt": "Look around", "subagent_type": "general-purpose"});
        vec![Turn::Call(ToolCall { tool: "Agent".to_owned(), arguments, namespace: None })]
    } else {
        Vec::new()
    };
    let run = world.run_script("project", "What can you do?", script)?;
    let first = run.first()?;
    ensure(!first.text.contains(reason), || "the reason is in the first request already".to_owned())?;
    let later = run.shown.iter().skip(1).any(|shown| shown.text.contains(reason));
    ensure(later, || format!("the reason is in none of {} requests", run.shown.len()))?;
    Ok(Verdict::Works)
}

/// A script that prints this answer the first time, and nothing afterwards.
fn once(answer: &str) -> String {
    format!("[ -e \"$HOME/said\" ] && exit 0\ntouch \"$HOME/said\"\nprintf '%s' '{answer}'\n")
}

/// OpenCode has no event in which a turn could be refused its end; what a handler puts into the environment of commands
/// is there.
fn environment(world: &World) -> Outcome<Verdict> {
    put_plugin(world, "", &[handler(world, "shell.env", &always(&json!({"output": {"env": {"WORD": "bergamot"}}})))])?;
    world.set_up(Scope::User)?;
    let run = world.run("Run something", &[Act::Shell("echo \"The word is $WORD\" > shell-ran.txt")])?;
    run.first()?;
    let text = world.text(SHELL_FILE);
    ensure(text.contains("The word is bergamot"), || format!("the command saw `{text}`"))?;
    Ok(Verdict::Works)
}

/// Pi lets a handler change the prompt.
fn transformed(world: &World) -> Outcome<Verdict> {
    let answer = json!({"action": "transform", "text": "Which month is best for medlars?"});
    put_plugin(world, "", &[handler(world, "input", &always(&answer))])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    ensure(run.first()?.text.contains("Which month is best for medlars?"), || "the prompt is not changed".to_owned())?;
    ensure(!run.first()?.text.contains("What can you do?"), || "the prompt is as it was".to_owned())?;
    Ok(Verdict::Works)
}

/// Cline tells of the end of a run, and does not listen.
fn unanswered(world: &World) -> Outcome<Verdict> {
    put_plugin(world, "", &[handler(world, "afterRun", &always(&json!({"appendContext": "Ask Quillfeather first"})))])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    ensure(run.first()?.count("Quillfeather") == 0 && run.shown.len() == 1, || "the answer counts".to_owned())?;
    ensure(world.text(LOG).contains("cline:afterRun"), || "the handler was not called".to_owned())?;
    Ok(Verdict::Absent("the handler is called, and its answer is in no request".to_owned()))
}

/// A script that prints this answer.
fn always(answer: &Value) -> String {
    format!("printf '%s' '{answer}'\n")
}

/// What Gemini CLI is told about one event.
fn own_output(event: &str, key: &str, value: &Value) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": event, key: value}})
}

/// The request has the temperature a handler wants.
pub(super) fn temperature(world: &World) -> Outcome<Verdict> {
    let (event, answer, place) = match world.agent.name {
        "gemini" => {
            let config = json!({"config": {"temperature": 0.25, "topP": 0.95, "topK": 64}});
            ("BeforeModel", own_output("BeforeModel", "llm_request", &config), "/generationConfig/temperature")
        }
        "opencode" | "kilo" => ("chat.params", json!({"output": {"temperature": 0.25}}), "/temperature"),
        _ => return refused(world, "BeforeModel"),
    };
    put_plugin(world, "", &[handler(world, event, &always(&answer))])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    let seen = run.first()?.request.pointer(place);
    ensure(seen == Some(&json!(0.25)), || format!("the request has the temperature {seen:?}"))?;
    Ok(Verdict::Works)
}

/// The person reads a handler's answer, and the model is never asked.
pub(super) fn synthetic_answer(world: &World) -> Outcome<Verdict> {
    let said = "Medlars are best in November.";
    let (event, answer) = match world.agent.name {
        "gemini" => {
            let mut answer = own_output("BeforeModel", "llm_response", &response(said));
            if let Some(answer) = answer.as_object_mut() {
                // It passes over a response that is not also a refusal.
                answer.extend([("decision".to_owned(), json!("deny")), ("reason".to_owned(), json!("Known"))]);
            }
            ("BeforeModel", answer)
        }
        "copilot" => ("userPromptSubmitted", json!({"handled": true, "responseContent": said})),
        _ => return refused(world, "BeforeModel"),
    };
    put_plugin(world, "", &[handler(world, event, &always(&answer))])?;
    world.set_up(Scope::User)?;
    let Run { shown, ended } = world.run("When are medlars best?", &[])?;
    ensure(shown.is_empty(), || "the model was asked all the same".to_owned())?;
    ensure(ended.stdout.contains(said), || format!("the person reads `{:.300}`", ended.stdout))?;
    Ok(Verdict::Works)
}

fn response(text: &str) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": [text]}, "finishReason": "STOP", "index": 0}]})
}

/// What the model said is replaced before the person reads it, and in the request that follows.
pub(super) fn redaction(world: &World) -> Outcome<Verdict> {
    let (last, shown) = match world.agent.name {
        "gemini" => redacted_by_gemini(world)?,
        "opencode" | "kilo" => redacted_by_opencode(world)?,
        _ => return refused(world, "AfterModel"),
    };
    ensure(last.text.contains("Say it again"), || "there was no second turn".to_owned())?;
    ensure(last.text.contains("The word is withheld."), || "the model does not see the change".to_owned())?;
    ensure(!last.text.contains("tayberry"), || "the model still sees what it said".to_owned())?;
    ensure(shown.contains("withheld") && !shown.contains("tayberry"), || format!("the person reads `{shown:.300}`"))?;
    Ok(Verdict::Works)
}

/// The last request, and what the person read.
fn redacted_by_opencode(world: &World) -> Outcome<(Shown, String)> {
    let event = "experimental.text.complete";
    let answer = always(&json!({"output": {"text": "The word is withheld."}}));
    let script = format!("grep -q tayberry \"$HOME/last-{}:{event}.json\" || exit 0\n{answer}", world.agent.name);
    put_plugin(world, "", &[handler(world, event, &script)])?;
    world.set_up(Scope::User)?;
    let said = vec![Turn::Say("The word is tayberry.".to_owned())];
    let shown = world.run_script("project", "What is the word?", said)?.ended.stdout;
    Ok((world.go_on("Say it again")?.last()?.clone(), shown))
}

/// The same. It remembers what the model really said, and would tell it again.
fn redacted_by_gemini(world: &World) -> Outcome<(Shown, String)> {
    let after = format!(
        "grep -q tayberry \"$HOME/last-gemini:AfterModel.json\" || exit 0\n{}",
        always(&own_output("AfterModel", "llm_response", &response("The word is withheld.")))
    );
    // The request is the last of the event.
    let before = r#"sed -e 's/tayberry/withheld/g' \
-e 's/.*"llm_request":/{"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":/' -e 's/$/}/' \
"$HOME/last-gemini:BeforeModel.json""#;
    let again = once("{\"decision\": \"deny\", \"reason\": \"Say it again\"}");
    let scripts = [("AfterModel", after.as_str()), ("BeforeModel", before), ("AfterAgent", &again)];
    put_plugin(world, "", &scripts.map(|(event, script)| handler(world, event, script)))?;
    world.set_up(Scope::User)?;
    let script = ["The word is tayberry.", "Once more: tayberry."].map(|text| Turn::Say(text.to_owned()));
    let run = world.run_script("project", "What is the word?", script.to_vec())?;
    Ok((run.last()?.clone(), run.ended.stdout))
}

/// The request allows only the tools a handler names.
pub(super) fn narrowed_tools(world: &World) -> Outcome<Verdict> {
    match world.agent.name {
        "gemini" => {}
        "opencode" | "kilo" => return withdrawn_tool(world),
        _ => return refused(world, "BeforeToolSelection"),
    }
    let wanted = json!({"mode": "ANY", "allowedFunctionNames": ["read_file"]});
    let answer = own_output("BeforeToolSelection", "toolConfig", &wanted);
    put_plugin(world, "", &[handler(world, "BeforeToolSelection", &always(&answer))])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    let seen = run.first()?.request.pointer("/toolConfig/functionCallingConfig");
    ensure(seen == Some(&wanted), || format!("the request allows {seen:?}"))?;
    Ok(Verdict::Works)
}

/// In OpenCode the prompt tells which tools do not go with it.
fn withdrawn_tool(world: &World) -> Outcome<Verdict> {
    let answer = json!({"output": {"message": {"tools": {"bash": false}}}});
    put_plugin(world, "", &[handler(world, "chat.message", &always(&answer))])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    let tools = &run.first()?.tools;
    let offered = |tool: &str| tools.iter().any(|name| name == tool);
    ensure(offered("read") && !offered("bash"), || format!("the request offers {tools:?}"))?;
    Ok(Verdict::Works)
}

/// The agent has no such event: whoever writes a handler for it is told so.
fn refused(world: &World, event: &str) -> Outcome<Verdict> {
    put_plugin(world, "", &[handler(world, event, "")])?;
    let ended = world.try_symposium("project", &["plugin", "validate", &world.path(".symposium/plugins/watcher")])?;
    let said = format!("{}{}", ended.stdout, ended.stderr);
    ensure(ended.code == Some(1), || format!("`plugin validate` ends with {:?} and says: {said:.600}", ended.code))?;
    ensure(said.contains(event), || format!("`plugin validate` says: {said:.600}"))?;
    Ok(Verdict::Absent(format!("`plugin validate` refuses a handler of `{event}`")))
}
