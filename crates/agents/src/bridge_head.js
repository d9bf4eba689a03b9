// Connects OpenCode to Symposium. Written by `symposium sync`, which replaces it; `symposium uninstall` removes it.
import { spawnSync } from "node:child_process";

const PROGRAM = "@PROGRAM@";
const OPTIONS = ["@OPTIONS@"];
const SHIM = "@SHIM@";
const NATIVE = ["@NATIVE@"];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const joined = (...texts) => texts.filter((text) => typeof text === "string" && text !== "").join("\n\n");

// Whatever goes wrong on the way means "nothing to say": a missing program, a time limit, an answer that is not ours.
function ask(event, message) {
  try {
    const run = spawnSync(PROGRAM, ["hook", "opencode", event, ...OPTIONS], {
      input: JSON.stringify(message),
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

