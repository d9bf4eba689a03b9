// Calls the functions of a bridge as OpenCode does, one step after the other, and prints what came of each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [bridge, steps] = process.argv.slice(2);
const module = await import(pathToFileURL(bridge));
// OpenCode refuses a module with an export that is not a function, and runs every one that is.
const [plugin, ...others] = Object.values(module);
if (typeof plugin !== "function" || others.length > 0) throw new Error("exactly one function must be exported");
const hooks = await plugin({ directory: "/home/user/project", worktree: "/home/user/project" });

const results = [];
for (const { hook, input, output } of JSON.parse(readFileSync(steps, "utf8"))) {
  const args = output?.args;
  const result = { hook };
  try {
    await hooks[hook](input, output);
  } catch (error) {
    result.thrown = error.message;
  }
  // OpenCode looks only at the objects it handed over.
  if (args !== undefined) result.args = args;
  else if (output) result.output = output.parts?.map((part) => part.text) ?? output.output ?? output.content ?? output;
  results.push(result);
}
console.log(JSON.stringify(results));
