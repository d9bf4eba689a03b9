// OpenCode keeps its own reference to the arguments, so they are changed in place.
function replaceIn(target, source) {
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(source, key)) delete target[key];
  }
  Object.assign(target, source);
}

// A built-in tool returns text, an MCP tool a list of contents.
function appendTo(output, text) {
  if (text === "") return;
  if (typeof output.output === "string") {
    output.output += `\n\n${text}`;
  } else if (Array.isArray(output.content)) {
    output.content.push({ type: "text", text });
  }
}

// Functions OpenCode calls so that a plugin can change something.
const FUNCTIONS = [
  "chat.message",
  "chat.params",
  "shell.env",
  "experimental.chat.system.transform",
  "experimental.text.complete",
];

// What is said goes over what is there. OpenCode keeps its own references, so it is changed in place.
function putOver(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (isObject(value) && isObject(target[key])) putOver(target[key], value);
    else if (Array.isArray(value) && Array.isArray(target[key])) target[key].splice(0, target[key].length, ...value);
    else target[key] = value;
  }
}

export const Symposium = async ({ directory }) => {
  const subAgents = new Set();
  const started = new Set();
  // Context given before a tool, until there is a result it can follow.
  const held = new Map();
  // Tools that were let through and did not end yet.
  const running = new Set();

  const send = (event, session, rest) => ask(event, { event, session_id: session, cwd: directory, ...rest });

  const functions = Object.fromEntries(
    FUNCTIONS.filter((name) => NATIVE.includes(name)).map((name) => [
      name,
      async (input, output) => {
        const answer = ask(name, { event: name, cwd: directory, input, output });
        if (isObject(answer.output) && isObject(output)) putOver(output, answer.output);
      },
    ]),
  );

  // `[cargo] shim`: the directory with our `cargo` comes first.
  if (SHIM !== "") {
    const other = functions["shell.env"];
    functions["shell.env"] = async (input, output) => {
      await other?.(input, output);
      if (!isObject(output.env)) return;
      const rest = output.env.PATH ?? process.env.PATH ?? "";
      output.env.PATH = rest === "" ? SHIM : `${SHIM}:${rest}`;
    };
  }

  function prompted(session, output) {
    // The task a sub-agent gets is not a prompt of the person.
    if (subAgents.has(session)) return;
    const parts = (output.parts ?? []).filter(
      (part) => part?.type === "text" && typeof part.text === "string" && !part.synthetic,
    );
    const last = parts.at(-1);
    if (!last) return;
    const prompt = parts.map((part) => part.text).join("\n");
    const texts = [];
    for (const [call, { of, context }] of held) {
      if (of === session && held.delete(call)) texts.push(context);
    }
    if (!started.has(session)) {
      started.add(session);
      texts.push(send("session-start", session, {}).context);
    }
    const answer = send("user-prompt-submit", session, { prompt });
    // Added to the person's own text: a part of our own could be sorted before it.
    const text = joined(...texts, answer.deny, answer.context);
    if (text !== "") last.text += `\n\n${text}`;
  }

  return {
    ...functions,

    event: async ({ event }) => {
      const session = event?.properties?.info;
      if (event?.type === "session.created" && session?.parentID) subAgents.add(session.id);
      // After a tool that fails no function is called; only its part of the message tells.
      const part = event?.type === "message.part.updated" ? event.properties?.part : undefined;
      if (part?.type === "tool" && part.state?.status === "error" && running.delete(part.callID)) {
        const output = { error: part.state.error };
        send("post-tool-use", part.sessionID, { tool: part.tool, args: part.state.input, output });
      }
      if (NATIVE.includes(event?.type)) ask(event.type, event);
    },

    "chat.message": async (input, output) => {
      prompted(input.sessionID, output);
      await functions["chat.message"]?.(input, output);
    },

    "tool.execute.before": async (input, output) => {
      const answer = send("pre-tool-use", input.sessionID, { tool: input.tool, args: output.args });
      if (typeof answer.deny === "string") {
        throw new Error(joined(answer.deny, answer.context) || "Blocked by a Symposium hook");
      }
      running.add(input.callID);
      if (isObject(answer.args) && isObject(output.args)) replaceIn(output.args, answer.args);
      const context = joined(answer.context);
      if (context !== "") held.set(input.callID, { of: input.sessionID, context });
    },

    "tool.execute.after": async (input, output) => {
      const before = held.get(input.callID)?.context;
      held.delete(input.callID);
      running.delete(input.callID);
      const answer = send("post-tool-use", input.sessionID, { tool: input.tool, args: input.args, output });
      if (typeof answer.output === "string" && typeof output.output === "string") output.output = answer.output;
      appendTo(output, joined(before, answer.deny, answer.context));
    },
  };
};
