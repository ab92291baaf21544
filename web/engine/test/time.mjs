// Prints how many seconds of processor time the module for WebAssembly takes for a request: the file $1, $2 times in one process,
// or for two seconds if that is longer. benches/browser.py runs it.

import { readFileSync } from "node:fs";
import { inPage } from "./engine.mjs";

const [file, runs] = process.argv.slice(2);
const begun = performance.now();
const request = JSON.parse(readFileSync(file, "utf8"));
for (let run = 0; run < Number(runs) || performance.now() < begun + 2000; run += 1) {
  const before = process.cpuUsage();
  const { lines, errors } = inPage(request);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  console.log(JSON.stringify({ seconds, type: lines.at(-1)?.type, status: lines.at(-1)?.status, errors }));
}
