// Connects OpenCode to Symposium. Written by `symposium sync`, which replaces it; `symposium uninstall` removes it.
import { spawnSync } from "node:child_process";

const PROGRAM = "@PROGRAM@";
const OPTIONS = ["@OPTIONS@"];
const SHIM = "@SHIM@";
const NATIVE = ["@NATIVE@"];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const joined = (...texts) => texts.filter((text) => typeof text === "string" && text !== "").join("\n\n");

const TOO_DEEP = "The input of this tool has too many levels, so no hook can check it.";

// Whatever goes wrong on the way means "nothing to say": a missing program, a time limit, an answer that is not ours. But
// a call that cannot be shown to a hook is refused.
function ask(event, message) {
  let input;
  try {
    input = JSON.stringify(message);
  } catch {
    return event === "pre-tool-use" ? { deny: TOO_DEEP } : {};
  }
  try {
    const run = spawnSync(PROGRAM, ["hook", "opencode", event, ...OPTIONS], {
      input,
      encoding: "utf8",
      timeout: 60_000,
      maxBuffer: 16 * 1024 * 1024,
      windowsHide: true,
    });
    const answer = JSON.parse(run.stdout);
    return isObject(answer) ? answer : {};
  } catch {
    return {};
  }
}

