// Runs a MiniZinc model with Chuffed, which Debian does not package: the npm package `minizinc` contains it as
// WebAssembly.
//
//     node benches/chuffed.mjs MODULES LIMIT MODEL DATA [OPTION…]
//
// MODULES is a folder `node_modules` with `minizinc`; further options are MiniZinc's. It prints the output of `minizinc
// -a` as soon as it is available, and stops at the time limit in seconds. WebAssembly is slower than a native program.

import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { Worker, isMainThread, workerData } from "node:worker_threads";

const [modules, limit, model, data, ...options] = isMainThread ? process.argv.slice(2) : workerData;

if (isMainThread) {
  // Chuffed does not always check its own time limit.
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv.slice(2) });
  const timer = setTimeout(() => process.exit(), 1000 * limit);
  worker.on("exit", (code) => {
    clearTimeout(timer);
    process.exitCode = code;
  });
} else {
  await solve();
}

async function solve() {
  const folder = resolve(modules, "minizinc/dist");
  // The package is made for a worker in a browser: it receives its tasks by a listener, and responds with messages.
  let task;
  globalThis.require = createRequire(import.meta.url);
  globalThis.__dirname = folder;
  globalThis.__filename = join(folder, "minizinc-worker.js");
  globalThis.addEventListener = (_, listener) => (task = (data) => listener({ data }));
  globalThis.postMessage = answer;
  await import(join(folder, "minizinc-worker.js"));
  await task({ wasmURL: join(folder, "minizinc.wasm"), dataURL: join(folder, "minizinc.data") });
  const file = `data${extname(data)}`;
  await task({
    jsonStream: true,
    files: { "model.mzn": readFileSync(model, "utf8"), [file]: readFileSync(data, "utf8") },
    args: ["--solver", "chuffed", "-a", "--time-limit", `${1000 * limit}`, ...options, "model.mzn", file],
  });
}

function answer(message) {
  if (message.type === "solution") {
    const { json, dzn, default: text } = message.output;
    writeSync(1, `${json ? JSON.stringify(json, null, 1) : (text ?? dzn)}\n----------\n`);
  } else if (message.type === "status" && ["OPTIMAL_SOLUTION", "ALL_SOLUTIONS"].includes(message.status)) {
    writeSync(1, "==========\n");
  } else if (message.type === "stderr") {
    writeSync(2, message.value);
  } else if (message.type === "error") {
    writeSync(2, `${message.message}\n`);
    process.exitCode = 1;
  }
}
