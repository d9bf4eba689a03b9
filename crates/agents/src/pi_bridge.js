// Pi keeps its own reference to the arguments, so they are changed in place.
function replaceIn(target, source) {
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(source, key)) delete target[key];
  }
  Object.assign(target, source);
}

// One call can make several edits of a file: each is an event of its own.
function partsOf({ toolName, input }) {
  if (toolName !== "edit" || !Array.isArray(input?.edits) || input.edits.length === 0) return [input];
  const { edits, ...rest } = input;
  return edits.map((edit) => ({ ...rest, ...edit }));
}

function wholeOf({ input }, parts) {
  if (!Array.isArray(input?.edits) || parts.some((part) => part.oldText === undefined)) return parts[0];
  const edits = parts.map(({ oldText, newText }) => ({ oldText, newText }));
  const { oldText, newText, ...rest } = parts[0];
  return { ...rest, edits };
}

export default function (pi) {
  let started = false;
  let continued = false;

  const send = (event, ctx, rest) =>
    ask(event, { event, session_id: ctx.sessionManager?.getSessionId?.(), cwd: ctx.cwd, ...rest });

  pi.on("before_agent_start", async (event, ctx) => {
    continued = false;
    const first = started ? {} : send("session-start", ctx, {});
    started = true;
    const answer = send("user-prompt-submit", ctx, { prompt: event.prompt });
    const content = joined(first.context, answer.deny, answer.context);
    if (content !== "") return { message: { customType: "symposium", content, display: false } };
  });

  // Context given before a tool, until there is a result it can follow.
  const held = new Map();

  pi.on("tool_call", async (event, ctx) => {
    const contexts = [];
    let changed = false;
    const parts = [];
    for (const args of partsOf(event)) {
      const answer = send("pre-tool-use", ctx, { tool: event.toolName, args });
      contexts.push(answer.context);
      if (typeof answer.deny === "string") {
        return { block: true, reason: joined(answer.deny, ...contexts) || "Blocked by a Symposium hook" };
      }
      changed ||= isObject(answer.args);
      parts.push(isObject(answer.args) ? answer.args : args);
    }
    if (changed && isObject(event.input)) replaceIn(event.input, wholeOf(event, parts));
    const context = joined(...contexts);
    if (context !== "") held.set(event.toolCallId, context);
  });

  pi.on("tool_result", async (event, ctx) => {
    const contexts = [held.get(event.toolCallId)];
    held.delete(event.toolCallId);
    const { content, details, structuredContent, isError } = event;
    let shown = content;
    for (const args of partsOf(event)) {
      const output = { content, details, structuredContent, isError };
      const answer = send("post-tool-use", ctx, { tool: event.toolName, args, output });
      if (typeof answer.output === "string") shown = [{ type: "text", text: answer.output }];
      contexts.push(joined(answer.deny, answer.context));
    }
    const text = joined(...contexts);
    if (text !== "") shown = [...(shown ?? []), { type: "text", text }];
    if (shown !== content) return { content: shown };
  });

  if (NATIVE.includes("stop")) {
    pi.on("agent_before_settle", async (event, ctx) => {
      const answer = send("stop", ctx, { stop_hook_active: continued });
      if (typeof answer.deny !== "string") return;
      continued = true;
      const message = { type: "custom_message", customType: "symposium", content: answer.deny, display: false };
      return { entries: [...event.entries, message], continue: true };
    });
  }

  for (const name of NATIVE.filter((name) => name !== "stop")) {
    pi.on(name, async (event, ctx) => {
      const answer = send(name, ctx, { input: event });
      return Object.keys(answer).length > 0 ? answer : undefined;
    });
  }
}
