// Drives the hook engine inside Cursor's SDK in the current directory, without an account or a network.
// Arguments: the SDK's folder of modules, and a list of [step, payload] as JSON. Prints what the engine makes of each.
import { readFileSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, steps] = process.argv.slice(2);

// The engine is not exported. A copy of the entry that also exports its loader of modules hands it out.
const entry = readFileSync(join(folder, "index.js"), "utf8");
const loader = /\.exports\}(\w+)\.m=/.exec(entry)?.[1];
const exportsAt = entry.lastIndexOf("export{");
if (!loader || exportsAt < 0) throw new Error("the SDK is built in another way than the known one");
const copy = join(folder, `entry-${process.pid}-${Date.now()}.mjs`);
const handing = `export{${loader} as load,`;
writeFileSync(copy, entry.slice(0, exportsAt) + handing + entry.slice(exportsAt + "export{".length));
const { load } = await import(pathToFileURL(copy).href).finally(() => unlinkSync(copy));
for (const file of readdirSync(folder)) {
  const chunk = /^(\d+)\.js$/.exec(file);
  // Chunks that need what is not there are not the engine's.
  if (chunk) await load.e(Number(chunk[1])).catch(() => {});
}
const hooks = load("../cursor-sdk-local-runtime/dist/core/hooks-runtime.js");
const provider = Object.values(hooks).map((make) => make()).find((made) => made.createHooksRuntime);
const root = process.cwd();
const workspaceState = { projectRoot: root, workspaceRoots: [root], workingDirectory: root };
const { hookExecutor } = (await provider.createHooksRuntime({ workspaceState })).createSessionRuntime();
const common = { conversation_id: "conversation", generation_id: "generation", model: "scripted" };
const answers = [];
for (const [step, payload] of JSON.parse(steps)) {
  answers.push((await hookExecutor.executeHookForStep(step, { ...common, ...payload })) ?? null);
}
process.stdout.write(`\n${JSON.stringify(answers)}\n`, () => process.exit(0));
