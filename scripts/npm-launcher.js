#!/usr/bin/env node
// Starts the program of this platform: arguments, streams, signals and the exit code pass through. Hooks do not come
// this way, because `symposium init` registers the path of the program itself.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { optionalDependencies } = require("../package.json");

const FAILED = 3;
const REPOSITORY = "https://github.com/symposium-dev/symposium";

function fail(message, help) {
  process.stderr.write(`error: ${message}\nhelp: ${help}\n`);
  process.exit(FAILED);
}

function resolve(name) {
  try {
    const program = process.platform === "win32" ? "symposium.exe" : "symposium";
    return require.resolve(`${name}/bin/${program}`);
  } catch {
    return undefined;
  }
}

function findProgram() {
  const platform = `${process.platform}-${process.arch}`;
  const names = Object.keys(optionalDependencies);
  const wanted = names.find((name) => name.endsWith(`-${platform}`));
  if (!wanted) {
    const known = names.map((name) => name.split("-").slice(-2).join("-")).join(", ");
    fail(
      `there is no npm package of Symposium for ${platform}, only for ${known}`,
      `build it with \`cargo install --git ${REPOSITORY} --locked symposium\``,
    );
  }
  const program = resolve(wanted);
  if (program) return program;
  const installed = names.find((name) => {
    try {
      return require.resolve(`${name}/package.json`);
    } catch {
      return false;
    }
  });
  fail(
    installed
      ? `the package ${wanted} is missing; ${installed}, which is for another platform, is installed`
      : `the package ${wanted} is missing`,
    "install again on this platform, without `--omit=optional`: the program is in an optional dependency",
  );
}

const program = findProgram();
// The program has the terminal's signals as well, and decides what they mean; this process only waits for it.
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  if (signal in constants.signals) process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  const reason = error.code === "EACCES" ? "it is not executable, or you may not read it" : error.message;
  fail(`failed to start ${program}: ${reason}`, "install the package again");
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exitCode = code;
  }
});
