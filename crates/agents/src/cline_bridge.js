// Tools that take a list: each item is an event of its own, as if the tool had been called for it alone.
const LISTS = { run_commands: ["commands", "command"], read_files: ["files", "path"] };

function itemsOf(tool, input) {
  const items = input?.[LISTS[tool]?.[0]];
  return Array.isArray(items) && items.length > 0 ? items : undefined;
}

const argsOf = (tool, item) => (isObject(item) ? item : { [LISTS[tool][1]]: item });
const inputOf = (tool, item, args) => (isObject(item) ? args : (args[LISTS[tool][1]] ?? item));

const started = new Set();
// Calls that were refused: Cline reports their end all the same.
const refused = new Set();

const send = (event, call, rest) =>
  ask(event, { event, session_id: call.snapshot?.conversationId, cwd: process.cwd(), ...rest });

// The prompt of the person is marked; the task of a sub-agent is not.
function promptOf(snapshot) {
  const message = (snapshot?.messages ?? []).findLast((message) => message?.role === "user");
  const parts = (message?.content ?? []).filter((part) => part?.type === "text" && typeof part.text === "string");
  const text = parts.map((part) => part.text).join("\n");
  return /<user_input\b[^>]*>([\s\S]*?)<\/user_input>/.exec(text)?.[1];
}

function prompted(call) {
  const prompt = promptOf(call.snapshot);
  if (prompt === undefined) return;
  const texts = [];
  if (!started.has(call.snapshot.conversationId)) {
    started.add(call.snapshot.conversationId);
    texts.push(send("session-start", call, {}).context);
  }
  const answer = send("user-prompt-submit", call, { prompt });
  const appendContext = joined(...texts, answer.deny, answer.context);
  return appendContext === "" ? undefined : { appendContext };
}

function before(call) {
  const tool = call.toolCall.toolName;
  const items = itemsOf(tool, call.input);
  const contexts = [];
  let changed = false;
  const changedItems = [];
  for (const item of items ?? [call.input]) {
    const answer = send("pre-tool-use", call, { tool, args: items ? argsOf(tool, item) : item });
    contexts.push(answer.context);
    if (typeof answer.deny === "string") {
      refused.add(call.toolCall.toolCallId);
      return { skip: true, reason: joined(answer.deny, ...contexts) || "Blocked by a Symposium hook" };
    }
    changed ||= isObject(answer.args);
    changedItems.push(isObject(answer.args) ? (items ? inputOf(tool, item, answer.args) : answer.args) : item);
  }
  const result = {};
  if (changed) result.input = items ? { ...call.input, [LISTS[tool][0]]: changedItems } : changedItems[0];
  if (joined(...contexts) !== "") result.appendContext = joined(...contexts);
  return result;
}

function after(call) {
  if (refused.delete(call.toolCall.toolCallId)) return;
  const tool = call.toolCall.toolName;
  const items = itemsOf(tool, call.input);
  const whole = call.result?.output;
  const contexts = (items ?? [call.input]).map((item, at) => {
    const output = items && Array.isArray(whole) ? whole[at] : whole;
    const answer = send("post-tool-use", call, { tool, args: items ? argsOf(tool, item) : item, output });
    return joined(answer.deny, answer.context);
  });
  const appendContext = joined(...contexts);
  return appendContext === "" ? undefined : { appendContext };
}

// Cline waits three seconds for a function, and an error in one would end the whole run.
let deadline = 0;
const harmless = (run) => async (call) => {
  deadline = Date.now() + 2_700;
  try {
    return run(call);
  } catch {
    return undefined;
  }
};

const hooks = { beforeRun: harmless(prompted), beforeTool: harmless(before), afterTool: harmless(after) };
if (NATIVE.includes("afterRun")) {
  hooks.afterRun = harmless((call) => {
    send("afterRun", call, { result: call.result });
  });
}

export default { name: "symposium", manifest: { capabilities: ["hooks"] }, hooks };
