//! VS Code's agent mode. Symposium does not register with it: it runs the hooks in the settings of Claude Code and
//! Copilot, for every tool, since it ignores matchers. Known from its documentation and source.

use serde_json::{Map, Value, json};
use symposium_model::hook::Event;

use crate::dialect::{AgentDialect, DialectOwner, EventAbilities, HookAbilities};
use crate::usual;
use crate::wire::{PATCH_ALSO, canonical_mcp_name, mcp_by_known_server, write_nested};
use crate::wire_format::{
    AllowMeaning, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, NativeForm, RefusalFormat,
    ToolMapping, WireFormat,
};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    own: NativeForm { refusal: RefusalFormat::ExitCodeAndOutput, ..usual::NATIVE },
    can: HookAbilities { pre_tool_use: Some(EventAbilities::TELL_CHANGE_OR_ASK), ..usual::ABILITIES },
    wire: WireFormat {
        // The second names are those of older versions.
        fields: FieldNames {
            session_id: &["session_id", "sessionId"],
            source_words: &[("new", "startup")],
            sub_agent: &["agent_id"],
            ..FieldNames::USUAL
        },
        tools: &[
            ToolMapping::same("Bash", &["run_in_terminal", "runTerminalCommand", "send_to_terminal"]),
            ToolMapping::keyed("Read", &["read_file", "readFile"], PATH),
            ToolMapping::keyed("Write", &["create_file", "createFile"], PATH),
            ToolMapping::keyed(
                "Edit",
                &["replace_string_in_file"],
                &[("file_path", "filePath"), ("old_string", "oldString"), ("new_string", "newString")],
            ),
            ToolMapping::keyed("Patch", &["apply_patch"], &[("patch", "input")]).also(PATCH_ALSO),
            ToolMapping::keyed("Glob", &["file_search"], &[("pattern", "query")]),
            ToolMapping::keyed("Grep", &["grep_search"], &[("pattern", "query")]),
            ToolMapping::same("WebFetch", &["fetch_webpage"]),
            ToolMapping::same("Task", &["runSubagent"]),
            ToolMapping::same("Bash", &["create_and_run_task"]).composed("command", command_of_task),
            // These name a task, cell or command of the editor, not what it runs.
            ToolMapping::same("Bash", &["run_task", "run_notebook_cell"]),
            ToolMapping::keyed("Bash", &["run_vscode_command"], &[("command", "commandId")]),
            ToolMapping::same("Patch", &["multi_replace_string_in_file"])
                .composed("patch", patch_of_edits)
                .also(PATCH_ALSO),
            ToolMapping::keyed(
                "Edit",
                &["insert_edit_into_file"],
                &[("file_path", "filePath"), ("new_string", "code")],
            ),
            ToolMapping::keyed(
                "Edit",
                &["edit_notebook_file"],
                &[("file_path", "filePath"), ("new_string", "newCode")],
            ),
            ToolMapping::keyed("Edit", &["deleteFile", "delete_file"], PATH),
            ToolMapping::same("Edit", &["editFiles", "edit_files"]),
            ToolMapping::keyed("Write", &["create_directory"], &[("file_path", "dirPath")]),
            ToolMapping::same("Write", &["create_new_jupyter_notebook", "create_new_workspace"]),
        ],
        harmless: &[
            "get_changed_files",
            "get_errors",
            "get_project_setup_info",
            "get_search_view_results",
            "get_task_output",
            "get_terminal_output",
            "get_vscode_api",
            "github_repo",
            // The user agrees to it in the editor.
            "install_extension",
            "list_dir",
            "manage_todo_list",
            // Its own notes, in a folder of the editor.
            "memory",
            "read_notebook_cell_output",
            "read_project_structure",
            "resolve_memory_file_uri",
            // The tests of the project, as the editor runs them.
            "runTests",
            "search_workspace_symbols",
            "semantic_search",
            "switch_agent",
            "terminal_last_command",
            "terminal_selection",
            "test_failure",
            "test_search",
            "tool_search",
            "view_image",
            "vscode_askQuestions",
            "vscode_get_confirmation",
            "vscode_get_confirmation_with_options",
            "vscode_get_terminal_confirmation",
        ],
        mcp: McpNames {
            split: |name, _, servers| mcp_by_known_server(name.strip_prefix("mcp_")?, "_", servers),
            join: canonical_mcp_name,
        },
        write,
        allow: AllowMeaning::Grants,
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Program("vscode"))
};

const PATH: &[(&str, &str)] = &[("file_path", "filePath")];

fn command_of_task(input: &Map<String, Value>) -> Option<String> {
    let task = input.get("task")?;
    let args = task.get("args").and_then(Value::as_array).into_iter().flatten();
    let words = std::iter::once(task.get("command")?).chain(args).filter_map(Value::as_str);
    Some(words.collect::<Vec<_>>().join(" "))
}

fn patch_of_edits(input: &Map<String, Value>) -> Option<String> {
    let mut patch = String::from("*** Begin Patch\n");
    for edit in input.get("replacements")?.as_array()? {
        let text = |key: &str| edit.get(key).and_then(Value::as_str).unwrap_or_default();
        patch.push_str(&format!("*** Update File: {}\n@@\n", text("filePath")));
        let lines = [("-", text("oldString")), ("+", text("newString"))];
        for (sign, line) in lines.into_iter().flat_map(|(sign, text)| text.lines().map(move |line| (sign, line))) {
            patch.push_str(&format!("{sign}{line}\n"));
        }
    }
    patch.push_str("*** End Patch\n");
    Some(patch)
}

/// Writes the answer as for Claude Code, except for prompts, which only an end of the session keeps from the model, and
/// for the end of a turn, whose decision stands inside `hookSpecificOutput`.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let mut answer = write_nested(reply);
    if let LoweredDecision::Block(reason) = &reply.verdict {
        match reply.event {
            Event::UserPromptSubmit => {
                answer.insert("continue".to_owned(), false.into());
                answer.insert("stopReason".to_owned(), reason.as_str().into());
            }
            Event::Stop => {
                let own = json!({"hookEventName": reply.native_event, "decision": "block", "reason": reason});
                answer.insert("hookSpecificOutput".to_owned(), own);
            }
            Event::PreToolUse | Event::PostToolUse | Event::SessionStart => {}
        }
    }
    HookAnswer::json(answer)
}
