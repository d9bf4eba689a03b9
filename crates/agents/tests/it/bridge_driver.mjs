// Calls the functions of a bridge as its agent does, one step after the other, and prints what came of each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [agent, bridge, steps] = process.argv.slice(2);
const module = await import(pathToFileURL(bridge));
// OpenCode refuses a module with an export that is not a function, and runs every one that is.
const [plugin, ...others] = Object.values(module);
if (others.length > 0) throw new Error("exactly one thing must be exported");
let hooks;
if (agent === "cline") {
  hooks = plugin.hooks;
} else if (agent === "pi") {
  hooks = {};
  plugin({ on: (name, handler) => (hooks[name] = handler) });
} else {
  hooks = await plugin({ directory: "/home/user/project", worktree: "/home/user/project" });
}
// Cline's plugins learn the directory from their process, Pi's from the context of the call.
process.cwd = () => "/home/user/project";
const context = { cwd: "/home/user/project", sessionManager: { getSessionId: () => "ses_1" } };

const results = [];
for (const { hook, input, output } of JSON.parse(readFileSync(steps, "utf8"))) {
  const args = output?.args;
  const result = { hook };
  try {
    const returned = await hooks[hook](input, agent === "pi" ? context : output);
    if (returned !== undefined) result.returned = returned;
    if (agent === "pi" && hook === "tool_call") result.args = input.input;
  } catch (error) {
    result.thrown = error.message;
  }
  // OpenCode looks only at the objects it handed over.
  if (args !== undefined) result.args = args;
  else if (output) result.output = output.parts?.map((part) => part.text) ?? output.output ?? output.content ?? output;
  results.push(result);
}
console.log(JSON.stringify(results));
