// Tools that take a list: each item is an event of its own, as if the tool had been called for it alone. Cline also takes
// the list under other names, an item in place of the list, and both of them bare. The names are in Cline's order.
const LISTS = {
  __proto__: null,
  run_commands: { list: "commands", key: "command", names: ["commands", "command", "cmd", "script", "shell_command"] },
  read_files: { list: "files", key: "path", names: ["path", "file_path", "filePath", "files", "file_paths", "paths"] },
  fetch_web_content: { list: "requests", key: "url", names: ["requests", "urls", "url"] },
  search_codebase: { list: "queries", key: "pattern", names: ["queries", "query", "pattern"] },
};

const isText = (value) => typeof value === "string";
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// Cline drops arguments in any other place or form.
const hasArgs = (item) => Array.isArray(item.args) && item.args.every(isText);

// The text of an item; a program with its arguments is one text. Undefined for a list of items.
function textOf(form, name, item) {
  const value = item[name];
  if (form.key !== "command") return isText(value) ? value : undefined;
  const isProgram = name !== form.list && Array.isArray(value) && value.length > 0 && value.every(isText);
  if (!isProgram && !isText(value)) return undefined;
  const [program, ...words] = [value].flat();
  const args = name === "command" && hasArgs(item) ? item.args : [];
  return [program, ...[...words, ...args].map(quoted)].join(" ");
}

// Cline runs the text that opens a here-document, and the next ones up to its end word, as one command.
const HERE_DOCUMENT = /(?<![<])<<-?\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_./-]+))/;

function joinHereDocuments(items) {
  const commands = [];
  for (let at = 0; at < items.length; at += 1) {
    const endWord = isText(items[at]) ? HERE_DOCUMENT.exec(items[at])?.slice(1).find(isText) : undefined;
    const isEnd = (item, later) => later > at && (!isText(item) || item.trim() === endWord);
    const end = endWord === undefined ? -1 : items.findIndex(isEnd);
    if (end !== -1 && isText(items[end])) {
      commands.push(items.slice(at, end + 1).join("\n"));
      at = end;
    } else {
      commands.push(items[at]);
    }
  }
  return commands;
}

// The one of several names that Cline uses: the first in a form that it takes. A list may be under the names in the plural.
function usedName(form, names, input) {
  const isFile = (file) => isObject(file) && isText(file.path);
  if (form.key === "path" && Array.isArray(input.files) && input.files.every(isFile)) return "files";
  const isCommand = (item) => isText(item.command) && (item.args === undefined || hasArgs(item));
  const isKnown = (item) => (form.key === "command" ? isCommand(item) : form.names.some((name) => isText(item[name])));
  const isItem = (item) => isText(item) || (isObject(item) && isKnown(item));
  const isTaken = (name) => isText(input[name]) || (name.endsWith("s") && [input[name]].flat().every(isItem));
  return names.find(isTaken) ?? names[0];
}

// No form that Cline takes has as many levels. What a hook cannot be asked about must not run.
const MAX_LEVELS = 16;

// Passes each item of an input to a function, and returns the input with the items that it returned. What is in no known
// form is passed as its JSON, and stays as it is.
function mapItems(form, input, change, level = 0) {
  if (level > MAX_LEVELS) throw new RangeError("too many levels");
  if (isText(input)) {
    const text = change({ [form.key]: input })[form.key];
    return isText(text) ? text : input;
  }
  if (Array.isArray(input) && input.length > 0) {
    const items = form.key === "command" ? joinHereDocuments(input) : input;
    return items.map((item) => mapItems(form, Array.isArray(item) ? { [form.key]: item } : item, change, level + 1));
  }
  const names = isObject(input) ? form.names.filter((name) => input[name] !== undefined && input[name] !== null) : [];
  if (names.length > 0) {
    const others = Object.fromEntries(Object.entries(input).filter(([key]) => !form.names.includes(key)));
    const mapped = names.map((name) => mapItem(form, name, { ...others, [name]: input[name] }, change, level));
    return mapped[names.indexOf(usedName(form, names, input))];
  }
  change({ [form.key]: JSON.stringify(input ?? null) });
  return input;
}

function mapItem(form, name, item, change, level) {
  const text = textOf(form, name, item);
  if (text === undefined) return { ...item, [name]: mapItems(form, item[name], change, level + 1) };
  const isOther = ([key]) => !form.names.includes(key) && (form.key !== "command" || key !== "args");
  const args = { ...Object.fromEntries(Object.entries(item).filter(isOther)), [form.key]: text };
  const changed = change(args);
  if (changed === args || !isText(changed[form.key])) return item;
  if (form.key === "path" || form.key === "url") return changed;
  // In every place, only a text alone is searched for, or run by the shell.
  return changed[form.key] === text ? item : changed[form.key];
}

// The events of a call, and the input with other arguments.
function itemsOf(form, input) {
  const items = [];
  mapItems(form, input, (args) => items[items.push(args) - 1]);
  return items;
}

function withItems(form, input, changes) {
  const at = changes.values();
  const changed = mapItems(form, input, (args) => at.next().value ?? args);
  return isObject(changed) ? changed : { [form.list]: [changed].flat() };
}

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

function refuse(call, reason) {
  refused.add(call.toolCall.toolCallId);
  return { skip: true, reason };
}

function before(call) {
  const tool = call.toolCall.toolName;
  const form = LISTS[tool];
  const contexts = [];
  const changes = [];
  let items = [call.input];
  try {
    if (form) items = itemsOf(form, call.input);
  } catch {
    return refuse(call, TOO_DEEP);
  }
  for (const args of items) {
    const answer = send("pre-tool-use", call, { tool, args });
    contexts.push(answer.context);
    if (isText(answer.deny)) {
      return refuse(call, joined(answer.deny, ...contexts) || "Blocked by a Symposium hook");
    }
    // A patch may be a text alone.
    changes.push(isObject(answer.args) || (isText(answer.args) && isText(args)) ? answer.args : undefined);
  }
  const result = {};
  if (changes.some((args) => args !== undefined)) result.input = form ? withItems(form, call.input, changes) : changes[0];
  const commands = result.input?.commands;
  if (form?.key === "command" && Array.isArray(commands) && joinHereDocuments(commands).length < commands.length) {
    return refuse(call, "A hook changed these commands, and Cline would run several of them as one. Run them one by one.");
  }
  if (joined(...contexts) !== "") result.appendContext = joined(...contexts);
  return result;
}

function after(call) {
  if (refused.delete(call.toolCall.toolCallId)) return;
  const tool = call.toolCall.toolName;
  const form = LISTS[tool];
  const whole = call.result?.output;
  const items = form ? itemsOf(form, call.input) : [call.input];
  const hasEach = form && Array.isArray(whole) && whole.length === items.length;
  const contexts = items.map((args, at) => {
    const answer = send("post-tool-use", call, { tool, args, output: hasEach ? whole[at] : whole });
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
