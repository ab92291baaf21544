// Runs the engine as the page does, with its worker, and as a process of this machine. ENGINE names the module for WebAssembly,
// NATIVE the program.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const page = new URL("../../page/", import.meta.url);
const { build } = createRequire(new URL("package.json", page))("esbuild");

const heard = [];
globalThis.self = { postMessage: (message) => heard.push(message) };
const { outputFiles } = await build({
  entryPoints: [new URL("../npm/src/worker.ts", page).pathname],
  bundle: true,
  format: "esm",
  write: false,
});
await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
self.onmessage({ data: { module: await WebAssembly.compile(readFileSync(process.env.ENGINE)) } });

/** The lines of an answer of the module, and what it wrote to standard error. */
export function inPage(request) {
  heard.length = 0;
  self.onmessage({ data: { request: JSON.stringify(request) } });
  const lines = heard.flatMap((message) => ("line" in message ? [JSON.parse(message.line)] : []));
  return { lines, errors: heard.at(-1).ended };
}

/** The lines of the program's answer, and what it wrote to standard error. */
export function natively(request) {
  const { stdout, stderr } = spawnSync(process.env.NATIVE, { input: JSON.stringify(request), encoding: "utf8", maxBuffer: 1 << 30 });
  return { lines: stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)), errors: stderr };
}
